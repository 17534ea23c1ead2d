import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { PruneRounds } from '../../src/delivery/retention/prune-rounds.js';
import { PruneStore } from '../../src/delivery/retention/prune-store.js';
import { Pruner } from '../../src/delivery/retention/pruner.js';
import { newId } from '../../src/ids/id.js';
import { createLogger } from '../../src/logging/logger.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { seedAccount, seedDestination, seedEvents, type SeededDestination } from './support/seed.js';

const DAY = 86_400_000;
const retention = { deliveredMs: 7 * DAY, undeliveredMs: 30 * DAY };
const running = new AbortController().signal;
let store: Store;
let pruner: Pruner;
let destination: SeededDestination;

beforeAll(async () => {
  store = await createTestStore();
  pruner = new Pruner(new PruneStore(store.db), retention, createLogger('silent'));
  const lanes = new LaneStore(store.db, targetLimits);
  destination = await seedDestination(store, new SecretStore(testKeyRing()), lanes, await seedAccount(store));
});
afterAll(() => store.close());

/** Events of an age whose deliveries ended in a state, some time ago. */
async function past(count: number, state: string, days: number): Promise<readonly string[]> {
  const ids = await seedEvents(store, [destination], count, { ageMs: days * DAY });
  if (state !== 'pending') {
    await store.pool.query(
      `update deliveries set state = $2, finished_at = now() - $3 * interval '1 day' where event_id = any($1)`,
      [ids, state, days],
    );
  }
  return ids;
}

async function events(): Promise<Set<string>> {
  const rows = await store.db.selectFrom('events').select('id').execute();
  return new Set(rows.map(({ id }) => id));
}

it('removes what was kept long enough by its state, with its deliveries, and nothing else', async () => {
  // The oldest first: ids are in the order of time.
  const pending = await past(1, 'pending', 60);
  const gone = [...(await past(3, 'rejected', 31)), ...(await past(3, 'expired', 31))];
  const kept = [...pending, ...(await past(2, 'expired', 29)), ...(await past(1, 'rejected', 8))];
  gone.push(...(await past(1_200, 'delivered', 8)));
  kept.push(...(await past(2, 'delivered', 6)), ...(await past(1, 'pending', 0)));

  expect(await pruner.prune(running)).toMatchObject({ events: gone.length });
  expect(await events()).toEqual(new Set(kept));
  const left = await store.db.selectFrom('deliveries').select('event_id').execute();
  expect(new Set(left.map(({ event_id }) => event_id))).toEqual(new Set(kept));
  expect(await pruner.prune(running)).toMatchObject({ events: 0 });
});

it('removes an event that nobody was subscribed to as if it had been delivered', async () => {
  const old = newId('evt');
  const values = { account_id: destination.accountId, type: 't', resource_id: 'r', payload: '{}' };
  const at = (days: number) => new Date(Date.now() - days * DAY);
  await store.db
    .insertInto('events')
    .values({ ...values, id: old, created_at: at(8) })
    .execute();
  const young = newId('evt');
  await store.db
    .insertInto('events')
    .values({ ...values, id: young, created_at: at(6) })
    .execute();
  await pruner.prune(running);
  const left = await events();
  expect(left.has(old)).toBe(false);
  expect(left.has(young)).toBe(true);
});

it('removes attempts, and answers to idempotency keys after a day', async () => {
  const attempt = (outcome: string, days: number) => ({
    batch_id: `${outcome}_${days}`,
    destination_id: destination.id,
    number: 1,
    started_at: new Date(Date.now() - days * DAY),
    duration_ms: 1,
    records: 1,
    delivered: 1,
    retried: 0,
    rejected: 0,
    outcome,
  });
  await store.db
    .insertInto('delivery_attempts')
    .values([attempt('retrying', 31), attempt('retrying', 29), attempt('healthy', 8), attempt('healthy', 6)])
    .execute();
  const key = (name: string, hours: number) => ({
    api_key_id: 'ak_1',
    idempotency_key: name,
    request_hash: Buffer.from('x'),
    operation_id: 'op_1',
    created_at: new Date(Date.now() - hours * 3_600_000),
  });
  await store.db
    .insertInto('idempotency_keys')
    .values([key('old', 25), key('young', 23)])
    .execute();

  expect(await pruner.prune(running)).toMatchObject({ attempts: 2, idempotencyKeys: 1 });
  const attempts = await store.db.selectFrom('delivery_attempts').select('batch_id').execute();
  expect(attempts.map(({ batch_id }) => batch_id)).toEqual(['retrying_29', 'healthy_6']);
  const keys = await store.db.selectFrom('idempotency_keys').select('idempotency_key').execute();
  expect(keys).toEqual([{ idempotency_key: 'young' }]);
});

it('stops between two steps when the process stops', async () => {
  await past(600, 'delivered', 8);
  expect(await pruner.prune(AbortSignal.abort())).toEqual({ events: 0, attempts: 0, idempotencyKeys: 0 });
});

