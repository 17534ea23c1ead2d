import { expect, test } from 'vitest';
import { configSchema } from './config.js';
import { misspeltSettings } from './misspelt-settings.js';

const settings = Object.keys(configSchema.shape);

/** Returns the setting that a variable of this name resembles. */
function meantBy(name: string): string | undefined {
  return misspeltSettings({ [name]: 'x' }, settings)[0]?.meant;
}

test.each([
  ['REDIS_ULR', 'REDIS_URL'],
  ['REDIS_UR', 'REDIS_URL'],
  ['REDIS_URLL', 'REDIS_URL'],
  ['REDISURL', 'REDIS_URL'],
  ['redis_url', 'REDIS_URL'],
  ['REDIS-URL', 'REDIS_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['SECRET_KEYS', 'SECRETS_KEYS'],
  ['ROLE', 'ROLES'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['WORKER_CONCURENCY', 'WORKER_CONCURRENCY'],
  ['WORKERS_CONCURENCY', 'WORKER_CONCURRENCY'],
  ['RETENTION_EVENT_DAY', 'RETENTION_EVENTS_DAYS'],
  ['OTEL_EXPORTER_OTLP_ENDPOIN', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
])('%s resembles %s', (name, meant) => {
  expect(meantBy(name)).toBe(meant);
});

/** Variables of shells, npm, containers, clouds, databases and other libraries in the environment of a service. */
const others =
  `PATH HOME USER SHELL TERM LANG LC_ALL PWD OLDPWD SHLVL LOGNAME HOSTNAME HOSTTYPE EDITOR DISPLAY TMPDIR TZ CI COLOR
  INIT_CWD NODE NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS UV_THREADPOOL_SIZE NO_COLOR FORCE_COLOR DEBUG PORTS HOSTS POST SORT
  npm_lifecycle_event npm_config_cache npm_package_name npm_node_execpath http_proxy https_proxy no_proxy HTTP_PROXY
  HTTPS_PROXY NO_PROXY SSL_CERT_FILE XDG_DATA_DIRS XDG_RUNTIME_DIR POSTGRES_PASSWORD POSTGRES_USER POSTGRES_DB PGHOST PGPORT
  PGUSER PGPASSWORD PGDATABASE PGDATA REDIS_HOST REDIS_PORT REDIS_PASSWORD REDIS_DB REDIS_TLS_URL REDISCLI_AUTH DATABASE_HOST
  DATABASE_PORT DATABASE_NAME DATABASE_USER DATABASE_PASSWORD DATABASE_SSL DATABASE_PUBLIC_URL DB_URL MYSQL_URL MONGO_URL
  KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_PORT WAYBILL_PORT WAYBILL_SERVICE_HOST WAYBILL_SERVICE_PORT
  WAYBILL_API_KEY AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_ENDPOINT_URL AWS_ROLE_ARN
  AZURE_CLIENT_ID AZURE_TENANT_ID DD_API_KEY DD_SITE DD_ENV LOG_FILE LOG_DIR SECRET_KEY SECRET_KEY_BASE API_KEY WEB_CONCURRENCY
  PUBLIC_HOST BASE_URL RATE_LIMIT METRICS_PORT SHUTDOWN_TIMEOUT INSTANCE_ID POD_NAME OTEL_LOG_LEVEL OTEL_PROPAGATORS
  OTEL_TRACES_EXPORTER OTEL_METRICS_EXPORTER OTEL_LOGS_EXPORTER OTEL_BSP_EXPORT_TIMEOUT OTEL_BSP_MAX_QUEUE_SIZE
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE OTEL_BLRP_SCHEDULE_DELAY OTEL_BLRP_EXPORT_TIMEOUT OTEL_METRIC_EXPORT_INTERVAL
  OTEL_EXPORTER_OTLP_TIMEOUT OTEL_EXPORTER_OTLP_COMPRESSION OTEL_EXPORTER_OTLP_CERTIFICATE OTEL_EXPORTER_OTLP_TRACES_HEADERS
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL OTEL_EXPORTER_OTLP_TRACES_TIMEOUT OTEL_EXPORTER_OTLP_METRICS_ENDPOINT
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT OTEL_EXPORTER_OTLP_LOGS_PROTOCOL OTEL_ATTRIBUTE_COUNT_LIMIT OTEL_CONFIG_FILE`.split(
    /\s+/,
  );

test('variables of other programs resemble no setting', () => {
  expect(others.length).toBeGreaterThan(100);
  expect(others.filter((name) => meantBy(name) !== undefined)).toEqual([]);
});

test('a setting is no misspelling of another one', () => {
  expect(misspeltSettings({ EXPORTS: 'x' }, ['EXPORTS', 'EXPORTED', 'EXPORT'])).toEqual([]);
  expect(misspeltSettings({ EXPORTT: 'x' }, ['EXPORTS', 'EXPORTED', 'EXPORT'])).toEqual([
    { given: 'EXPORTT', meant: 'EXPORTS' },
  ]);
});

test('a variable without a value, and one beside the setting that it resembles, are not reported', () => {
  expect(misspeltSettings({ REDIS_ULR: ' ' }, settings)).toEqual([]);
  expect(misspeltSettings({ REDIS_ULR: 'x', REDIS_URL: '' }, settings)).toEqual([]);
});
