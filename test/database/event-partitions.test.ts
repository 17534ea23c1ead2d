import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addDays, DayPartitions, startOfDay } from '../../src/database/partitions/day-partitions.js';
import { daysOfPartition, EventPartitions, eventTable } from '../../src/database/partitions/event-partitions.js';
import type { Store } from '../../src/database/store.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { EventSearchStore } from '../../src/events/log/event-search-store.js';
import { PruneStore } from '../../src/events/retention/prune-store.js';
import { Pruner } from '../../src/events/retention/pruner.js';
import { idBound } from '../../src/ids/id-time.js';
import { newId } from '../../src/ids/id.js';
import { createLogger } from '../../src/logging/logger.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { finishDeliveries } from '../delivery/support/finished.js';
import { seedAccount, seedDestination, type SeededDestination } from '../delivery/support/seed.js';
import { createTestStore } from '../support/database.js';
import { dropEventPartitions } from '../support/event-partitions.js';
import { newestEvents } from '../support/newest-events.js';
import { marksOf } from '../support/retention-marks.js';
import { testKeyRing } from '../support/secrets.js';

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 120;
const EVENTS_A_PARTITION = 60;
const logger = createLogger('silent');
const today = startOfDay(new Date());

let store: Store;
let partitions: DayPartitions;
let events: EventPartitions;
let destination: SeededDestination;
/** The names of the partitions of days, oldest first. */
let names: readonly string[];

beforeEach(async () => {
  store = await createTestStore();
  destination = await seedDestination(
    store,
    new SecretStore(testKeyRing()),
    new LaneStore(store.db, targetLimits),
    await seedAccount(store),
  );
  // As after years of service.
  await dropEventPartitions(store);
  partitions = new DayPartitions(store.db, eventTable);
  await partitions.extend(addDays(today, -200), addDays(today, 1), daysOfPartition(RETENTION_DAYS * DAY_MS));
  names = (await partitions.list()).map(({ name }) => name);
  events = new EventPartitions(store.db, RETENTION_DAYS * DAY_MS, logger);
});
afterEach(() => store.close());

let number = 0;
/** The id of an event that was recorded so many days ago. */
function idAt(daysAgo: number): string {
  number += 1;
  return `${idBound('evt', addDays(new Date(), -daysAgo))}${String(number).padStart(16, '0')}`;
}

async function insert(daysAgo: number, type = 'note_created.v0'): Promise<string> {
  const id = idAt(daysAgo);
  const { accountId } = destination;
  await store.pool.query(
    `insert into events (id, account_id, type, resource_id, payload, created_at, commitment)
     values ($1, $2, $3, 'note_1', '{"n":1}', now() - $4 * interval '1 day', '')`,
    [id, accountId, type, daysAgo],
  );
  return id;
}

async function deliver(eventId: string): Promise<void> {
  await store.pool.query(
    'insert into deliveries (event_id, destination_id, account_id, created_at) values ($1, $2, $3, now())',
    [eventId, destination.id, destination.accountId],
  );
}

async function partitionOf(id: string): Promise<string | undefined> {
  const { rows } = await store.pool.query<{ name: string }>(
    'select tableoid::regclass::text as name from events where id = $1',
    [id],
  );
  return rows[0]?.name;
}

const page = (beforeId?: string, type?: string, limit = 100) =>
  newestEvents(store, destination.accountId, { limit, beforeId, type });

