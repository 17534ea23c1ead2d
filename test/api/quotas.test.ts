import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { families } from '../../src/resources/families.js';
import type { ResourceDefinition } from '../../src/resources/framework/definition/definition.js';
import { TestClient, type TestResponse } from '../support/api-client.js';
import { samples } from '../support/samples.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { ADMIN_KEY, startTestService } from '../support/test-service.js';

const all: readonly ResourceDefinition[] = families.map(({ definition }) => definition);
const ofClients = all.filter(({ operations }) => operations === undefined);
const QUOTA = 3;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ QUOTAS: all.map(({ name }) => `${name}=${QUOTA}`).join() });
});
afterAll(() => api.close());

/** Number of the resources of a family that an account has, by its client. */
async function countOf(client: TestClient, kind: string, { store } = api): Promise<number> {
  const { rows } = await store.pool.query<{ count: string }>(
    `select count(*) from resources where kind = $1 and account_id =
       (select account_id from api_tokens where token_hash = sha256($2::bytea))`,
    [kind, client.token],
  );
  return Number(rows[0]?.count);
}

function outcomesOf(answers: readonly TestResponse[]): Record<string, number> {
  const outcomes = answers.map(({ status, body }) => (status === 201 ? '201' : `${status} ${String(body.error_code)}`));
  return Object.fromEntries(
    [...new Set(outcomes)].map((one) => [one, outcomes.filter((other) => other === one).length]),
  );
}

const FULL = '409 quota_exceeded';

describe('the quota', () => {
  /** Higher for families of which the samples of others need resources. */
  const higher: Readonly<Record<string, number>> = {
    https_edge: 20,
    http_response_backend: 20,
    event_destination: 10,
    failover_backend: 10,
    ip_policy: 10,
  };
  let wide: TestApi;
  beforeAll(async () => {
    wide = await startTestApi({ QUOTAS: all.map(({ name }) => `${name}=${mostOf(name)}`).join() });
  });
  afterAll(() => wide.close());
  const mostOf = (name: string) => higher[name] ?? QUOTA;

  it.each(ofClients.map((definition) => [definition.name, definition] as const))(
    'of %s is reached by creates, and not passed',
    async (name, definition) => {
      const sample = samples[name];
      if (!sample) throw new Error(`There is no sample of ${name}.`);
      const client = await wide.addAccount();
      const most = mostOf(name);
      const answers: TestResponse[] = [];
      while (answers.at(-1)?.status !== 409 && answers.length <= most) {
        const collection = (await sample.collection?.(client)) ?? definition.path;
        answers.push(await client.post(collection, await sample.create(client)));
      }
      expect(answers.at(-1)?.body).toMatchObject({ status: 409, error_code: 'quota_exceeded' });
      expect(answers.at(-1)?.body.detail).toContain(`${most} ${definition.title.many}`);
      expect(await countOf(client, name, wide)).toBe(most);
    },
  );
});

/** Bodies of creates that are written in each of the ways of the framework. */
const racing: readonly (readonly [string, string, string, (client: TestClient) => Promise<Record<string, unknown>>])[] =
  [
    ['one statement', 'ip_policy', '/ip_policies', async () => ({})],
    [
      'links',
      'ip_policy_rule',
      '/ip_policy_rules',
      async (client) => ({
        ip_policy_id: (await client.create('/ip_policies', {})).id,
        cidr: '192.0.2.0/24',
        action: 'deny',
      }),
    ],
    ['a behaviour', 'api_key', '/api_keys', async () => ({})],
  ];

describe.each(racing)('creates at the same time, written as %s', (_how, kind, path, bodyFor) => {
  it('do not pass the quota', async () => {
    const client = await api.addAccount();
    const body = await bodyFor(client);
    const before = await countOf(client, kind);
    const answers = await Promise.all(Array.from({ length: 24 }, () => client.post(path, body)));
    expect(outcomesOf(answers)).toEqual({ '201': QUOTA - before, [FULL]: 24 - QUOTA + before });
    expect(await countOf(client, kind)).toBe(QUOTA);
  });

  it('do not pass the quota with an Idempotency-Key', async () => {
    const client = await api.addAccount();
    const body = await bodyFor(client);
    const before = await countOf(client, kind);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => client.post(path, body, { 'idempotency-key': `key ${index}` })),
    );
    expect(outcomesOf(answers)).toEqual({ '201': QUOTA - before, [FULL]: 12 - QUOTA + before });
    const again = answers.findIndex(({ status }) => status === 409);
    const retried = await client.post(path, body, { 'idempotency-key': `key ${again}` });
    expect([retried.status, retried.headers.get('idempotent-replayed')]).toEqual([409, null]);
  });
});

it('a quota of a hundred is reached exactly by creates on many connections of two processes', async () => {
  // With fewer than 64 left, each create counts: here, most take an allowance.
  const QUOTAS = 'ip_policy=100';
  const own = await startTestApi({ QUOTAS });
  const settings = { ROLES: 'api', QUOTAS, RATE_LIMIT_PER_MINUTE: '0' };
  const other = await startTestService(own.store.connectionString, settings);
  try {
    const second = new TestClient(other.url, ADMIN_KEY);
    const answers: TestResponse[] = [];
    const create = async (index: number) => {
      for (let turn = 0; turn < 10; turn += 1)
        answers.push(await (index % 2 === 0 ? own.admin : second).post('/ip_policies', {}));
    };
    await Promise.all(Array.from({ length: 12 }, (_, index) => create(index)));
    expect(outcomesOf(answers)).toEqual({ '201': 100, [FULL]: 20 });
  } finally {
    await other.stop();
    await own.close();
  }
});

