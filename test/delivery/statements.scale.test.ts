import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { STORE, type Store } from '../../src/database/store.js';
import { settlementOf } from '../../src/delivery/attempts/settlement.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import type { Lease } from '../../src/delivery/lanes/lane.js';
import type { EndedAttempt } from '../../src/delivery/lanes/settle-statement.js';
import { newId } from '../../src/ids/id.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import type { Service } from '../../src/service.js';
import { targetLimits } from '../../src/targets/registry.js';
import type { Outcome } from '../../src/targets/target.js';
import { TestClient } from '../support/api-client.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { ADMIN_KEY, startTestService } from '../support/test-service.js';
import { finishDeliveries } from './support/finished.js';
import { seedDestination, seedEvents, type SeededDestination } from './support/seed.js';

/** The first line of each file. */
const HEAD = '-- Written by `npx vitest run --project scale test/delivery/statements.scale.test.ts -u`.';

/** The version of the server whose plans are compared. */
const MAJOR_VERSION = 18;

const MINUTE = 60_000;
const schedule = { baseMs: 1, capMs: 1 };
const delivered: Outcome = { kind: 'delivered' };
const policy = { retry: schedule, misconfigured: schedule, deadlineMs: MINUTE };

let store: Store;
let service: Service;
let version: number;
let pools: readonly Pool[];
let lanes: LaneStore;
let batches: BatchStore;
let destinations: readonly SeededDestination[];

beforeAll(async () => {
  store = await createTestStore({ poolSize: 1 });
  service = await startTestService(store.connectionString, { ROLES: 'api', DATABASE_POOL_SIZE: '2' });
  pools = [store.pool, service.app.get<Store>(STORE).pool];
  lanes = new LaneStore(store.db, targetLimits);
  batches = new BatchStore(store.db, 'log.test');
  const { id: accountId } = await store.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const secrets = new SecretStore(testKeyRing());
  const seeded: SeededDestination[] = [];
  for (let count = 0; count < 200; count += 1) seeded.push(await seedDestination(store, secrets, lanes, accountId));
  destinations = seeded;
  await finishDeliveries(store, await seedEvents(store, destinations.slice(0, 10), 2_000), { state: 'delivered' });
  await seedEvents(store, destinations.slice(10), 20);
  await store.pool.query('vacuum analyze');
  const { rows } = await store.pool.query<{ server_version_num: string }>('show server_version_num');
  version = Math.trunc(Number(rows[0]?.server_version_num) / 10_000);
});
afterAll(async () => {
  await service.stop();
  await store.close();
});

/** Returns the statements that are prepared on some connection. */
async function preparedStatements(): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  for (const pool of pools) {
    // Every connection that the pool has, and perhaps a new one.
    const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    for (const client of clients) {
      const { rows } = await client.query<{ statement: string }>('select statement from pg_prepared_statements');
      for (const { statement } of rows) texts.add(statement);
      client.release();
    }
  }
  return texts;
}

/** Returns the statements with `part` that `work` was the first to prepare. */
async function statementsOf(work: () => Promise<unknown>, part: string): Promise<readonly string[]> {
  const before = await preparedStatements();
  await work();
  return [...(await preparedStatements())].filter((text) => !before.has(text) && text.includes(part));
}

/**
 * Expects that the only statement with `part` that `work` was the first to prepare, and its plan for any values, are
 * those of the file.
 */
async function expectFile(name: string, part: string, work: () => Promise<unknown>): Promise<void> {
  const [statement = '', ...others] = await statementsOf(work, part);
  expect(others).toEqual([]);
  const { rows } = await store.pool.query<{ 'QUERY PLAN': string }>(`explain (costs off, generic_plan) ${statement}`);
  const plan = await withoutDays(rows.map((row) => row['QUERY PLAN']));
  const text = [HEAD, '', ...linesOf(statement), ';', '', '-- The plan:', ...plan.map((line) => `-- ${line}`), ''];
  await expect(text.join('\n')).toMatchFileSnapshot(`../../docs/statements/${name}.sql`);
}

