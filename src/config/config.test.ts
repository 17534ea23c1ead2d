import { describe, expect, it, test } from 'vitest';
import { CREATE_KEY_COMMAND } from '../secrets/key-ring.js';
import { ConfigError, configSchema, describeConfig, readConfig } from './config.js';

const SECRETS_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

/** The message that refuses these settings. */
function refusalOf(settings: Readonly<Record<string, string>>): string {
  try {
    readConfig(settings);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

test('nothing needs to be set, and an empty variable counts as unset', () => {
  expect(readConfig(Object.fromEntries(Object.keys(configSchema.shape).map((name) => [name, ''])))).toEqual(
    readConfig({}),
  );
  expect(readConfig({})).toMatchObject({
    ROLES: ['api', 'worker'],
    PORT: 4700,
    SERVICE_DOMAINS: ['waybill.internal'],
  });
});

test('what may be a list is taken with spaces in it', () => {
  const config = readConfig({ ROLES: 'worker , api', DNS_SERVERS: '10.0.0.1, [::1]:53,::1,10.0.0.2:5353' });
  expect(config.ROLES).toEqual(['worker', 'api']);
  expect(config.DNS_SERVERS).toEqual(['10.0.0.1', '[::1]:53', '::1', '10.0.0.2:5353']);
});

describe('a setting that cannot be used', () => {
  it.each([
    ['ROLES', 'foo', 'ROLES takes api, worker or both, comma-separated, not "foo".'],
    ['PORT', '70000', 'PORT takes a whole number from 0 to 65535, not "70000".'],
    ['PORT', '80.5', 'PORT takes a whole number from 0 to 65535, not "80.5".'],
    ['RETENTION_DELIVERED_DAYS', '0', 'takes a number above 0, at most 3650, not "0".'],
    ['TRUST_PROXY', 'yes', 'TRUST_PROXY takes true or false, not "yes".'],
    ['PUBLIC_URL', 'waybill.example.com', 'takes a URL such as https://waybill.example.com, not "waybill'],
    ['HOST', '0.0.0.0:4700', 'HOST takes an IP address or a host name, not "0.0.0.0:4700".'],
    ['SERVICE_DOMAINS', 'a.example,Example', 'takes host names in lower case, comma-separated, not "a.ex'],
    [
      'DNS_SERVERS',
      '10.0.0.300',
      'takes IP addresses with optional ports, comma-separated, not "10.0.0.300".',
    ],
    ['DNS_SERVERS', '10.0.0.1:70000', 'not "10.0.0.1:70000".'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'production', 'takes name=value, comma-separated, not "production".'],
  ])('%s=%s is told what it takes and what was given', (name, value, message) => {
    expect(refusalOf({ [name]: value })).toContain(message);
  });

  it('has one line, and all of them are told at once', () => {
    const lines = refusalOf({ ROLES: 'foo,bar', PORT: 'x', SECRETS_KEYS: 'k1' }).split('\n');
    expect(lines.map((line) => line.trim().split(' ')[0])).toEqual([
      'These',
      'PORT',
      'ROLES',
      'SECRETS_KEYS',
      'Every',
    ]);
  });

  it.each([
    ['REDIS_URL', 'hunter2@localhost:6379', 'not something that does not begin with "…://"'],
    ['REDIS_URL', 'http://:hunter2@localhost', 'not "http://…"'],
    ['REDIS_URL', 'redis://:hunter2/x@localhost', 'write "/" as %2F'],
    ['REDIS_URL', 'redis://:hunter2%zz@localhost', 'write "/" as %2F'],
    ['REDIS_URL', 'redis://hunter2#x@localhost', 'write "/" as %2F'],
    ['REDIS_URL', 'redis://localhost/hunter2', 'takes a URL such as redis://localhost:6379'],
    ['REDIS_URL', 'redis:hunter2', 'takes a URL such as redis://localhost:6379'],
    ['DATABASE_URL', 'mysql://root:hunter2@localhost/x', 'not "mysql://…"'],
    ['DATABASE_URL', 'postgres://u:hunter2#@localhost/x', 'takes a URL such as postgres://user:password@'],
    ['SECRETS_KEYS', 'hunter2', CREATE_KEY_COMMAND],
    ['METRICS_TOKEN', 'hunter2', 'takes 16 to 200 printable ASCII characters, not what it is set to (not'],
    ['PUBLIC_URL', 'ftp://me:hunter2@example.com/', 'not "ftp://…@example.com/"'],
    ['PUBLIC_URL', 'me:hunter2@example.com', 'not "…@example.com"'],
    ['LOG_INGESTION_ENDPOINT', 'htps://example.com/?sig=hunter2', 'not "htps://example.com/?…"'],
  ])('%s=%s shows nobody its password', (name, value, message) => {
    const refusal = refusalOf({ SECRETS_KEYS, [name]: value });
    expect(refusal).toContain(message);
    expect(refusal).not.toContain('hunter2');
  });
});

test.each([
  ['DATABASE_URL', 'postgresql:///waybill?host=/run/postgresql'],
  ['DATABASE_URL', 'postgres://waybill:pw@/waybill?host=/run/postgresql'],
  ['DATABASE_URL', 'postgres://waybill:p%2Fw@[::1]:5432/waybill?sslmode=require'],
  ['REDIS_URL', 'rediss://:p%23w@cache.example.com:6380/2'],
  ['REDIS_URL', 'redis://localhost'],
])('%s=%s can be used', (name, value) => {
  expect(readConfig({ SECRETS_KEYS, [name]: value })).toMatchObject({ [name]: value });
});

describe('settings that contradict each other', () => {
  it.each(['DELIVERY', 'DELIVERY_MISCONFIGURED', 'CERTIFICATE'])(
    'are a backoff of %s that begins above its end',
    (of) => {
      const [base, cap] = [`${of}_BACKOFF_BASE_MS`, `${of}_BACKOFF_CAP_MS`];
      expect(refusalOf({ [base]: '5000', [cap]: '4999' })).toContain(
        `${base} (5000) is above ${cap} (4999): the first wait cannot be longer than the longest.`,
      );
      expect(refusalOf({ [cap]: '20' })).toMatch(
        new RegExp(String.raw`${base} \(\d+, its default\) is above ${cap} \(20\)`),
      );
      expect(readConfig({ [base]: '5000', [cap]: '5000' })).toMatchObject({ [base]: 5000 });
    },
  );

  it('are a database of one’s own and no key for its secrets', () => {
    const DATABASE_URL = 'postgres://localhost/waybill';
    expect(refusalOf({ DATABASE_URL })).toContain(`SECRETS_KEYS is not set.`);
    expect(refusalOf({ DATABASE_URL })).toContain(CREATE_KEY_COMMAND);
    expect(readConfig({ DATABASE_URL, SECRETS_KEYS })).toMatchObject({ DATABASE_URL });
  });

  it('are two servers on one port', () => {
    const DATA_PLANE_KEY = 'k'.repeat(24);
    expect(refusalOf({ DATA_PLANE_KEY, DATA_PLANE_PORT: '4700' })).toContain(
      'DATA_PLANE_PORT (4700) is PORT (4700, its default)',
    );
    for (const hosts of [
      { HOST: '0.0.0.0', DATA_PLANE_HOST: '10.0.0.1' },
      { HOST: '10.0.0.1', DATA_PLANE_HOST: '::' },
    ])
      expect(refusalOf({ DATA_PLANE_KEY, DATA_PLANE_PORT: '4700', ...hosts })).toContain(
        'DATA_PLANE_PORT (4700) is PORT',
      );
    for (const more of [
      { HOST: '10.0.0.1' },
      { DATA_PLANE_KEY: ' ' },
      { PORT: '0', DATA_PLANE_PORT: '0' },
      { ROLES: 'worker' },
    ])
      expect(readConfig({ DATA_PLANE_KEY, DATA_PLANE_PORT: '4700', ...more })).toBeDefined();
  });
});

test('settings are described without secrets', () => {
  const config = readConfig({ SECRETS_KEYS, REDIS_URL: 'redis://:hunter2@localhost' });
  const described = describeConfig(config);
  expect(described).toMatchObject({ SECRETS_KEYS: '[set]', REDIS_URL: '[set]', DATABASE_URL: undefined });
  expect(JSON.stringify(described)).not.toContain('hunter2');
});
