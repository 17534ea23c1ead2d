import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPoolShare } from '../../src/database/connections/pool-share.js';
import type { Store } from '../../src/database/store.js';
import { AttemptRecorder } from '../../src/delivery/attempts/attempt-recorder.js';
import { LaneGroups } from '../../src/delivery/attempts/lane-groups.js';
import { settlementOf } from '../../src/delivery/attempts/settlement.js';
import { unobserved } from '../../src/delivery/delivery-observer.js';
import { WitnessLog } from '../../src/delivery/epochs/witness-log.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import type { Lease, Settlement } from '../../src/delivery/lanes/lane.js';
import { newId } from '../../src/ids/id.js';
import { createLogger } from '../../src/logging/logger.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import type { Outcome } from '../../src/targets/target.js';
import { until } from '../../tools/harness/until.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { attemptsOf, laneOf, seedAccount, seedDestination, seedEvents } from './support/seed.js';

/** More than the connections of the pool. */
const FAILING = 40;
const POOL_SIZE = 10;
const MINUTE = 60_000;
const schedule = { baseMs: MINUTE, capMs: MINUTE };
const policy = { retry: schedule, misconfigured: schedule, deadlineMs: 60 * MINUTE };
const timeout: Outcome = { kind: 'retry', reason: { code: 'timeout', message: 'no response' } };

let store: Store;
let lanes: LaneStore;
let batches: BatchStore;
let recorder: AttemptRecorder;
let accountId: string;
let holder: Client;
const secrets = new SecretStore(testKeyRing());

beforeAll(async () => {
  store = await createTestStore({ poolSize: POOL_SIZE });
  lanes = new LaneStore(store.db, targetLimits);
  batches = new BatchStore(store.db, 'log.test');
  recorder = new AttemptRecorder({
    lanes,
    failingLanes: lanes.on(openPoolShare(store.pool)),
    groups: new LaneGroups(lanes),
    observer: unobserved,
    witnessLog: new WitnessLog(null, createLogger('fatal')),
    newToken: () => newId('att'),
  });
  accountId = await seedAccount(store);
  holder = new Client({ connectionString: store.connectionString });
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await store.close();
});

async function begun(): Promise<Lease> {
  const seeded = await seedDestination(store, secrets, lanes, accountId);
  await seedEvents(store, [seeded], 1);
  const batchId = newId('bat');
  await lanes.claim(seeded.id, batchId);
  const grant = await lanes.lease(seeded.id, batchId, newId('att'), 10 * MINUTE);
  if (grant.kind !== 'granted') throw new Error(`not granted: ${grant.kind}`);
  return grant.lease;
}

async function settlement(lease: Lease, outcome: Outcome): Promise<Settlement> {
  const deliveries = await batches.load(lease);
  const outcomes = deliveries.map(() => outcome);
  return settlementOf({ deliveries, outcomes, startedAt: new Date(), durationMs: 1, failuresBefore: 0 }, policy);
}

/** The settlements that wait for a lock, each on a connection of its own. */
async function waitingSettlements(): Promise<number> {
  const { rows } = await holder.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting ?? 0;
}

it('settlements of failed attempts leave the connections to destinations that work', async () => {
  const failing: { lease: Lease; failed: Settlement }[] = [];
  for (let number = 0; number < FAILING; number += 1) {
    const lease = await begun();
    failing.push({ lease, failed: await settlement(lease, timeout) });
  }
  const ids = failing.map(({ lease }) => lease.destinationId);
  await holder.query('begin');
  await holder.query('select from delivery_lanes where destination_id = any($1::text[]) for update', [ids]);
  const recording = failing.map(({ lease, failed }) => recorder.record(lease, failed, false));
  await until(async () => (await waitingSettlements()) > 0, 'a settlement waits for its lane');
  // Each of these steps needs a connection.
  const working = await begun();
  const delivered = await settlement(working, { kind: 'delivered' });
  expect(await recorder.record(working, delivered, false)).toMatchObject({ recorded: { outcome: 'healthy' } });
  expect(await waitingSettlements()).toBe(1);
  await holder.query('commit');
  await Promise.all(recording);
  for (const id of ids) {
    expect(await laneOf(store, id)).toMatchObject({ status: 'retrying', failures: 1 });
    expect(await attemptsOf(store, id)).toHaveLength(1);
  }
});

it('the share of a pool uses a tenth of its connections, and one at least', async () => {
  for (const [poolSize, most] of [
    [2, 1],
    [20, 2],
  ] as const) {
    const other = await createTestStore({ poolSize });
    const share = openPoolShare(other.pool);
    const running = Array.from({ length: 6 }, () =>
      sql<{ sharing: number }>`
        select count(*)::int as sharing from pg_stat_activity, pg_sleep(0.1)
        where datname = current_database() and state = 'active' and query like '%as sharing%'`.execute(share),
    );
    const counts = (await Promise.all(running)).map(({ rows }) => rows[0]?.sharing ?? 0);
    expect(Math.max(...counts)).toBeLessThanOrEqual(most);
    // The share is closed with the pool, and not before.
    await share.destroy();
    await sql`select 1`.execute(other.db);
    await other.close();
  }
});