/** Returns the lines of a statement, without the indentation that it has in its source. */
function linesOf(statement: string): readonly string[] {
  const [first = '', ...lines] = statement.split('\n').filter((line) => line.trim() !== '');
  const indentation = Math.max(0, (lines[0] ?? '').search(/\S/) - 2);
  return [first.trim(), ...lines.map((line) => line.slice(Math.min(indentation, line.search(/\S/))).trimEnd())];
}

/** Returns a plan with the partition of `events` that has rows, and without the empty ones: days pass. */
async function withoutDays(plan: readonly string[]): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ name: string }>('select max(tableoid::regclass::text) as name from events');
  const day = rows[0]?.name ?? '';
  let leftOut = Infinity;
  return plan.flatMap((line) => {
    const indentation = line.search(/\S/);
    if (indentation > leftOut) return [];
    leftOut = / on events_(\d{8}|default) /.test(line) && !line.includes(` on ${day} `) ? indentation : Infinity;
    if (leftOut < Infinity) return [];
    return [line.replaceAll(day, 'events_<day>').replaceAll(/\bevents_\d+\b/g, 'events')];
  });
}

/** Claims and leases the next batch of a lane. */
async function leased({ id: destinationId }: SeededDestination): Promise<Lease> {
  const batch = await lanes.claim(destinationId, newId('bat'));
  const grant = await lanes.lease(destinationId, batch?.batchId ?? '', newId('att'), MINUTE);
  if (grant.kind !== 'granted') throw new Error(`not granted: ${grant.kind}`);
  return grant.lease;
}

/** Returns an attempt that delivers the first event of a batch, and has this outcome of the others. */
async function attempted(lease: Lease, others: Outcome): Promise<EndedAttempt> {
  const deliveries = await batches.load(lease);
  const outcomes = deliveries.map((_, index) => (index === 0 ? delivered : others));
  const attempt = { deliveries, outcomes, startedAt: new Date(), durationMs: 1, failuresBefore: 0 };
  return { lease, settlement: settlementOf(attempt, policy) };
}

it('of changes and published events are those of docs/statements, with their plans', async ({ skip }) => {
  skip(version !== MAJOR_VERSION, `the plans are those of Postgres ${MAJOR_VERSION}`);
  const client = new TestClient(service.url, ADMIN_KEY);
  await client.create('/resource_types', { name: 'order' });
  const published = { type: 'order_created.v0', resource_id: '1', object: {} };
  const created: string[] = [];
  // Another statement fills the allowances first.
  await expectFile('record-create', 'set free = free - 1', async () => {
    created.push((await client.create('/ip_policies', {})).id);
  });
  await expectFile('record-update', 'update resources', () =>
    client.patch(`/ip_policies/${created[0]}`, { description: 'changed' }),
  );
  await expectFile('publish', 'insert into published_resources', () => client.post('/events', { events: [published] }));
});

it('of lanes are those of docs/statements, with their plans', async ({ skip }) => {
  skip(version !== MAJOR_VERSION, `the plans are those of Postgres ${MAJOR_VERSION}`);
  const [claiming, loading, settling, advancing] = destinations.slice(10);
  if (!claiming || !loading || !settling || !advancing) throw new Error('Too few destinations.');
  const request = { destinationId: claiming.id, batchId: newId('bat') };
  await expectFile('claim', 'asked', () => lanes.claimGroup([request]));
  const leaseRequest = { ...request, token: newId('att'), failingWaitMs: null };
  await expectFile('lease', 'asked', () => lanes.leaseGroup([leaseRequest], MINUTE));
  const lease = await leased(loading);
  await expectFile('load', 'payload', () => batches.load(lease));
  const attempt = await attempted(await leased(settling), {
    kind: 'retry',
    reason: { code: 'busy', message: 'Busy.' },
  });
  await expectFile('settle', 'asked', () => lanes.settleGroup([attempt]));
  const current = await leased(advancing);
  await seedEvents(store, [advancing], 5);
  const next = { batchId: newId('bat'), token: current.token };
  await expectFile('advance', 'asked', () => lanes.advance({ recorded: null, current, next }, MINUTE));
});