it('keeps an event that is asked for again at this very moment, and does not wait for who asks', async () => {
  const [eventId = ''] = await past(1, 'delivered', 8);
  const asking = await store.pool.connect();
  try {
    await asking.query('begin');
    await asking.query(
      `update deliveries set state = 'pending', redelivered_at = now() where event_id = $1`,
      [eventId],
    );
    await pruner.prune(running);
    await asking.query('commit');
  } finally {
    asking.release();
  }
  await pruner.prune(running);
  const left = await store.db
    .selectFrom('deliveries')
    .select('state')
    .where('event_id', '=', eventId)
    .execute();
  expect(left).toEqual([{ state: 'pending' }]);
});

it('looks at what has come of age, and at a bounded part of what it left standing', async () => {
  const rows = 30_000;
  let steps = 0;
  let ofAge = rows;
  const kept = new Set(Array.from({ length: rows + 100 }, (_, index) => index + 1));
  const rounds = new PruneRounds(0, async (after) => {
    steps += 1;
    const page = [...kept].filter((key) => key > after && key <= ofAge).slice(0, 500);
    for (const key of page) if (key % 1_000 === 7 && gone) kept.delete(key);
    return { last: page.at(-1) ?? null, more: page.length === 500, removed: 0 };
  });
  let gone = false;
  const control = { stopped: running, progressed: () => {} };
  await rounds.turn(control);
  expect(steps).toBe(rows / 500 + 1);
  steps = 0;
  ofAge += 100;
  await rounds.turn(control);
  expect(steps).toBeLessThan(25);
  // What was left standing and may go by now is found in a few turns.
  gone = true;
  for (let turn = 0; turn < 6; turn += 1) await rounds.turn(control);
  expect([...kept].filter((key) => key % 1_000 === 7)).toEqual([]);
});

/** Rounds over the keys up to `last`, one step of which may look at so many rows, as a statement's limit has it. */
function limitedRounds(last: number, most: number) {
  const seen: number[] = [];
  const limit = { most };
  const rounds = new PruneRounds(0, async (after, size) => {
    if (size > limit.most) throw Object.assign(new Error('canceling statement'), { code: '57014' });
    const page = Array.from(
      { length: Math.max(0, Math.min(size, last - after)) },
      (_, index) => after + index + 1,
    );
    seen.push(...page);
    return { last: page.at(-1) ?? null, more: page.length === size, removed: page.length };
  });
  return { rounds, seen, limit };
}

it('tries a step that takes too long with half as many rows, and grows again', async () => {
  const { rounds, seen } = limitedRounds(600, 100);
  const sizes = new Set<number>();
  let before = 0;
  const progressed = (): void => {
    sizes.add(seen.length - before);
    before = seen.length;
  };
  expect(await rounds.turn({ stopped: running, progressed })).toBe(600);
  expect(seen).toEqual(Array.from({ length: 600 }, (_, index) => index + 1));
  // 500 and 250 and 125 were too many (0), and so was each second step, of twice the size.
  expect(sizes).toContain(0);
  expect(Math.max(...sizes)).toBe(62);
});

it('gives up a step of one row that takes too long, and goes on from there in the next turn', async () => {
  const { rounds, seen, limit } = limitedRounds(600, 100);
  const progressed = (): void => {
    if (seen.length > 100) limit.most = 0;
  };
  await expect(rounds.turn({ stopped: running, progressed })).rejects.toThrow('canceling statement');
  const before = seen.length;
  expect(before).toBeLessThan(600);
  limit.most = 500;
  await rounds.turn({ stopped: running, progressed: () => {} });
  expect(seen[before]).toBe(before + 1);
  expect(new Set(seen).size).toBe(600);
});

it('removes events with so many deliveries that a statement ends before 500 of them', async () => {
  const limited = (url: string) => `${url}${url.includes('?') ? '&' : '?'}statement_timeout=500`;
  const slow = await createTestStore({ through: limited });
  try {
    const lanes = new LaneStore(slow.db, targetLimits);
    const secrets = new SecretStore(testKeyRing());
    const one = await seedDestination(slow, secrets, lanes, await seedAccount(slow));
    await seedEvents(slow, [one], 40, { ageMs: 8 * DAY });
    await slow.pool.query(
      `update deliveries set state = 'delivered', finished_at = now() - interval '8 days'`,
    );
    // Each takes as long to remove as one with very many deliveries.
    await slow.pool.query(`create function slowly() returns trigger language plpgsql as $$
      begin perform pg_sleep(0.03); return old; end $$`);
    await slow.pool.query(
      'create trigger slowly before delete on events for each row execute function slowly()',
    );
    const patient = new Pruner(new PruneStore(slow.db), retention, createLogger('silent'));
    expect(await patient.prune(running)).toMatchObject({ events: 40 });
  } finally {
    await slow.close();
  }
}, 30_000);
