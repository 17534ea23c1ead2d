import { z } from 'zod';
import { boundedString } from '../../bounds/bounded.js';
import { fieldForms } from '../form-schema.js';

/**
 * The logs ingestion endpoint of a rule, or of a data collection endpoint: https, no user, default port, no path.
 * https://learn.microsoft.com/azure/azure-monitor/logs/logs-ingestion-api-overview#endpoint-uri
 */
const ingestionUri = /^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*\.ingest\.monitor\.azure\.(com|us|cn)\/?$/;

/** The `log_ingestion` member of a destination's `target`: Azure Monitor Logs, through its Logs Ingestion API. */
export const logIngestionConfig = z
  .strictObject({
    tenant_id: boundedString(36)
      .check(z.guid())
      .describe('Directory (tenant) id of the Entra application, a GUID.')
      .register(fieldForms, { title: 'Directory (tenant) id' }),
    client_id: boundedString(36)
      .check(z.guid())
      .describe('Application (client) id of the Entra application, a GUID.')
      .register(fieldForms, { title: 'Application (client) id' }),
    client_secret: boundedString(512)
      .regex(/^[\x21-\x7e]{1,512}$/, 'must be 1 to 512 printable ASCII characters without spaces')
      .nullish()
      .describe('Value (not id) of a client secret of the application. Never returned.')
      .register(fieldForms, { title: 'Client secret' }),
    logs_ingestion_uri: boundedString(264)
      .regex(ingestionUri, 'must be like "https://NAME.REGION-1.ingest.monitor.azure.com"')
      .describe(
        'Logs ingestion address of the data collection rule or endpoint. Its ending (.com, .us, .cn) selects the cloud to sign in to.',
      )
      .meta({ examples: ['https://audit-abcd.westeurope-1.ingest.monitor.azure.com'] })
      .register(fieldForms, { title: 'Logs ingestion address' }),
    data_collection_rule_id: boundedString(36)
      .regex(/^dcr-[0-9a-f]{32}$/, 'must be "dcr-" and 32 hexadecimal digits: the immutable id of the rule')
      .describe(
        'Immutable id of the data collection rule. The application needs the role Monitoring Metrics Publisher on it.',
      )
      .meta({ examples: ['dcr-0a1b2c3d4e5f60718293a4b5c6d7e8f9'] })
      .register(fieldForms, { title: 'Immutable id of the data collection rule' }),
    data_collection_stream_name: boundedString(130)
      .regex(/^(?:Custom|Microsoft)-[A-Za-z0-9_-]{1,120}$/, 'must begin with "Custom-" or "Microsoft-"')
      .describe('Stream of the rule that takes the events, such as "Custom-Waybill_CL".')
      .meta({ examples: ['Custom-Waybill_CL'] })
      .register(fieldForms, { title: 'Stream of the rule' }),
  })
  .describe('Azure Monitor Logs Ingestion.');

export type LogIngestionConfig = z.infer<typeof logIngestionConfig>;

/**
 * The clouds of Azure (public, US government, China) by the ending of the ingestion address: the authority that issues
 * tokens, and their audience. The client appends `/.default` to the audience.
 * https://learn.microsoft.com/azure/azure-monitor/logs/logs-ingestion-api-overview,
 * https://learn.microsoft.com/entra/identity-platform/authentication-national-cloud
 */
export const clouds = {
  com: { authority: 'https://login.microsoftonline.com', audience: 'https://monitor.azure.com' },
  us: { authority: 'https://login.microsoftonline.us', audience: 'https://monitor.azure.us' },
  cn: { authority: 'https://login.chinacloudapi.cn', audience: 'https://monitor.azure.cn' },
};

/**
 * Returns the cloud of a `logs_ingestion_uri`.
 * @throws TypeError for another address
 */
export function cloudOf(uri: string): { readonly authority: string; readonly audience: string } {
  const [, ending] = ingestionUri.exec(uri) ?? [];
  if (ending === 'com' || ending === 'us' || ending === 'cn') return clouds[ending];
  throw new TypeError('Not a logs ingestion address of Azure.');
}
