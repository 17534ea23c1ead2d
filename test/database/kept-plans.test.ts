import { afterAll, beforeAll, expect, it } from 'vitest';
import { TokenStore } from '../../src/accounts/token-store.js';
import type { Transaction } from '../../src/database/database.js';
import type { Store } from '../../src/database/store.js';
import { PublishStore } from '../../src/events/publishing/publish-store.js';
import { storeResponses } from '../../src/http/idempotency/idempotency-store.js';
import { createTestStore } from '../support/database.js';

let store: Store;
beforeAll(async () => {
  // One connection: its plans are those that are counted.
  store = await createTestStore({ poolSize: 1 });
});
afterAll(() => store.close());

/** Postgres plans the first five executions of a prepared statement by their values. */
const CUSTOM_PLANS = 5;
const EXECUTIONS = 12;

const keys = {
  accountId: 'acc_1',
  types: [{ id: 'rt_1', version: 0 }],
  resources: [{ typeId: 'rt_1', resourceId: 'r' }],
  publisherIds: ['1'],
  eventTypes: ['order_created.v0'],
};
const nothing = { accountId: 'acc_1', events: [], created: [], changed: [] };
const response = {
  apiKeyId: 'ak_1',
  idempotencyKey: '1',
  operationId: 'op_1',
  status: 202,
  headers: '{}',
  keyId: '1',
  nonce: Buffer.from('1'),
  ciphertext: Buffer.from('1'),
};
const publishing = new PublishStore();

it.each<[what: string, part: string, execute: () => Promise<unknown>]>([
  [
    'looks up API keys',
    'from api_tokens',
    () => new TokenStore(store.db).candidates([{ keyId: 'k', tokenHash: Buffer.from('h') }]),
  ],
  ['locks a group of requests', 'skip locked', () => inTransaction((trx) => publishing.lock(trx, keys, 'skips'))],
  ['locks a request', 'for update', () => inTransaction((trx) => publishing.lock(trx, keys, 'waits'))],
  [
    'writes a group of requests',
    'insert into published_resources',
    () => inTransaction((trx) => publishing.write(trx, { ...nothing, createdAt: new Date(), isRuled: false })),
  ],
  [
    'stores the responses of a group',
    'update idempotency_keys',
    () => inTransaction((trx) => storeResponses(trx, [response]).catch(() => null)),
  ],
])('the statement that %s is not planned again for each execution', async (_, part, execute) => {
  const before = new Set((await plans()).map(({ name }) => name));
  for (let count = 0; count < EXECUTIONS; count += 1) await execute();
  const made = (await plans()).filter(({ name, statement }) => !before.has(name) && statement.includes(part));
  expect(made.map(({ custom, generic }) => ({ custom, generic }))).toEqual([
    { custom: CUSTOM_PLANS, generic: EXECUTIONS - CUSTOM_PLANS },
  ]);
});

function inTransaction(work: (trx: Transaction) => Promise<unknown>): Promise<unknown> {
  return store.db.transaction().execute(work);
}

async function plans(): Promise<readonly { name: string; statement: string; custom: number; generic: number }[]> {
  const { rows } = await store.pool.query<{ name: string; statement: string; custom: number; generic: number }>(
    'select name, statement, custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements',
  );
  return rows;
}
