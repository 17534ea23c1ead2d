import { z } from 'zod';

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

/** Most characters of a service name. https://docs.datadoghq.com/tracing/trace_collection/ (100 characters) */
export const MAX_SERVICE_CHARACTERS = 100;
/** Most UTF-8 bytes of all tags together: a limit of Waybill, because every entry carries them. */
export const MAX_TAGS_BYTES = 1024;

/**
 * One `key:value` of at most 200 characters: it starts with a letter, holds letters, digits, `_`, `-`, `.`, `/` and, in
 * the value, `:`, and does not end in `:`. https://docs.datadoghq.com/getting_started/tagging/#define-tags
 */
const tag = String.raw`\p{L}[\p{L}\p{N}_./-]{0,98}:[\p{L}\p{N}_./:-]{0,98}[\p{L}\p{N}_./-]`;
const tagList = new RegExp(`^${tag}(?:,${tag})*$`, 'u');
const serviceName = /^[\p{L}\p{N}][\p{L}\p{N}_.:/-]*$/u;

/** The `monitoring` member of a destination's `target`: Datadog Logs. */
export const monitoringConfig = z
  .strictObject({
    api_key: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters without spaces')
      .nullish()
      .describe('Datadog API key (not an application key). Never returned.'),
    tags: z
      .string()
      .max(MAX_TAGS_BYTES)
      .regex(tagList, 'must be a list such as "env:prod,team:network"')
      .refine((tags) => Buffer.byteLength(tags) <= MAX_TAGS_BYTES, `must be at most ${MAX_TAGS_BYTES} bytes`)
      .nullable()
      .default(null)
      .describe('Tags of every log entry, as "key:value" pairs with commas between them and no spaces.'),
    service: z
      .string()
      .max(MAX_SERVICE_CHARACTERS)
      .regex(serviceName, 'must be letters, digits, "_", "-", ".", ":" and "/", the first a letter or digit')
      .nullable()
      .default(null)
      .describe('Service of every log entry. Null: "waybill".'),
    site: z
      .enum(sites)
      .nullable()
      .overwrite((site) => site ?? DEFAULT_SITE)
      .default(DEFAULT_SITE)
      .describe('Datadog site to send to, as in the address of its web application. Null: datadoghq.com.'),
  })
  .describe('Datadog Logs.');

export type MonitoringConfig = z.infer<typeof monitoringConfig>;

/** Returns the address of a site's intake. https://docs.datadoghq.com/api/latest/logs/#send-logs */
export function intakeUrl(site: MonitoringConfig['site']): string {
  return `https://http-intake.logs.${site ?? DEFAULT_SITE}`;
}
