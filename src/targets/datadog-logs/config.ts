import { z } from 'zod';
import { boundedString } from '../../bounds/bounded.js';
import { fieldForms } from '../form-schema.js';

/**
 * Datadog's sites, a closed list because the site becomes part of a host name.
 * https://docs.datadoghq.com/getting_started/site/
 */
export const sites = [
  'datadoghq.com',
  'us3.datadoghq.com',
  'us5.datadoghq.com',
  'datadoghq.eu',
  'ap1.datadoghq.com',
  'ap2.datadoghq.com',
  'uk1.datadoghq.com',
  'ddog-gov.com',
  'us2.ddog-gov.com',
] as const;
const DEFAULT_SITE = 'datadoghq.com';

/** Most bytes of a service as JSON text: a limit of Waybill, because every entry carries the service. */
export const MAX_SERVICE_BYTES = 300;
/** Most bytes of all tags together as JSON text: a limit of Waybill, as for the service. */
export const MAX_TAGS_BYTES = 1024;

/** Any text: Datadog takes every string and normalizes it. */
function textOf(most: number) {
  return boundedString(most).refine((text) => Buffer.byteLength(JSON.stringify(text)) <= most + 2, {
    error: `must not be longer than ${most} bytes, counted as JSON text`,
  });
}

/** The `monitoring` member of a destination's `target`: Datadog Logs. */
export const monitoringConfig = z
  .strictObject({
    api_key: boundedString(200)
      .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters without spaces')
      .nullish()
      .describe('Datadog API key (not an application key). Never returned.')
      .register(fieldForms, { title: 'Datadog API key' }),
    tags: textOf(MAX_TAGS_BYTES)
      .nullable()
      .default(null)
      .describe(
        'Tags of every log entry, by convention "key:value" pairs with commas between them. Datadog normalizes them. At most 1024 bytes as JSON text.',
      )
      .meta({ examples: ['env:production,team:audit'] })
      .register(fieldForms, { title: 'Tags' }),
    service: textOf(MAX_SERVICE_BYTES)
      .nullable()
      .default(null)
      .describe('Service of every log entry. Null or empty: "waybill". At most 300 bytes as JSON text.')
      .register(fieldForms, { title: 'Service of the log entries' }),
    site: z
      .enum(sites)
      .nullable()
      .overwrite((site) => site ?? DEFAULT_SITE)
      .default(DEFAULT_SITE)
      .describe('Datadog site to send to, as in the address of its web application. Null: datadoghq.com.')
      .register(fieldForms, { title: 'Datadog site' }),
  })
  .describe('Datadog Logs.');

export type MonitoringConfig = z.infer<typeof monitoringConfig>;

/** Returns the address of a site's intake. https://docs.datadoghq.com/api/latest/logs/#send-logs */
export function intakeUrl(site: MonitoringConfig['site']): string {
  return `https://http-intake.logs.${site ?? DEFAULT_SITE}`;
}
