import { hostname } from 'node:os';
import { z } from 'zod';
import { KeyRing, KeyRingError } from '../secrets/key-ring.js';
import { crossFieldErrors } from './cross-field-checks.js';
import { configErrors } from './config-errors.js';
import { settingOf } from './setting.js';
import {
  amount,
  dnsServers,
  flag,
  hostNamePattern,
  hostNames,
  httpUrl,
  integer,
  listenHost,
  listOf,
  pairs,
  postgresUrl,
  redisUrl,
  shaped,
  text,
  token,
} from './value-kinds.js';

/**
 * Every setting, read from the environment by `readConfig` and from nowhere else; what SDKs read of their own (AWS's identity,
 * a few variables of the OTLP exporter: docs/metrics.md) is not among them. The descriptions are the documentation:
 * `docs/configuration.md` is generated from them.
 */
export const configSchema = z.object({
  HOST: listenHost.default('127.0.0.1').describe('Address to listen on. Containers set 0.0.0.0.'),
  PORT: integer(4700, 0, 65_535).describe('Port of the API, the docs and the dashboard. 0 takes a free one.'),
  PUBLIC_URL: httpUrl('https://waybill.example.com')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('Base of every `uri` in answers and events. Unset: the origin of the request.'),
  ROLES: listOf(z.enum(['api', 'worker']), '`api`, `worker` or both')
    .prefault('api,worker')
    .describe('What this process does: serve the API, deliver events, or both.'),
  DATA_DIR: text('the path of a folder')
    .default('.waybill')
    .describe('Folder of the embedded Postgres and the generated key. Used only without DATABASE_URL.'),
  DATABASE_URL: postgresUrl
    .optional()
    .describe('Postgres 15 or later. Unset: an embedded Postgres under DATA_DIR.')
    .meta({ secret: true }),
  DATABASE_POOL_SIZE: integer(20, 2, 200).describe(
    'Most connections to Postgres that this process opens for its own queries.',
  ),
  REDIS_URL: redisUrl
    .optional()
    .describe(
      'Redis 7 or later, or Valkey, for the queues and the shared rate limit. Unset: the queues live in Postgres.',
    )
    .meta({ secret: true }),
  QUEUE_PREFIX: shaped(
    /^[a-z][a-z0-9_]{0,30}$/,
    'up to 31 lower-case letters, digits and underscores, the first a letter',
  )
    .default('waybill')
    .describe('Prefix of the queue keys in Redis, schema of the queues in Postgres.'),
  SECRETS_KEYS: text('keys as `id:base64 of 32 bytes`, comma-separated')
    .superRefine((keys, context) => {
      const fault = faultOfKeys(keys);
      if (fault !== null) context.addIssue(fault);
    })
    .optional()
    .describe(
      'Key ring that seals secrets at rest; its first key seals, all of them open. Required with DATABASE_URL; otherwise generated under DATA_DIR.',
    )
    .meta({ secret: true }),
  BOOTSTRAP_API_KEY: token(24)
    .optional()
    .describe('API key of the first admin, taken at the first start instead of a generated one.')
    .meta({ secret: true }),
  DATA_PLANE_KEY: token(24)
    .optional()
    .describe(
      'Key that the gateway of the agents shows at the internal interface. Unset: there is no such interface.',
    )
    .meta({ secret: true }),
  DATA_PLANE_HOST: listenHost
    .default('127.0.0.1')
    .describe('Address that the internal interface listens on; never one that the internet reaches.'),
  DATA_PLANE_PORT: integer(4701, 0, 65_535).describe('Port of the internal interface. 0 takes a free one.'),
  RATE_LIMIT_PER_MINUTE: integer(1200, 0, 10_000_000).describe(
    'Requests a minute for each API key (token bucket). 0 turns it off.',
  ),
  MAX_BODY_BYTES: integer(262_144, 1024, 16_777_216).describe('Largest request body, in bytes.'),
  TRUST_PROXY: flag(false).describe('Take client address, scheme and host from X-Forwarded-* headers.'),
  DASHBOARD_WRITE: flag(false).describe('Let the queue dashboard change jobs. Read-only otherwise.'),
  WORKER_CONCURRENCY: integer(10, 1, 500).describe(
    'Batches that a worker process has in flight at once, for each target kind.',
  ),
  // The HTTP client that Node has built in ends a call after five minutes, whatever else is set.
  DELIVERY_SEND_TIMEOUT_MS: integer(30_000, 100, 300_000).describe(
    'Longest that an attempt to deliver a batch may take, which is one call to the target as a rule. Also the longest that a call to a token service may take.',
  ),
  DELIVERY_BACKOFF_BASE_MS: integer(1_000, 10, 600_000).describe(
    'First step of the exponential backoff between attempts (full jitter).',
  ),
  DELIVERY_BACKOFF_CAP_MS: integer(300_000, 10, 86_400_000).describe('Longest wait between attempts.'),
  DELIVERY_MISCONFIGURED_BACKOFF_BASE_MS: integer(30_000, 10, 86_400_000).describe(
    'First step of the backoff while a destination is misconfigured.',
  ),
  DELIVERY_MISCONFIGURED_BACKOFF_CAP_MS: integer(1_800_000, 10, 86_400_000).describe(
    'Longest wait while a destination is misconfigured.',
  ),
  DELIVERY_DEADLINE_HOURS: amount(72, 8760).describe('How long a delivery is tried before it is `expired`.'),
  SWEEP_INTERVAL_MS: integer(5_000, 1_000, 600_000).describe(
    'How often lanes without work in the queue are looked for.',
  ),
  RETENTION_DELIVERED_DAYS: amount(7, 3650).describe('How long delivered events are kept.'),
  RETENTION_UNDELIVERED_DAYS: amount(30, 3650).describe('How long rejected and expired deliveries are kept.'),
  SHUTDOWN_DEADLINE_MS: integer(25_000, 100, 600_000).describe(
    'How long a stopping process waits for its batches and requests.',
  ),
  SERVICE_DOMAINS: hostNames
    .prefault('waybill.internal')
    .describe(
      'Domains of the service itself: a reserved domain below one of them needs no DNS records of the client’s. The first is the base of the names that the service makes.',
    ),
  CNAME_DOMAIN: shaped(hostNamePattern, 'a host name in lower case')
    .optional()
    .describe(
      'Domain of the targets that custom domains are pointed to with CNAME records. Unset: `cname.` and the first of SERVICE_DOMAINS.',
    ),
  NAME_SERVERS: hostNames
    .optional()
    .describe(
      'Name servers that the domains of agent ingresses are handed to. Unset: `ns1.` and `ns2.` and the first of SERVICE_DOMAINS.',
    ),
  INGRESS_REGIONS: listOf(
    z.string().regex(/^[a-z][a-z0-9-]{0,30}$/),
    'names of lower-case letters, digits and hyphens',
  )
    .prefault('au,eu,ap,us,jp,in,sa')
    .describe('Regions that agent ingresses have a domain in.'),
  DNS_SERVERS: dnsServers
    .optional()
    .describe(
      'Name servers that check the records of a domain before a certificate is issued. Unset: those of the system.',
    ),
  CERTIFICATE_BACKOFF_BASE_MS: integer(60_000, 10, 86_400_000).describe(
    'First step of the backoff between checks of the DNS records of a domain that waits for its certificate.',
  ),
  CERTIFICATE_BACKOFF_CAP_MS: integer(3_600_000, 10, 86_400_000).describe(
    'Longest wait between two of those checks.',
  ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe log line that is written.'),
  METRICS_TOKEN: token(16)
    .optional()
    .describe(
      'Bearer token that opens `GET /metrics` of this process (Prometheus). Unset: there are no metrics.',
    )
    .meta({ secret: true }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl('http://localhost:4318')
    .optional()
    .describe('Base URL of the OTLP/HTTP collector that traces go to. Unset: nothing is traced.')
    .meta({ secret: true }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl('http://localhost:4318/v1/traces')
    .optional()
    .describe('Whole URL for traces, where it is not `/v1/traces` below OTEL_EXPORTER_OTLP_ENDPOINT.')
    .meta({ secret: true }),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/protobuf', 'http/json'])
    .default('http/protobuf')
    .describe('How traces are encoded.'),
  OTEL_EXPORTER_OTLP_HEADERS: pairs
    .optional()
    .describe('Headers for the collector, percent-encoded.')
    .meta({ secret: true }),
  OTEL_SERVICE_NAME: z.string().default('waybill').describe('Name of the service in traces.'),
  OTEL_RESOURCE_ATTRIBUTES: pairs.optional().describe('More about this process in traces, percent-encoded.'),
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
    .describe('Share of traces that the samplers with `traceidratio` record.'),
  OTEL_BSP_SCHEDULE_DELAY: integer(5_000, 10, 600_000).describe(
    'Longest that a finished span waits to be sent, in milliseconds.',
  ),
  OTEL_SDK_DISABLED: flag(false).describe('Turns tracing off, whatever else is set.'),
  INSTANCE_NAME: z
    .string()
    .default(hostname())
    .describe('Name of this process in logs and in the queue store.'),
  MONITORING_ENDPOINT: httpUrl('http://localhost:4710')
    .optional()
    .describe('Stand-in for Datadog’s hosts (the sandbox). Never set in production.'),
  LOG_INGESTION_ENDPOINT: httpUrl('https://localhost:4711')
    .optional()
    .describe('Stand-in for Azure’s data collection endpoints (the sandbox). Never set in production.'),
  LOG_INGESTION_AUTHORITY: httpUrl('https://localhost:4711')
    .optional()
    .describe('Stand-in for the Entra authority (the sandbox). Never set in production.'),
  LOG_INGESTION_CA_FILE: text('the path of a file')
    .optional()
    .describe('PEM file of the authority that signed the two stand-ins’ certificates.'),
});

export type Config = Readonly<z.infer<typeof configSchema>>;
/** The injection token of `Config`. */
export const CONFIG = Symbol('Config');

/** Thrown when the environment cannot be used; the message lists every setting that is wrong and how. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the settings from `environment`. Empty and blank variables count as unset. All that can be told without a store is checked here.
 * @throws ConfigError that names every setting that is wrong, at once; where none is by itself, those that contradict each other
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const result = configSchema.safeParse(given);
  const faults = result.success
    ? crossFieldErrors(result.data, new Set(Object.keys(given)))
    : configErrors(result.error.issues, configSchema.shape, given);
  if (result.success && faults.length === 0) return result.data;
  const lines = faults.map((fault) => `  ${fault}`);
  throw new ConfigError(
    `These settings cannot be used:\n${lines.join('\n')}\nEvery setting is described in docs/configuration.md.`,
  );
}

/** The settings as they are printed at boot: secrets masked, so that the log shows which are set and nothing of them. */
export function describeConfig(config: Config): Record<string, unknown> {
  const values: Readonly<Record<string, unknown>> = config;
  return Object.fromEntries(
    Object.entries(configSchema.shape).map(([name, schema]) => {
      const secret = settingOf(schema).secret && values[name] !== undefined;
      return [name, secret ? '[set]' : values[name]];
    }),
  );
}

/** What is wrong with a key ring, in words that hold nothing of it. */
function faultOfKeys(keys: string): string | null {
  try {
    KeyRing.parse(keys);
    return null;
  } catch (error) {
    if (error instanceof KeyRingError) return error.message;
    throw error;
  }
}
