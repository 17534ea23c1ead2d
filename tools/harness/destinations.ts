import { SANDBOX_SECRET_ACCESS_KEY } from '@waybill/sandbox';
import type { TargetKind } from '../../src/targets/target.js';
import type { ApiClient } from './api-client.js';

const ACCOUNT = '123456789012';
const REGION = 'eu-central-1';

const creds = {
  creds: { cloud_access_key_id: 'AKIASANDBOXDEMO00001', cloud_secret_access_key: SANDBOX_SECRET_ACCESS_KEY },
};

/** One destination of each kind, as a client would create it: two with access keys, one that assumes a role. */
export const demoTargets: Readonly<Record<TargetKind, Readonly<Record<string, unknown>>>> = {
  delivery_stream: {
    auth: creds,
    delivery_stream_arn: `arn:aws:firehose:${REGION}:${ACCOUNT}:deliverystream/audit`,
  },
  data_stream: {
    auth: { role: { role_arn: `arn:aws:iam::${ACCOUNT}:role/waybill-writer` } },
    stream_arn: `arn:aws:kinesis:${REGION}:${ACCOUNT}:stream/audit`,
  },
  log_group: {
    auth: creds,
    log_group_arn: `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:/audit/waybill`,
  },
  monitoring: {
    api_key: '0123456789abcdef0123456789abcdef',
    site: 'datadoghq.eu',
    service: 'waybill-demo',
    tags: 'env:demo,team:platform',
  },
  log_ingestion: {
    tenant_id: '11111111-2222-4333-8444-555555555555',
    client_id: '66666666-7777-4888-8999-aaaaaaaaaaaa',
    client_secret: 'demo-client-secret',
    logs_ingestion_uri: 'https://audit-x1y2.westeurope-1.ingest.monitor.azure.com',
    data_collection_rule_id: 'dcr-0123456789abcdef0123456789abcdef',
    data_collection_stream_name: 'Custom-Audit_CL',
  },
};

/** Limit of the API. */
const DESTINATIONS_PER_SUBSCRIPTION = 100;

/** Subscribes destinations to event types. */
export async function subscribe(
  api: ApiClient,
  destinationIds: readonly string[],
  types: readonly string[] = ['ip_policy_created.v0'],
): Promise<void> {
  for (let start = 0; start < destinationIds.length; start += DESTINATIONS_PER_SUBSCRIPTION) {
    await api.create('/event_subscriptions', {
      sources: types.map((type) => ({ type })),
      destination_ids: destinationIds.slice(start, start + DESTINATIONS_PER_SUBSCRIPTION),
    });
  }
}
