/** What the calls of a generated client are given. */
export interface Setting {
  readonly url: string;
  readonly key: string;
  readonly values: typeof VALUES;
  /** Events as they arrived at a destination. */
  readonly lines: readonly string[];
}

const ACCOUNT = '123456789012';

/** Values that a target needs. */
export const VALUES = {
  key_id: 'AKIAIOSFODNN7EXAMPLE',
  role_arn: `arn:aws:iam::${ACCOUNT}:role/waybill-events`,
  delivery_stream_arn: `arn:aws:firehose:us-east-1:${ACCOUNT}:deliverystream/generated`,
  stream_arn: `arn:aws:kinesis:us-east-1:${ACCOUNT}:stream/generated`,
  log_group_arn: `arn:aws:logs:us-east-1:${ACCOUNT}:log-group:generated`,
  api_key: '0123456789abcdef0123456789abcdef',
  log_ingestion: {
    tenant_id: '8f9f2f64-3c5a-4a9c-9a63-0d6f7a1b2c3d',
    client_id: '1c2d3e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f',
    client_secret: 'secret',
    logs_ingestion_uri: 'https://audit-abcd.westeurope-1.ingest.monitor.azure.com',
    data_collection_rule_id: 'dcr-0123456789abcdef0123456789abcdef',
    data_collection_stream_name: 'Custom-Waybill_CL',
  },
};