it('a deletion makes room for one more', async () => {
  const client = await api.addAccount();
  const made = [];
  for (let index = 0; index < QUOTA; index += 1) made.push(await client.create('/ip_policies', {}));
  expect((await client.post('/ip_policies', {})).status).toBe(409);
  await client.delete(made[0]?.path ?? '');
  expect((await client.post('/ip_policies', {})).status).toBe(201);
  expect((await client.post('/ip_policies', {})).status).toBe(409);
});

it('accounts do not use the quotas of each other', async () => {
  const [one, other] = [await api.addAccount(), await api.addAccount()];
  for (let index = 0; index < QUOTA; index += 1) await one.create('/ip_policies', {});
  expect((await one.post('/ip_policies', {})).status).toBe(409);
  expect((await other.post('/ip_policies', {})).status).toBe(201);
});

it('a quota holds after the allowances were lost, as after a crash of Postgres', async () => {
  const client = await api.addAccount();
  await client.create('/ip_policies', {});
  await api.store.pool.query('truncate resource_allowances');
  const answers = await Promise.all(Array.from({ length: 12 }, () => client.post('/ip_policies', {})));
  expect(outcomesOf(answers)).toEqual({ '201': QUOTA - 1, [FULL]: 12 - QUOTA + 1 });
});

it('another quota counts from the next create on, and 0 is none', async () => {
  const changes = [
    { family: 'ip_policy', path: '/ip_policies', before: 500, after: 3, status: 409 },
    { family: 'bot_user', path: '/bot_users', before: 3, after: 4, status: 201 },
    { family: 'http_response_backend', path: '/backends/http_response', before: 500, after: 2, status: 409 },
    { family: 'failover_backend', path: '/backends/failover', before: 3, after: 0, status: 201 },
  ];
  const bodyOf = (path: string) => (path === '/bot_users' ? { name: 'counted' } : {});
  const own = await startTestApi({ QUOTAS: changes.map(({ family, before }) => `${family}=${before}`).join() });
  try {
    for (const { path } of changes)
      for (let index = 0; index < 3; index += 1) await own.admin.create(path, bodyOf(path));
    const QUOTAS = changes.map(({ family, after }) => `${family}=${after}`).join();
    const service = await startTestService(own.store.connectionString, { ROLES: 'api', QUOTAS });
    const client = new TestClient(service.url, ADMIN_KEY);
    for (const { path, status } of changes)
      expect([path, (await client.post(path, bodyOf(path))).status]).toEqual([path, status]);
    await service.stop();
  } finally {
    await own.close();
  }
});

it('creates far below a quota count once, not each time', async () => {
  const own = await startTestApi({ QUOTAS: 'ip_policy=100000' });
  try {
    for (let index = 0; index < 10; index += 1) {
      const { path } = await own.admin.create('/ip_policies', {});
      await own.admin.delete(path);
    }
    const { rows } = await own.store.pool.query<{ used: number }>(
      "select 100000 - sum(free) as used from resource_allowances where kind = 'ip_policy'",
    );
    // A later count would have found that nothing exists.
    expect(rows).toEqual([{ used: 10 }]);
  } finally {
    await own.close();
  }
});

it('a quota of an unknown family stops the start', async () => {
  const start = startTestService(api.store.connectionString, { ROLES: 'api', QUOTAS: 'ip_policies=3,api_key=1' });
  await expect(start).rejects.toThrow('QUOTAS names ip_policies. The families are');
});

it('endpoints of edges do not use up the quota of endpoints', async () => {
  const client = await api.addAccount();
  const host = 'endpoints-of-edges.example.com';
  const hostports = Array.from({ length: QUOTA + 2 }, (_, index) => `${host}:${9_000 + index}`);
  await client.create('/edges/tcp', { hostports });
  const endpoints = [1, 2, 3, 4].map((port) => client.post('/endpoints', { url: `tcp://${host}:${port}` }));
  expect(outcomesOf(await Promise.all(endpoints))).toEqual({ '201': QUOTA, [FULL]: 1 });
  expect(await countOf(client, 'endpoint')).toBe(QUOTA + hostports.length);
});

describe('API_KEYS_PER_PRINCIPAL', () => {
  const limit = 3;
  let limited: TestApi;
  beforeAll(async () => {
    limited = await startTestApi({ API_KEYS_PER_PRINCIPAL: `${limit}` });
  });
  afterAll(() => limited.close());

  it('limits the keys that a bot user makes for itself, also at the same time', async () => {
    const bot = await limited.addBot();
    const answers = await Promise.all(Array.from({ length: 8 }, () => bot.post('/api_keys', {})));
    // One is the key that the admin gave it.
    expect(outcomesOf(answers)).toEqual({ '201': limit - 1, '409 principal_keys_exceeded': 9 - limit });
    const made = answers.find(({ status }) => status === 201);
    expect((await bot.delete(`/api_keys/${String(made?.body.id)}`)).status).toBe(204);
    expect((await bot.post('/api_keys', {})).status).toBe(201);
    expect((await bot.post('/api_keys', {})).body).toMatchObject({
      error_code: 'principal_keys_exceeded',
      detail: expect.stringContaining(bot.botId) as string,
    });
  });

  it('does not limit an admin, who can give a bot user more keys', async () => {
    const bot = await limited.addBot();
    for (let made = 0; made < limit + 1; made += 1) {
      expect((await limited.admin.post('/api_keys', {})).status).toBe(201);
      expect((await limited.admin.post('/api_keys', { owner_id: bot.botId })).status).toBe(201);
    }
  });

  it('does not limit one bot user by the keys of another', async () => {
    const [one, other] = [await limited.addBot(), await limited.addBot()];
    for (let made = 0; made < limit; made += 1) await one.post('/api_keys', {});
    expect((await other.post('/api_keys', {})).status).toBe(201);
  });
});
