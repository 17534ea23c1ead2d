import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { RecoveryStore } from '../../src/destinations/recoveries/recovery-store.js';
import { createTestStore } from '../support/database.js';
import { seedAccount } from './support/seed.js';

let store: Store;
let accountId: string;
beforeAll(async () => {
  store = await createTestStore();
  accountId = await seedAccount(store);
});
afterAll(() => store.close());

it('goes on once, and counts all, when a step took so long that another process has repeated it', async () => {
  const recoveries = new RecoveryStore(store.db);
  await store.pool.query(
    `insert into recoveries (id, account_id, states, from_time, to_time, principal_id, principal_subject)
     values ('rcv_1', $1, '{rejected}', now(), now(), 'usr_1', 'Ada')`,
    [accountId],
  );
  const slow = await recoveries.claim();
  await store.pool.query(`update recoveries set claimed_until = now() - interval '1 second'`);
  const other = await recoveries.claim();
  if (!slow || !other) throw new Error('The recovery was not claimed.');
  const done = { destinationId: 'ed_2', state: null, from: new Date() };
  await recoveries.advance(other, 1, done);
  const next = await recoveries.claim();
  if (!next) throw new Error('The recovery was not claimed.');
  await recoveries.advance(slow, 3, done);
  await recoveries.advance(next, 4, { ...done, destinationId: 'ed_1' });
  const recovery = await recoveries.find(accountId, 'rcv_1');
  expect(recovery).toMatchObject({ redelivered: 8, destinations_done: 2, at_destination_id: 'ed_1' });
});
