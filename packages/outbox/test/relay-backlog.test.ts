import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRelay } from '../src/index.js';
import {
  countOf,
  orderEvent,
  outOfOrder,
  recordAll,
  revisionsOf,
  startTestRelay,
  until,
} from './support/relay-fixture.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { problem, startWaybillStub, type WaybillStub } from './support/waybill-stub.js';

const EVENTS = 25_000;
const RESOURCES = 1_000;

let database: TestDatabase;
let waybill: WaybillStub;
beforeAll(async () => {
  database = await createTestDatabase();
  waybill = await startWaybillStub();
});
afterAll(async () => {
  await waybill.close();
  await database.close();
});

/** Adds events of many resources, as recorded in one transaction. */
async function fill(from: number, count: number): Promise<void> {
  await database.pool.query(
    `insert into waybill_outbox.events (event)
     select jsonb_build_object('type', 'order_updated.v0', 'resource_id', 'r' || n % $3,
       'object', jsonb_build_object('revision', n), 'occurred_at', '2026-11-22T10:00:00Z')
     from generate_series($1::int, $2::int) as n`,
    [from, from + count - 1, RESOURCES],
  );
}

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** Returns the pool with a record of the statements that read or change events. */
function recording(pool: pg.Pool, into: Statement[]): pg.Pool {
  const recorded = (client: pg.PoolClient): pg.PoolClient =>
    new Proxy(client, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          const [text, values] = args;
          if (name === 'query' && typeof text === 'string' && text.includes('waybill_outbox.events'))
            into.push({ text, values: values as unknown[] });
          return Reflect.apply(member, target, args) as unknown;
        };
      },
    });
  const connect: (callback: (error: Error | undefined, client: pg.PoolClient | undefined) => void) => void = (
    callback,
  ) => pool.connect((error, client) => callback(error, client && recorded(client)));
  return new Proxy(pool, { get: (target, name) => (name === 'connect' ? connect : Reflect.get(target, name, target)) });
}

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/** Runs a statement, rolls it back, and returns how many blocks it read. */
async function blocksOf({ text, values }: Statement): Promise<number> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    );
    await client.query('rollback');
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
  } finally {
    client.release();
  }
}

/** Starts a relay until it has sent a batch, and returns its statements. */
async function statementsOfOneBatch(): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  const sent = waybill.batches.length;
  waybill.answer(() => 'hang');
  const relay = startRelay({
    pool: recording(database.pool, statements),
    url: waybill.url,
    key: 'k',
    requestTimeoutMs: 500,
  });
  await until(() => waybill.batches.length > sent, 'a batch was sent');
  await relay.stop();
  waybill.answer(() => 'accept');
  return statements;
}

describe('a backlog', () => {
  it('that waits for a rejected event is not read again, and delays no other resource', async () => {
    const own = await createTestDatabase();
    const refusing = await startWaybillStub((batch) => {
      const index = batch.findIndex(({ resource_id: id }) => id === 'bad');
      const pointer = `/events/${index}/object`;
      return index === -1 ? 'accept' : problem(400, 'invalid_input', { errors: [{ pointer, detail: 'is bad' }] });
    });
    const statements: Statement[] = [];
    const relay = startTestRelay(recording(own.pool, statements), refusing.url);
    try {
      const bad = Array.from({ length: 5_000 }, (_, n) => orderEvent('bad', n + 1));
      await recordAll(own.pool, [...bad, orderEvent('good', 1)]);
      await relay.drained();
      expect(revisionsOf(refusing.stored)).toEqual(['good 1']);
      expect(await relay.status()).toMatchObject({ waiting: 0, held: 4_999, rejected: 1 });
      const marks = statements.filter(({ text }) => text.includes('set held = true'));
      expect(marks.length).toBeLessThanOrEqual(6);
      // The next ones are not marked yet.
      await recordAll(own.pool, [orderEvent('bad', 5_001), orderEvent('good', 2)]);
      await relay.drained();
      expect(await relay.status()).toMatchObject({ waiting: 0, held: 5_000, rejected: 1, published: 2 });
    } finally {
      await relay.stop();
      await refusing.close();
      await own.close();
    }
  });

  it('costs each statement the same, whatever its length', async () => {
    const blocks: number[] = [];
    for (const count of [2_000, 6_000, EVENTS - 8_000]) {
      const before = await countOf(database.pool, 'events');
      await fill(before + 1, count);
      await database.pool.query('analyze waybill_outbox.events');
      const [look] = await statementsOfOneBatch();
      if (!look) throw new Error('There was no statement.');
      blocks.push(await blocksOf(look));
    }
    console.info(`blocks read by a look at 2,000, 8,000 and ${EVENTS} waiting events: ${blocks.join(', ')}`);
    const [least = 0, , most = 0] = blocks;
    expect(most).toBeLessThan(least + EVENTS / 50);
  });

  it('is published whole and in order, and the last look reads as little as the first', async () => {
    // An old snapshot keeps every deleted row, as a backup does.
    const backup = await database.pool.connect();
    await backup.query('begin isolation level repeatable read');
    await backup.query('select 1 from waybill_outbox.relay');
    try {
      const statements: Statement[] = [];
      const begun = performance.now();
      const relay = startTestRelay(recording(database.pool, statements), waybill.url);
      await until(() => waybill.batches.length > 10, 'the relay publishes');
      const looks = () => statements.filter(({ values }) => values.length === 5);
      const first = await blocksOf(looks()[2] ?? { text: 'select 1', values: [] });
      await relay.drained();
      const seconds = (performance.now() - begun) / 1_000;
      await fill(EVENTS + 1, 2_000);
      const sent = waybill.batches.length;
      await relay.drained();
      expect(waybill.batches.length).toBeGreaterThan(sent);
      await fill(EVENTS + 2_001, 2_000);
      const last = looks().findLast(({ values }) => Number(values[0]) > EVENTS);
      expect(last).toBeDefined();
      const blocks = await blocksOf(last ?? { text: 'select 1', values: [] });
      await relay.drained();
      await relay.stop();
      console.info(
        `${EVENTS} events published in ${seconds.toFixed(1)} s; blocks read by an early look ${first}, by a late one ${blocks}`,
      );
      expect(blocks).toBeLessThan(first + EVENTS / 50);
      expect(waybill.stored).toHaveLength(EVENTS + 4_000);
      expect(outOfOrder(waybill.stored)).toEqual([]);
    } finally {
      await backup.query('rollback');
      backup.release();
    }
  });
});
