import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccountStore } from '../../src/accounts/account-store.js';
import { OperatorAccounts } from '../../src/operator-accounts.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
let operator: OperatorAccounts;
beforeAll(async () => {
  api = await startTestApi({ QUOTAS: 'api_key=2' });
  operator = new OperatorAccounts(api.store.db, api.baseUrl);
});
afterAll(() => api.close());

test('the only account need not be named', async () => {
  const key = await operator.createAdminKey(undefined, 'for the only account');
  expect(key.accountId).toBe(api.accountId);
});

test('the first account is the oldest one, also after a clock went back', async () => {
  const accounts = new AccountStore(api.store.db);
  const lower = `${api.accountId.slice(0, 5)}${'0'.repeat(api.accountId.length - 5)}`;
  await accounts.create(lower, 'with the id of an earlier time');
  expect([await accounts.isFirst(api.accountId), await accounts.isFirst(lower)]).toEqual([true, false]);
  expect((await accounts.list())[0]?.id).toBe(api.accountId);
});

describe('a new account', () => {
  test('has an admin, whose key works and sees nothing of other accounts', async () => {
    const made = await operator.create('second');
    const client = api.client(made.token);
    await api.admin.create('/bot_users', { name: 'of the first account' });
    expect((await client.get('/bot_users')).body.bot_users).toEqual([]);
    expect((await client.get('/api_keys')).body.keys).toMatchObject([
      { id: made.keyId, owner_id: made.adminId, created_by_key_id: null, token: null },
    ]);
    // Only an admin may.
    expect((await client.post('/bot_users', { name: 'a' })).status).toBe(201);
  });

  test('is listed with the number of its admin keys', async () => {
    const made = await operator.create('listed "here"');
    await operator.createAdminKey(made.accountId, 'another');
    const client = api.client(made.token);
    expect((await client.post('/bot_users', { name: 'a' })).status).toBe(201);
    expect(await operator.list()).toContainEqual({
      id: made.accountId,
      name: 'listed "here"',
      createdAt: expect.any(Date) as Date,
      adminKeys: 2,
    });
  });
});

describe('an admin key of the operator', () => {
  test('is an event of its account by the operator, and is stored as a hash only', async () => {
    const made = await operator.create('audited');
    const { keyId, token } = await operator.createAdminKey(made.accountId, 'spare');
    const client = api.client(token);
    const { events } = (await client.get('/events?type=api_key_created.v0&limit=1')).body as {
      events: { payload: Record<string, unknown> }[];
    };
    expect(events[0]?.payload).toMatchObject({
      object: (await client.get(`/api_keys/${keyId}`)).body,
      principal: { id: 'system', subject: 'system:operator', credential: null },
    });
    const { rows } = await api.store.pool.query('select t::text, r::text from api_tokens t, resources r');
    expect(JSON.stringify(rows)).not.toContain(token.slice(-64));
  });

  test('is made although the quota is used up, and a key of a client is not', async () => {
    const made = await operator.create('full');
    const client = api.client(made.token);
    expect((await client.post('/api_keys', {})).status).toBe(201);
    expect((await client.post('/api_keys', {})).body.error_code).toBe('quota_exceeded');
    const { token } = await operator.createAdminKey(made.accountId, 'spare');
    expect((await api.client(token).get('/api_keys')).status).toBe(200);
  });

  test('needs an account that exists, and its id where there are several', async () => {
    await operator.create('one more');
    await expect(operator.createAdminKey('acct_none', 'x')).rejects.toThrow('There is no account acct_none.');
    await expect(operator.createAdminKey(undefined, 'x')).rejects.toThrow('There are several accounts');
  });
});
