import { hostname } from 'node:os';
import { z } from 'zod';
import { tokenOf } from '../lifecycle/provide.js';
import { KeyRing, KeyRingError } from '../secrets/key-ring.js';
import { configErrors } from './config-errors.js';
import { crossFieldErrors } from './cross-field-checks.js';
import { misspellingError, misspeltSettings } from './misspelt-settings.js';
import { settingOf } from './setting.js';
import { trustedProxies } from './trusted-proxies.js';
import {
  amount,
  baseUrl,
  cosigners,
  dnsServers,
  flag,
  hostNamePattern,
  hostNames,
  httpUrl,
  integer,
  listenHost,
  listOf,
  numbersByName,
  optionalInteger,
  pairs,
  postgresUrl,
  publicKey,
  redisUrl,
  shaped,
  signer,
  text,
  token,
} from './value-kinds.js';

/** Highest limit of requests per minute. */
const MOST_REQUESTS = 10_000_000;

/** Highest limit of API keys. */
const MOST_KEYS = 1_000_000;

/**
 * All settings. Only `readConfig` reads them from the environment. SDKs read some variables of their own: AWS
 * credentials, and a few of the OTLP exporter (docs/metrics.md). `docs/configuration.md` is generated from the
 * descriptions.
 */
export const configSchema = z.object({
  HOST: listenHost.default('127.0.0.1').describe('Address to listen on. Containers set 0.0.0.0.'),
  PORT: integer(4700, 0, 65_535).describe('Port of the API, the docs and the dashboard. 0: any free port.'),
  PUBLIC_URL: baseUrl('https://waybill.example.com')
    .optional()
    .describe('Base of every `uri` in responses and events. Unset: the origin of the request.'),
  SAML_URL: baseUrl('https://login.example.com')
    .optional()
    .describe(
      'Base of the addresses of SAML service providers. The data plane answers there. Unset: PUBLIC_URL, else the address that the process listens on.',
    ),
  ROLES: listOf(z.enum(['api', 'worker']), '`api`, `worker` or both')
    .prefault('api,worker')
    .describe('What this process does: serve the API, deliver events, or both.'),
  DATA_DIR: text('the path of a folder')
    .default('.waybill')
    .describe('Folder of the embedded Postgres and its key file. Used only without DATABASE_URL.'),
  DATABASE_URL: postgresUrl
    .optional()
    .describe('Postgres 15 or later. Unset: an embedded Postgres under DATA_DIR.')
    .meta({ secret: true }),
  DATABASE_POOL_SIZE: integer(32, 2, 200).describe(
    'Maximum number of Postgres connections for the queries of this process. Postgres must accept those of all processes, and ten more for each. Most of them are the turns of requests: see docs/decisions/limits.md.',
  ),
  REDIS_URL: redisUrl
    .optional()
    .describe(
      'Redis 7 or later, or Valkey, for the queues and the shared rate limit. Unset: the queues are in Postgres.',
    )
    .meta({ secret: true }),
  QUEUE_PREFIX: shaped(
    /^[a-z][a-z0-9_]{0,30}$/,
    'up to 31 lower-case letters, digits and underscores, the first a letter',
  )
    .default('waybill')
    .describe('Prefix of the queue keys in Redis, schema of the queues in Postgres.'),
  WITNESS_FILE: text('the path of a file')
    .optional()
    .describe(
      'File outside the database that remembers the highest number of each destination, to notice a restored database. Redis is such a witness as well.',
    ),
  SECRETS_KEYS: text('keys as `id:base64 of 32 bytes`, comma-separated')
    .superRefine((keys, context) => {
      const error = keyRingError(keys);
      if (error !== null) context.addIssue(error);
    })
    .optional()
    .describe(
      'Keys that encrypt secrets at rest. The first key encrypts, all keys decrypt. Required with DATABASE_URL. Otherwise a key file is created under DATA_DIR.',
    )
    .meta({ secret: true }),
  BOOTSTRAP_API_KEY: token(24)
    .optional()
    .describe('API key of the first admin, used at the first start instead of a generated key.')
    .meta({ secret: true }),
  DATA_PLANE_KEY: token(24)
    .optional()
    .describe(
      'Key of the agents’ gateway for its reports to the data-plane API. Unset: no reports. Without this key and DATA_PLANE_CONFIG_KEY there is no data-plane API.',
    )
    .meta({ secret: true }),
  DATA_PLANE_CONFIG_KEY: token(24)
    .optional()
    .describe(
      'Key for the configuration in the data-plane API: edges, routes, policies and certificates of all accounts, with their secrets in plain text. Unset: no configuration there.',
    )
    .meta({ secret: true }),
  DATA_PLANE_HOST: listenHost
    .default('127.0.0.1')
    .describe('Address that the data-plane API listens on. It must not be reachable from the internet.'),
  DATA_PLANE_PORT: integer(4701, 0, 65_535).describe('Port of the data-plane API. 0: any free port.'),
  RATE_LIMIT_PER_MINUTE: integer(1200, 0, MOST_REQUESTS).describe(
    'Requests per minute for each API key (token bucket). 0: no limit.',
  ),
  RATE_LIMIT_PER_MINUTE_PRINCIPAL: optionalInteger(0, MOST_REQUESTS).describe(
    'Requests per minute for each principal, with all of its API keys. Unset: 2 × RATE_LIMIT_PER_MINUTE. 0: no limit.',
  ),
  RATE_LIMIT_PER_MINUTE_ACCOUNT: optionalInteger(0, MOST_REQUESTS).describe(
    'Requests per minute for each account, with all of its principals. Unset: 10 × RATE_LIMIT_PER_MINUTE. 0: no limit.',
  ),
  RATE_LIMIT_PER_MINUTE_EVENTS: optionalInteger(0, MOST_REQUESTS).describe(
    'Published events per minute for each account. A request that publishes counts as one request as well. Unset: 500 × RATE_LIMIT_PER_MINUTE. 0: no limit.',
  ),
  UNKNOWN_KEYS_PER_MINUTE: integer(60, 0, MOST_REQUESTS).describe(
    'Unknown API keys, sign-in codes, cookies, keys of the data-plane API and SAML routes per minute from one client address, in each process. Above that, keys that were not used before are looked up one at a time, and unknown ones are refused. 0: no limit.',
  ),
  QUOTAS: numbersByName
    .optional()
    .describe(
      'Most resources of a family that an account can create, where it is not the default below: `ip_policy=20000,api_key=100`. 0: no limit.',
    ),
  API_KEYS_PER_PRINCIPAL: integer(100, 0, MOST_KEYS).describe(
    'Most API keys that a principal can create for itself. Admins are not limited, and all keys count against the quota of the account. 0: no limit.',
  ),
  MAX_BODY_BYTES: integer(262_144, 1024, 16_777_216).describe('Largest request body, in bytes.'),
  TRUST_PROXY: trustedProxies
    .prefault('false')
    .describe(
      'Proxies in front of the service, whose X-Forwarded-For, -Host and -Proto headers are believed: how many, or their addresses. See docs/operations.md.',
    ),
  DASHBOARD_WRITE: flag(false).describe(
    'Allow changes to jobs in the queue dashboard. Otherwise the dashboard is read-only.',
  ),
  WORKER_CONCURRENCY: integer(10, 1, 500).describe(
    'Number of batches that a worker process sends at once, for each kind of target.',
  ),
  // Node's built-in HTTP client ends a call after five minutes, regardless of other settings.
  DELIVERY_SEND_TIMEOUT_MS: integer(30_000, 100, 300_000).describe(
    'Timeout of an attempt, usually one call to the target. Also the timeout of a call to a token service.',
  ),
  DELIVERY_BACKOFF_BASE_MS: integer(1_000, 10, 600_000).describe(
    'Initial backoff between attempts. It doubles with each failure, with full jitter.',
  ),
  DELIVERY_BACKOFF_CAP_MS: integer(300_000, 10, 86_400_000).describe('Maximum backoff between attempts.'),
  DELIVERY_MISCONFIGURED_BACKOFF_BASE_MS: integer(30_000, 10, 86_400_000).describe(
    'Initial backoff while a destination is misconfigured.',
  ),
  DELIVERY_MISCONFIGURED_BACKOFF_CAP_MS: integer(1_800_000, 10, 86_400_000).describe(
    'Maximum backoff while a destination is misconfigured.',
  ),
  DELIVERY_DEADLINE_HOURS: amount(72, 8760).describe('How long a delivery is attempted before it is `expired`.'),
  BACKFILL_EVENTS_PER_SECOND: integer(200, 1, 1_000).describe(
    'Most events that one backfill sends in a second, and the rate of a backfill that names none.',
  ),
  SWEEP_INTERVAL_MS: integer(5_000, 1_000, 600_000).describe(
    'How often the sweeper looks for lanes whose job is missing.',
  ),
  RETENTION_DELIVERED_DAYS: amount(90, 3650).describe(
    'How long healthy attempts are kept, and delivered deliveries at least: a day of deliveries is removed when RETENTION_UNDELIVERED_DAYS has passed as well.',
  ),
  RETENTION_UNDELIVERED_DAYS: amount(90, 3650).describe(
    'How long failed attempts are kept, and rejected, expired and cancelled deliveries at least: a day of deliveries is removed when RETENTION_DELIVERED_DAYS has passed as well.',
  ),
  RETENTION_EVENTS_DAYS: amount(400, 3650).describe(
    'How long events are kept: up to a twelfth longer, and at least as long as their deliveries.',
  ),
  EXPORT_FOLDER: text('the path of a folder')
    .default('.waybill/exports')
    .describe(
      'Folder of the files of exports. Every api and worker process must reach it, and no other installation may use it. Not used with EXPORT_BUCKET.',
    ),
  EXPORT_BUCKET: shaped(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket')
    .optional()
    .describe(
      'S3 bucket of the files of exports. Credentials: those that the AWS SDK finds. Unset: the files are in EXPORT_FOLDER.',
    ),
  EXPORT_BUCKET_PREFIX: shaped(/^[A-Za-z0-9!_.*'()/-]{1,200}$/, 'up to 200 characters that are safe in a key of S3')
    .default('waybill/exports/')
    .describe('Beginning of the keys in EXPORT_BUCKET. No other installation may use it.'),
  EXPORT_BUCKET_REGION: shaped(/^[a-z0-9-]{1,40}$/, 'the name of a region')
    .optional()
    .describe('Region of EXPORT_BUCKET. Unset: the one that the AWS SDK finds (AWS_REGION).'),
  EXPORT_BUCKET_ENDPOINT: baseUrl('https://minio.example.com:9000')
    .optional()
    .describe('Address of another S3-compatible store, which gets the bucket in the path. Unset: AWS.'),
  EXPORTS_PER_ACCOUNT: integer(3, 1, 100).describe('Most exports of an account that are under way at once.'),
  EXPORT_FILES_PER_ACCOUNT: integer(1_000, 1, 100_000).describe(
    'Most files of exports that an account keeps, with those under way. With as many, no further export is created.',
  ),
  EXPORT_GIB_PER_ACCOUNT: amount(100, 1_000_000).describe(
    'Most GiB of the files of exports that an account keeps. With as many, no further export is created; those under way are finished.',
  ),
  RETENTION_EXPORTS_DAYS: amount(7, 3650).describe('How long the file of an export is kept after it was written.'),
  PROOF_LOG_NAME: shaped(
    /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$/,
    'up to 100 letters, digits, dots, hyphens, underscores, colons and slashes, the first a letter or digit',
  )
    .optional()
    .describe(
      'Name of the logs that prove what was delivered: the beginning of `integrity.log`. It is that of the first start for good. Unset: the host of PUBLIC_URL, else the first of SERVICE_DOMAINS.',
    ),
  PROOF_CHECKPOINT_SECONDS: amount(60, 86_400).describe(
    'How often the log of a destination is signed at most. Each checkpoint is also an event for the destination.',
  ),
  PROOF_COSIGNERS: cosigners
    .optional()
    .describe(
      'Servers of others that sign the checkpoints too (c2sp.org/tlog-witness), each with its verifier key and the URL before `/add-checkpoint`. See docs/decisions/proof.md.',
    ),
  PROOF_SIGNER: signer
    .optional()
    .describe(
      'What signs checkpoints instead of a key in the database: it gets the text, and answers with its signature. Needs PROOF_SIGNER_KEY. See docs/secrets.md.',
    )
    .meta({ secret: true }),
  PROOF_SIGNER_KEY: publicKey.optional().describe('Public key (Ed25519) of PROOF_SIGNER. Set both in every process.'),
  SHUTDOWN_DEADLINE_MS: integer(25_000, 100, 600_000).describe(
    'How long a shutdown waits for batches and requests in progress.',
  ),
  SHUTDOWN_DRAIN_MS: integer(0, 0, 60_000).describe(
    'How long an api reports 503 at /readyz before it closes its port at a shutdown. A load balancer that asks /readyz needs about three of its intervals.',
  ),
  SERVICE_DOMAINS: hostNames
    .prefault('waybill.internal')
    .describe(
      'Domains of the service. A reserved domain below one of them needs no DNS records of the client. The first is the base of generated names.',
    ),
  CNAME_DOMAIN: shaped(hostNamePattern, 'a host name in lower case')
    .optional()
    .describe('Domain of the CNAME targets for custom domains. Unset: `cname.` and the first of SERVICE_DOMAINS.'),
  NAME_SERVERS: hostNames
    .optional()
    .describe(
      'Name servers for the domains of agent ingresses. Unset: `ns1.` and `ns2.` and the first of SERVICE_DOMAINS.',
    ),
  INGRESS_REGIONS: listOf(z.string().regex(/^[a-z][a-z0-9-]{0,30}$/), 'names of lower-case letters, digits and hyphens')
    .prefault('au,eu,ap,us,jp,in,sa')
    .describe('Regions in which an agent ingress has a domain.'),
  DNS_SERVERS: dnsServers
    .optional()
    .describe(
      'Name servers for the DNS checks of a domain before its certificate is issued. Unset: those of the system.',
    ),
  CERTIFICATE_BACKOFF_BASE_MS: integer(60_000, 10, 86_400_000).describe(
    'Initial backoff between DNS checks of a domain that waits for its certificate.',
  ),
  CERTIFICATE_BACKOFF_CAP_MS: integer(3_600_000, 10, 86_400_000).describe('Maximum backoff between these checks.'),
  CERTIFICATE_ISSUE_TIMEOUT_MS: integer(600_000, 100, 86_400_000).describe(
    'How long the data plane may take to report a certificate that can be issued. After that, provisioning is failing and is retried.',
  ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Minimum level of log lines.'),
  LOG_FORMAT: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe('Format of log lines. `auto`: readable lines in a terminal, JSON everywhere else.'),
  METRICS_TOKEN: token(16)
    .optional()
    .describe('Bearer token for `GET /metrics` of this process (Prometheus). Unset: no metrics.')
    .meta({ secret: true }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl('http://localhost:4318')
    .optional()
    .describe('Base URL of the OTLP/HTTP collector for traces. Unset: no tracing.')
    .meta({ secret: true }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl('http://localhost:4318/v1/traces')
    .optional()
    .describe('Full URL for traces, if it is not `/v1/traces` below OTEL_EXPORTER_OTLP_ENDPOINT.')
    .meta({ secret: true }),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/protobuf', 'http/json'])
    .default('http/protobuf')
    .describe('Encoding of traces.'),
  OTEL_EXPORTER_OTLP_HEADERS: pairs
    .optional()
    .describe('Headers sent to the collector, percent-encoded.')
    .meta({ secret: true }),
  OTEL_SERVICE_NAME: z.string().default('waybill').describe('Name of the service in traces.'),
  OTEL_RESOURCE_ATTRIBUTES: pairs.optional().describe('Additional resource attributes in traces, percent-encoded.'),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on')
    .describe('Which traces are recorded.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of traces that a `traceidratio` sampler records.'),
  OTEL_BSP_SCHEDULE_DELAY: integer(5_000, 10, 600_000).describe(
    'Maximum delay before a finished span is sent, in milliseconds.',
  ),
  OTEL_SDK_DISABLED: flag(false).describe('Turns tracing off, regardless of other settings.'),
  INSTANCE_NAME: z.string().default(hostname()).describe('Name of this process in logs and in the queue store.'),
  MONITORING_ENDPOINT: httpUrl('http://localhost:4710')
    .optional()
    .describe('Replaces Datadog’s hosts (for the sandbox). Do not set in production.'),
  LOG_INGESTION_ENDPOINT: httpUrl('https://localhost:4711')
    .optional()
    .describe('Replaces Azure’s data collection endpoints (for the sandbox). Do not set in production.'),
  LOG_INGESTION_AUTHORITY: httpUrl('https://localhost:4711')
    .optional()
    .describe('Replaces the Entra authority (for the sandbox). Do not set in production.'),
  LOG_INGESTION_CA_FILE: text('the path of a file')
    .optional()
    .describe('PEM file of the certificate authority of the two replacements.'),
});

export type Config = Readonly<z.infer<typeof configSchema>>;
/** The injection token of `Config`. */
export const CONFIG = tokenOf<Config>('Config');

/** Invalid settings. The message lists every invalid setting, what it accepts and what was given. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads and checks the settings. Empty and blank variables count as unset.
 * @throws ConfigError that names every misspelt and every invalid setting; when each is valid by itself, those that
 * contradict each other
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const result = configSchema.safeParse(given);
  const errors = [
    ...misspeltSettings(environment, Object.keys(configSchema.shape)).map(misspellingError),
    ...(result.success
      ? crossFieldErrors(result.data, new Set(Object.keys(given)))
      : configErrors(result.error.issues, configSchema.shape, given)),
  ];
  if (result.success && errors.length === 0) return result.data;
  const lines = errors.map((error) => `  ${error}`);
  throw new ConfigError(`Invalid settings:\n${lines.join('\n')}\nSee docs/configuration.md.`);
}

/** Returns the settings for the log, with secrets masked. */
export function describeConfig(config: Config): Record<string, unknown> {
  const values: Readonly<Record<string, unknown>> = config;
  return Object.fromEntries(
    Object.entries(configSchema.shape).map(([name, schema]) => {
      const secret = settingOf(schema).secret && values[name] !== undefined;
      return [name, secret ? '[set]' : values[name]];
    }),
  );
}

/** Returns what is wrong with a key ring, without repeating it; null when it is valid. */
function keyRingError(keys: string): string | null {
  try {
    KeyRing.parse(keys);
    return null;
  } catch (error) {
    if (error instanceof KeyRingError) return error.message;
    throw error;
  }
}
