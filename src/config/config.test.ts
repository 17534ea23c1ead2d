import { describe, expect, it, test } from 'vitest';
import { CREATE_KEY_COMMAND } from '../secrets/key-ring.js';
import { ConfigError, configSchema, describeConfig, readConfig } from './config.js';

const SECRETS_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const COSIGNER = 'cosigner.example.com+ce3cf03a+BOL36qZAVZ49bumkuzNKqyS71sNKXSIaSbJhvWkSMzkf';

/** Returns the error message for these settings. */
function errorOf(settings: Readonly<Record<string, string>>): string {
  try {
    readConfig(settings);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('the settings are valid');
}

test('all settings are optional, and an empty variable counts as unset', () => {
  expect(readConfig(Object.fromEntries(Object.keys(configSchema.shape).map((name) => [name, ''])))).toEqual(
    readConfig({}),
  );
  expect(readConfig({})).toMatchObject({
    ROLES: ['api', 'worker'],
    PORT: 4700,
    SERVICE_DOMAINS: ['waybill.internal'],
  });
});

test('lists may contain spaces', () => {
  const config = readConfig({ ROLES: 'worker , api', DNS_SERVERS: '10.0.0.1, [::1]:53,::1,10.0.0.2:5353' });
  expect(config.ROLES).toEqual(['worker', 'api']);
  expect(config.DNS_SERVERS).toEqual(['10.0.0.1', '[::1]:53', '::1', '10.0.0.2:5353']);
});

test.each([
  ['false', 0],
  ['1', 1],
  ['32', 32],
  ['10.0.0.0/8', ['10.0.0.0/8']],
  ['10.0.0.1, fd00::/8', ['10.0.0.1', 'fd00::/8']],
])('TRUST_PROXY=%s names the proxies', (TRUST_PROXY, proxies) => {
  expect(readConfig({ TRUST_PROXY }).TRUST_PROXY).toEqual(proxies);
});

describe('an invalid setting', () => {
  it.each([
    ['ROLES', 'foo', 'ROLES is "foo". Set it to api, worker or both, comma-separated.'],
    ['PORT', '70000', 'PORT is "70000". Set it to a whole number from 0 to 65535.'],
    ['PORT', '80.5', 'PORT is "80.5". Set it to a whole number from 0 to 65535.'],
    ['RETENTION_DELIVERED_DAYS', '0', 'is "0". Set it to a number above 0, at most 3650.'],
    [
      'TRUST_PROXY',
      'true',
      'TRUST_PROXY is "true", which would believe an address that any client can send. Set it to the number of proxies in front of the service, such as 1, or to their addresses, such as 10.0.0.0/8.',
    ],
    ['TRUST_PROXY', '0.0.0.0/0', 'TRUST_PROXY has a range of all addresses, which would believe every client.'],
    ['TRUST_PROXY', '10.0.0.1,::/0', 'TRUST_PROXY has a range of all addresses'],
    ['TRUST_PROXY', '::ffff:0:0/96', 'TRUST_PROXY has a range of all addresses'],
    [
      'TRUST_PROXY',
      'yes',
      'TRUST_PROXY is "yes". Set it to false, a number from 1 to 32, or IP addresses and ranges such as 10.0.0.0/8, comma-separated.',
    ],
    ...['0', '33', '-1', '10.0.0.0/33', '10.0.0.0/', 'fe80::1%eth0', '::1/129', '10.0.0.1,', 'localhost'].map(
      (value): [string, string, string] => [
        'TRUST_PROXY',
        value,
        `TRUST_PROXY is "${value}". Set it to false, a number`,
      ],
    ),
    [
      'PUBLIC_URL',
      'waybill.example.com',
      'is "waybill.example.com". Set it to a URL such as https://waybill.example.com, without user, password, query or fragment.',
    ],
    ['PUBLIC_URL', 'https://waybill.example.com/#api', 'is "https://waybill.example.com/#api". Set it to a URL'],
    ['PUBLIC_URL', 'https://waybill.example.com/?', 'is "https://waybill.example.com/?". Set it to a URL'],
    ['HOST', '0.0.0.0:4700', 'HOST is "0.0.0.0:4700". Set it to an IP address or a host name.'],
    [
      'SERVICE_DOMAINS',
      'a.example,Example',
      'is "a.example,Example". Set it to host names in lower case, comma-separated.',
    ],
    ['DNS_SERVERS', '10.0.0.300', 'is "10.0.0.300". Set it to IP addresses with optional ports, comma-separated.'],
    ['DNS_SERVERS', '10.0.0.1:70000', 'is "10.0.0.1:70000".'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'production', 'is "production". Set it to name=value, comma-separated.'],
  ])('%s=%s is reported with its value and the accepted values', (name, value, message) => {
    expect(errorOf({ [name]: value })).toContain(message);
  });

  it('has one line, and all are reported at once', () => {
    const lines = errorOf({ ROLES: 'foo,bar', PORT: 'x', SECRETS_KEYS: 'k1' }).split('\n');
    expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(['Invalid', 'PORT', 'ROLES', 'SECRETS_KEYS', 'See']);
  });

  it('is a misspelt one, which is reported with the others', () => {
    const lines = errorOf({ REDIS_ULR: 'redis://:hunter2@localhost', PORT: 'x' }).split('\n');
    expect(lines.map((line) => line.trim())).toEqual([
      'Invalid settings:',
      'REDIS_ULR is not a setting: did you mean REDIS_URL? If another program reads it, set REDIS_URL too, or set it to nothing (REDIS_URL=).',
      'PORT is "x". Set it to a whole number from 0 to 65535.',
      'See docs/configuration.md.',
    ]);
    expect(readConfig({ REDIS_ULR: 'redis://localhost', REDIS_URL: '' }).REDIS_URL).toBeUndefined();
  });

  it.each([
    ['REDIS_URL', 'hunter2@localhost:6379', 'has no scheme ("…://")'],
    ['REDIS_URL', 'http://:hunter2@localhost', 'is "http://…"'],
    ['REDIS_URL', 'redis://:hunter2/x@localhost', 'write "/" as %2F'],
    ['REDIS_URL', 'redis://:hunter2%zz@localhost', 'write "/" as %2F'],
    ['REDIS_URL', 'redis://hunter2#x@localhost', 'write "/" as %2F'],
    ['REDIS_URL', 'redis://localhost/hunter2', 'Set it to a URL such as redis://localhost:6379'],
    ['REDIS_URL', 'redis:hunter2', 'Set it to a URL such as redis://localhost:6379'],
    ['DATABASE_URL', 'mysql://root:hunter2@localhost/x', 'is "mysql://…"'],
    ['DATABASE_URL', 'postgres://u:hunter2#@localhost/x', 'Set it to a URL such as postgres://user:password@'],
    ['SECRETS_KEYS', 'hunter2', CREATE_KEY_COMMAND],
    [
      'METRICS_TOKEN',
      'hunter2',
      'is invalid; its value is secret and not shown. Set it to 16 to 200 printable ASCII characters.',
    ],
    ['PUBLIC_URL', 'ftp://me:hunter2@example.com/', 'is "ftp://…@example.com/"'],
    ['PUBLIC_URL', 'me:hunter2@example.com', 'is "…@example.com"'],
    ['PUBLIC_URL', 'https://me:hunter2@example.com', 'is "https://…@example.com". Set it to a URL'],
    ['PUBLIC_URL', 'https://hunter2@example.com', 'is "https://…@example.com". Set it to a URL'],
    ['PUBLIC_URL', 'https://example.com/?env=hunter2', 'is "https://example.com/?…". Set it to a URL'],
    ['SAML_URL', 'https://me:hunter2@example.com', 'is "https://…@example.com". Set it to a URL'],
    ['EXPORT_BUCKET_ENDPOINT', 'https://me:hunter2@example.com', 'is "https://…@example.com". Set it to a URL'],
    ['PROOF_SIGNER', 'https://me:hunter2@kms.example.com', '"https://…" (the rest is secret). Set it to a URL without'],
    ['PROOF_SIGNER', 'https://kms.example.com:hunter2/', '"https://…" (the rest is secret). Set it to a URL without'],
    ['PROOF_COSIGNERS', `${COSIGNER}=https://me:hunter2@example.com`, 'is "…@example.com". Set it to verifier key=URL'],
    ['PROOF_COSIGNERS', `${COSIGNER}=https://example.com/?key=hunter2`, '…". Set it to verifier key=URL'],
    ['LOG_INGESTION_ENDPOINT', 'htps://example.com/?sig=hunter2', 'is "htps://example.com/?…"'],
  ])('%s=%s is reported without its password', (name, value, message) => {
    const error = errorOf({ SECRETS_KEYS, [name]: value });
    expect(error).toContain(message);
    expect(error).not.toContain('hunter2');
  });
});

test.each([
  ['DATABASE_URL', 'postgresql:///waybill?host=/run/postgresql'],
  ['DATABASE_URL', 'postgres://waybill:pw@/waybill?host=/run/postgresql'],
  ['DATABASE_URL', 'postgres://waybill:p%2Fw@[::1]:5432/waybill?sslmode=require'],
  ['REDIS_URL', 'rediss://:p%23w@cache.example.com:6380/2'],
  ['REDIS_URL', 'redis://localhost'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://user:pw@otlp.example.com/?tenant=1'],
])('%s=%s is valid', (name, value) => {
  expect(readConfig({ SECRETS_KEYS, [name]: value })).toMatchObject({ [name]: value });
});

test('the address of a cosigner, and of a signer with its query, are valid', () => {
  const config = readConfig({
    PROOF_COSIGNERS: `${COSIGNER}=https://cosigner.example.com/logs/`,
    PROOF_SIGNER: 'https://kms.example.com/sign?key=logs',
    PROOF_SIGNER_KEY: Buffer.alloc(32).toString('base64'),
  });
  expect(config).toMatchObject({
    PROOF_COSIGNERS: [{ vkey: COSIGNER, url: 'https://cosigner.example.com/logs' }],
    PROOF_SIGNER: 'https://kms.example.com/sign?key=logs',
  });
});

describe('settings that contradict each other', () => {
  it.each(['DELIVERY', 'DELIVERY_MISCONFIGURED', 'CERTIFICATE'])(
    'are an initial backoff of %s above its maximum',
    (of) => {
      const [base, cap] = [`${of}_BACKOFF_BASE_MS`, `${of}_BACKOFF_CAP_MS`];
      expect(errorOf({ [base]: '5000', [cap]: '4999' })).toContain(
        `${base} (5000) is above ${cap} (4999): the initial backoff cannot exceed the maximum.`,
      );
      expect(errorOf({ [cap]: '20' })).toMatch(
        new RegExp(String.raw`${base} \(\d+, its default\) is above ${cap} \(20\)`),
      );
      expect(readConfig({ [base]: '5000', [cap]: '5000' })).toMatchObject({ [base]: 5000 });
    },
  );

  it('are DATABASE_URL without SECRETS_KEYS', () => {
    const DATABASE_URL = 'postgres://localhost/waybill';
    expect(errorOf({ DATABASE_URL })).toContain(`SECRETS_KEYS is not set.`);
    expect(errorOf({ DATABASE_URL })).toContain(CREATE_KEY_COMMAND);
    expect(readConfig({ DATABASE_URL, SECRETS_KEYS })).toMatchObject({ DATABASE_URL });
  });

  it('are two servers on the same port', () => {
    const DATA_PLANE_KEY = 'k'.repeat(24);
    expect(errorOf({ DATA_PLANE_KEY, DATA_PLANE_PORT: '4700' })).toContain(
      'DATA_PLANE_PORT (4700) equals PORT (4700, its default)',
    );
    for (const hosts of [
      { HOST: '0.0.0.0', DATA_PLANE_HOST: '10.0.0.1' },
      { HOST: '10.0.0.1', DATA_PLANE_HOST: '::' },
    ])
      expect(errorOf({ DATA_PLANE_KEY, DATA_PLANE_PORT: '4700', ...hosts })).toContain(
        'DATA_PLANE_PORT (4700) equals PORT',
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

describe('the key of the configuration', () => {
  const DATA_PLANE_CONFIG_KEY = 'c'.repeat(24);

  it('is not the key for reports', () => {
    expect(errorOf({ DATA_PLANE_CONFIG_KEY, DATA_PLANE_KEY: DATA_PLANE_CONFIG_KEY })).toContain(
      'equals DATA_PLANE_KEY',
    );
    expect(readConfig({ DATA_PLANE_CONFIG_KEY, DATA_PLANE_KEY: 'd'.repeat(24) })).toBeDefined();
  });

  it('requires a log level that records its use', () => {
    expect(errorOf({ DATA_PLANE_CONFIG_KEY, LOG_LEVEL: 'warn' })).toContain('LOG_LEVEL (warn)');
    expect(readConfig({ DATA_PLANE_CONFIG_KEY, LOG_LEVEL: 'debug' })).toBeDefined();
  });

  it('opens the port of the data-plane API', () => {
    expect(errorOf({ DATA_PLANE_CONFIG_KEY, DATA_PLANE_PORT: '4700' })).toContain('DATA_PLANE_PORT (4700) equals PORT');
  });
});

test('settings are logged without secrets', () => {
  const config = readConfig({ SECRETS_KEYS, REDIS_URL: 'redis://:hunter2@localhost' });
  const described = describeConfig(config);
  expect(described).toMatchObject({ SECRETS_KEYS: '[set]', REDIS_URL: '[set]', DATABASE_URL: undefined });
  expect(JSON.stringify(described)).not.toContain('hunter2');
});