describe('the retention of events', () => {
  it('drops the partitions whose last event is too old, and no others', async () => {
    const kept = await insert(RETENTION_DAYS - 1);
    await insert(RETENTION_DAYS + 20);
    const old = (await partitions.list()).filter(({ end }) => end <= addDays(new Date(), -RETENTION_DAYS));
    expect(old.length).toBeGreaterThan(5);
    expect(await marksOf(store)).toEqual({});
    await expect(events.dropOld()).resolves.toEqual(old.map(({ name }) => name));
    // From the end of the last dropped partition on, and not later than the retention.
    const { events: since } = await marksOf(store);
    expect(since?.getTime()).toBeGreaterThanOrEqual(old.at(-1)?.end.getTime() ?? Number.NaN);
    expect(since?.getTime()).toBeLessThanOrEqual(Date.now() - RETENTION_DAYS * DAY_MS + 1);
    await expect(events.dropOld()).resolves.toEqual([]);
    expect((await page()).map(({ id }) => id)).toEqual([kept]);
  });

  it.each(['pending', 'delivered'] as const)(
    'keeps a partition while a delivery that is %s refers to it',
    async (state) => {
      const id = await insert(150);
      await deliver(id);
      if (state === 'delivered') await finishDeliveries(store, [id], { state });
      const name = await partitionOf(id);
      expect(await events.dropOld()).not.toContain(name);
      await store.pool.query('delete from deliveries; delete from finished_deliveries');
      await expect(events.dropOld()).resolves.toEqual([name]);
    },
  );

  it('keeps a partition while a fan-out waits', async () => {
    const id = await insert(150);
    await store.pool.query(
      `insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
       values ($1, $2, 'note_1', '{}', now())`,
      [id, destination.accountId],
    );
    const name = await partitionOf(id);
    expect(await events.dropOld()).not.toContain(name);
    await store.pool.query('delete from fan_out_parts');
    await expect(events.dropOld()).resolves.toEqual([name]);
  });

  it('leaves a partition for the next time while a transaction reads it, and keeps writers waiting for a moment only', async () => {
    const reader = await store.pool.connect();
    try {
      await reader.query('begin');
      await reader.query('select from events limit 1');
      const dropping = events.dropOld();
      let written = 0;
      const done = new AbortController();
      const writing = (async () => {
        while (!done.signal.aborted) {
          await insert(0);
          written += 1;
        }
      })();
      await expect(dropping).resolves.toEqual([]);
      done.abort();
      await writing;
      expect(written).toBeGreaterThan(0);
      await reader.query('commit');
    } finally {
      reader.release();
    }
    expect(await events.dropOld()).not.toEqual([]);
  });

  it('removes events of the default partition row by row', async () => {
    const kept = await insert(RETENTION_DAYS - 1);
    const old = await insert(300);
    const pending = await insert(300);
    await deliver(pending);
    expect(await partitionOf(old)).toBe('events_default');
    const retention = { deliveredMs: DAY_MS, undeliveredMs: DAY_MS, eventsMs: RETENTION_DAYS * DAY_MS };
    const pruner = new Pruner(new PruneStore(store.db), retention, logger);
    const control = { stopped: new AbortController().signal, progressed: () => {} };
    expect(await pruner.run(control)).toMatchObject({ events: 1 });
    expect((await page()).map(({ id }) => id)).toEqual([kept, pending]);
  });
});

describe('the next partitions', () => {
  it('have a twelfth of the retention, and a day at least', () => {
    expect([400, 120, 12, 0.5].map((days) => daysOfPartition(days * DAY_MS))).toEqual([34, 10, 1, 1]);
  });

  it('are created ahead, once, however many processes start', async () => {
    await Promise.all([events.ensure(), events.ensure(), events.ensure()]);
    const list = await partitions.list();
    expect(list.at(-1)?.end.getTime()).toBeGreaterThanOrEqual(addDays(new Date(), 7).getTime());
    // Without a gap.
    expect(list.slice(1).map(({ day }) => day)).toEqual(list.slice(0, -1).map(({ end }) => end));
    const { rows } = await store.pool.query(
      `select count(*)::int as count from pg_class where relname = $1 and reloptions @> array['autovacuum_vacuum_threshold=20000']`,
      [list.at(-1)?.name],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('are created by one of the processes that start on an empty database, and the others find them', async () => {
    await dropEventPartitions(store);
    const starts = Array.from({ length: 4 }, () => partitions.extend(today, addDays(today, 20), 10));
    await expect(Promise.all(starts)).resolves.toEqual([[], [], [], []]);
  });

  it('take over the events that were written before them', async () => {
    const early = await insert(-12);
    expect(await partitionOf(early)).toBe('events_default');
    const { end = today } = (await partitions.list()).at(-1) ?? {};
    await partitions.extend(today, addDays(end, 20), 10);
    expect(await partitionOf(early)).toMatch(/^events_\d{8}$/);
    expect((await page()).map(({ id }) => id)).toEqual([early]);
  });

  it('are not needed: an event of a clock far ahead is written, found and listed', async () => {
    const far = await insert(-2_000);
    expect(await partitionOf(far)).toBe('events_default');
    await events.ensure();
    const now = await insert(0);
    expect(await partitionOf(now)).not.toBe('events_default');
    expect((await page()).map(({ id }) => id)).toEqual([far, now]);
    const search = new EventSearchStore(store.db);
    await expect(search.withIds(destination.accountId, [far])).resolves.toMatchObject([{ id: far }]);
  });
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly 'Actual Rows': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** Runs a prepared statement, and returns its generic plan. */
async function planOf(types: string, text: string, values: readonly string[]): Promise<PlanNode> {
  const client = await store.pool.connect();
  try {
    await client.query(`set plan_cache_mode = force_generic_plan`);
    await client.query(`prepare planned (${types}) as ${text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
      `explain (analyze, buffers, timing off, format json) execute planned (${values.join(', ')})`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (!plan) throw new Error('The statement has no plan.');
    return plan;
  } finally {
    client.release(true);
  }
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
const blocksOf = (plan: PlanNode) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];

/** The partitions that a plan has read. */
function partitionsRead(plan: PlanNode): readonly string[] {
  const read = nodesOf(plan).filter((node) => node['Actual Loops'] > 0);
  return read.flatMap((node) => node['Relation Name'] ?? []).filter((name) => name.startsWith('events_'));
}

describe('a generic plan', () => {
  /** Writes so many events in each partition. */
  async function seed(count: number): Promise<void> {
    for (let days = 200; days >= 0; days -= 10) {
      await store.pool.query(
        `insert into events (id, account_id, type, resource_id, payload, created_at, commitment)
         select $1 || lpad(n::text, 16, '0'), $2, 'type_' || n % 3, 'note_1', '{"n":1}', now(), ''
         from generate_series(1, $3) n on conflict do nothing`,
        [idBound('evt', addDays(today, -days)), destination.accountId, count],
      );
    }
    await store.pool.query('vacuum analyze events');
  }
  beforeEach(() => seed(EVENTS_A_PARTITION));

  it('of a search by id reads one partition', async () => {
    const id = `${idBound('evt', addDays(today, -50))}${'7'.padStart(16, '0')}`;
    const plan = await planOf('text', 'select id, payload from events where id = $1', [`'${id}'`]);
    expect(partitionsRead(plan)).toEqual([await partitionOf(id)]);
  });

  it('of the events of deliveries reads the partitions of these events', async () => {
    const ids = [50, 51, 120].map((days) => `${idBound('evt', addDays(today, -days))}${'7'.padStart(16, '0')}`);
    const present: string[] = [];
    for (const id of ids) if (await partitionOf(id)) present.push(id);
    for (const id of present) await deliver(id);
    const plan = await planOf(
      'text',
      `select e.id, e.payload from deliveries d cross join lateral (select * from events where id = d.event_id limit 1) e
       where d.destination_id = $1 and d.state = 'pending'`,
      [`'${destination.id}'`],
    );
    const expected = await Promise.all(present.map(partitionOf));
    expect(present.length).toBeGreaterThan(1);
    expect(new Set(partitionsRead(plan))).toEqual(new Set(expected));
  });

  it('of a list merges the heads of the partitions, and costs the same with ten times the events', async () => {
    const account = `'${destination.accountId}'`;
    const half = `'${idBound('evt', addDays(today, -95))}'`;
    const lists = [
      ['text', 'true', [account]],
      ['text, text', 'type = $2', [account, `'type_1'`]],
      ['text, text', 'id < $2', [account, half]],
    ] as const;
    const blocks = async (): Promise<readonly number[]> => {
      const counts: number[] = [];
      for (const [types, condition, values] of lists) {
        const text = `select id from events where account_id = $1 and ${condition} order by id desc limit 20`;
        const plan = await planOf(types, text, values);
        const nodes = nodesOf(plan);
        expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');
        // A row of each partition, and those of the page.
        for (const node of nodes) expect(node['Actual Rows']).toBeLessThanOrEqual(21);
        counts.push(blocksOf(plan));
      }
      return counts;
    };
    const before = await blocks();
    await seed(10 * EVENTS_A_PARTITION);
    const after = await blocks();
    // A level more of each index at most.
    after.forEach((count, index) => expect(count).toBeLessThanOrEqual((before[index] ?? 0) + 2 * names.length));
  });
});

it('lists events newest first over all partitions', async () => {
  const ids: string[] = [];
  for (let days = 190; days >= 0; days -= 3) ids.push(await insert(days, days % 2 === 0 ? 'even.v0' : 'odd.v0'));
  const listed: string[] = [];
  for (let last: string | undefined; ; last = listed.at(-1)) {
    const next = await page(last, undefined, 7);
    listed.push(...next.map(({ id }) => id));
    if (next.length < 7) break;
  }
  expect(listed).toEqual(ids.toReversed());
  const even = await page(undefined, 'even.v0');
  expect(even.map(({ id }) => id)).toEqual(ids.filter((_, index) => index % 2 === 0).toReversed());
});

it('delivers an event of an old partition and one of the default partition', async () => {
  const lanes = new LaneStore(store.db, targetLimits);
  const ids = [await insert(150), await insert(-2_000), await insert(0)];
  for (const id of ids) await deliver(id);
  const batch = await lanes.claim(destination.id, newId('bat'));
  const grant = await lanes.lease(destination.id, batch?.batchId ?? '', newId('att'), 60_000);
  if (grant.kind !== 'granted') throw new Error(`not granted: ${grant.kind}`);
  const loaded = await new BatchStore(store.db, 'log.test').load(grant.lease);
  expect(loaded.map(({ event }) => event.id)).toEqual(ids);
});
