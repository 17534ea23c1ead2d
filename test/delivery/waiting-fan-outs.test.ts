import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/database/database.js';
import { WaitingFanOuts } from '../../src/delivery/fan-out/waiting-fan-outs.js';
import { saltedCommitmentOf } from '../../src/events/envelope/salted-commitment.js';
import type { ChangeEvent } from '../../src/events/envelope/stored-event.js';
import { EventStore } from '../../src/events/fan-out/event-store.js';
import { RouteFence } from '../../src/events/fan-out/route-fence.js';
import { PruneStore } from '../../src/events/retention/prune-store.js';
import { Pruner } from '../../src/events/retention/pruner.js';
import { idBound } from '../../src/ids/id-time.js';
import { newId } from '../../src/ids/id.js';
import { createLogger } from '../../src/logging/logger.js';
import { until } from '../../tools/harness/until.js';
import { someoneWaitsForFence } from '../support/fence-locks.js';
import { onPostgres } from '../support/redis.js';
import { anySearchKeys } from '../support/search-keys.js';
import { deliverNextPart, deliverNextPartWithin } from './support/fan-outs.js';
import { Pipeline } from './support/pipeline.js';
import { deliveriesOf, type SeededDestination } from './support/seed.js';

const WIDE = 'ip_policy_created.v0';
const NARROW = 'ip_policy_updated.v0';
/** Destinations of the wide type; the narrow type has the first of them. */
const WIDTH = 5;
const limits = { inline: 2, part: 2 };
const control = { stopped: new AbortController().signal, progressed: () => {} };

let pipeline: Pipeline;
let destinations: readonly SeededDestination[];
let fanOuts: WaitingFanOuts;

beforeAll(async () => {
  pipeline = await Pipeline.open(onPostgres);
  fanOuts = new WaitingFanOuts({
    db: pipeline.store.db,
    dispatcher: pipeline.dispatcher,
    logger: createLogger('silent'),
  });
});
afterAll(() => pipeline.close());

/** Gives a test destinations and routes of its own, and removes all others. */
async function newDestinations(): Promise<void> {
  await pipeline.store.pool.query('delete from event_routes');
  const made: SeededDestination[] = [];
  for (let count = 0; count < WIDTH; count += 1) made.push(await pipeline.destination());
  destinations = made;
  await route(WIDE, ids());
  await route(NARROW, ids().slice(0, 1));
}

const ids = (): readonly string[] => destinations.map(({ id }) => id);

/** Adds routes. The subscription is any resource: the destination itself. */
async function route(type: string, destinationIds: readonly string[]): Promise<void> {
  await pipeline.store.pool.query(
    `insert into event_routes (account_id, event_type, destination_id, subscription_id)
     select $1, $2, id, id from unnest($3::text[]) id`,
    [pipeline.accountId, type, destinationIds],
  );
}

let recorded = 0;

/** A new event of a resource. */
function eventOf(type: string, resourceId: string): ChangeEvent {
  recorded += 1;
  const id = newId('evt');
  const payload = JSON.stringify({ event_id: id, order: recorded, object: { id: resourceId } });
  const kind = type.replace(/_[a-z]+\.v\d+$/, '');
  const { accountId } = pipeline;
  const recordedAs = { createdAt: new Date(), traceParent: null, search: anySearchKeys };
  const saltedCommitment = saltedCommitmentOf(payload);
  return { id, accountId, type, resourceId, payload, saltedCommitment, ...recordedAs, kind, isNew: false };
}

/** Records an event of a resource, in a transaction of its own. Returns its id. */
async function record(type: string, resourceId: string, changed: Partial<ChangeEvent> = {}): Promise<string> {
  const event = { ...eventOf(type, resourceId), ...changed };
  const { store, dispatcher } = pipeline;
  const { destinationIds } = await store.db
    .transaction()
    .execute((trx) => new EventStore(trx).insertWithDeliveries(event, [], limits));
  dispatcher.notify(destinationIds);
  return event.id;
}

async function eventsOf(destination: SeededDestination | undefined): Promise<readonly string[]> {
  const deliveries = await deliveriesOf(pipeline.store, destination?.id ?? '');
  return deliveries.map(({ event_id }) => event_id);
}

async function waitingParts(): Promise<number> {
  const { rows } = await pipeline.store.pool.query('select from fan_out_parts');
  return rows.length;
}

/** Runs `work` in a transaction that is rolled back, as by a crash. */
async function crashed(work: (trx: Transaction) => Promise<void>): Promise<void> {
  const crash = new Error('crash');
  const transaction = pipeline.store.db.transaction().execute(async (trx) => {
    await work(trx);
    throw crash;
  });
  await expect(transaction).rejects.toBe(crash);
}

describe('a fan-out to many destinations', () => {
  it('waits in parts, and is finished in the background', async () => {
    await newDestinations();
    const id = await record(WIDE, newId('ipp'));
    expect([await eventsOf(destinations[0]), await waitingParts()]).toEqual([[], 3]);
    expect(await fanOuts.run(control)).toBe(WIDTH);
    for (const destination of destinations) expect(await eventsOf(destination)).toEqual([id]);
    expect(await waitingParts()).toBe(0);
  });

  it('holds back the later events of its resource, and no others', async () => {
    await newDestinations();
    const [first] = destinations;
    const resourceId = newId('ipp');
    const wide = await record(WIDE, resourceId);
    const behind = await record(NARROW, resourceId);
    const other = await record(NARROW, newId('ipp'));
    expect(await eventsOf(first)).toEqual([other]);
    await fanOuts.run(control);
    expect(await eventsOf(first)).toEqual([other, wide, behind]);
    const later = await record(NARROW, resourceId);
    expect(await eventsOf(first)).toEqual([other, wide, behind, later]);
  });

  it('is shared by processes: a part is taken once, and a later event after the last part is committed', async () => {
    await newDestinations();
    const resourceId = newId('ipp');
    const wide = await record(WIDE, resourceId);
    const behind = await record(NARROW, resourceId);
    const { db } = pipeline.store;
    await db.transaction().execute(async (trx) => {
      const taken = [await deliverNextPartWithin(trx)];
      for (let part = 2; part <= 3; part += 1) taken.push(await deliverNextPart(db));
      expect(new Set(taken.flat())).toEqual(new Set(ids()));
      expect(await deliverNextPart(db)).toBe(null);
    });
    expect(await deliverNextPart(db)).toEqual(ids().slice(0, 1));
    expect(await eventsOf(destinations[0])).toEqual([wide, behind]);
  });

  it('is finished by the next process after a crash, without loss or repetition', async () => {
    await newDestinations();
    const id = await record(WIDE, newId('ipp'));
    await deliverNextPart(pipeline.store.db);
    await crashed(async (trx) => void (await deliverNextPartWithin(trx)));
    expect(await waitingParts()).toBe(2);
    await fanOuts.run(control);
    for (const destination of destinations) expect(await eventsOf(destination)).toEqual([id]);
  });

  it('does not wait for all of another account', async () => {
    const { pool } = pipeline.store;
    const insert = (accountId: string, count: number) =>
      pool.query(
        `insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
         select 'evt_' || $1 || n, $1, 'ipp_' || $1 || n, '{}', now() from generate_series(1, $2::int) n`,
        [accountId, count],
      );
    await insert('acc_1', 30);
    await insert('acc_2', 1);
    const stop = new AbortController();
    let steps = 0;
    const progressed = (): void => {
      steps += 1;
      if (steps === 11) stop.abort();
    };
    await fanOuts.run({ stopped: stop.signal, progressed });
    const { rows } = await pool.query('select distinct account_id from fan_out_parts');
    expect(rows).toEqual([{ account_id: 'acc_1' }]);
    await pool.query('delete from fan_out_parts');
  });

  it('goes to the destinations that were subscribed when the event was recorded', async () => {
    await newDestinations();
    const late = await pipeline.destination();
    const id = await record(WIDE, newId('ipp'));
    await pipeline.store.pool.query('delete from event_routes');
    await route(WIDE, [late.id]);
    await fanOuts.run(control);
    for (const destination of destinations) expect(await eventsOf(destination)).toEqual([id]);
    expect(await eventsOf(late)).toEqual([]);
  });

  it('waits behind the fence as a small one does', async () => {
    await newDestinations();
    const { db } = pipeline.store;
    let recording: Promise<string> | undefined;
    const late = await pipeline.destination();
    await db.transaction().execute(async (trx) => {
      await trx
        .insertInto('event_routes')
        .values({ account_id: pipeline.accountId, event_type: WIDE, destination_id: late.id, subscription_id: late.id })
        .execute();
      await new RouteFence(trx, pipeline.accountId).close();
      recording = record(WIDE, newId('ipp'));
      await until(() => someoneWaitsForFence(pipeline.store), 'the fan-out waits for the fence');
    });
    const id = await recording;
    await fanOuts.run(control);
    expect(await eventsOf(late)).toEqual([id]);
  });

  it('keeps its event from being pruned', async () => {
    await newDestinations();
    const DAY = 86_400_000;
    const createdAt = new Date(Date.now() - 30 * DAY);
    // Of no partition of days: those of the default partition are pruned row by row.
    const id = `${idBound('evt', createdAt)}${'0'.repeat(16)}`;
    const waiting = await record(WIDE, newId('ipp'), { id, createdAt });
    const pruner = new Pruner(
      new PruneStore(pipeline.store.db),
      { deliveredMs: DAY, undeliveredMs: DAY, eventsMs: DAY },
      createLogger('silent'),
    );
    await pruner.run(control);
    await fanOuts.run(control);
    expect(await eventsOf(destinations[0])).toEqual([waiting]);
  });

  it('to a deleted destination ends there as if its delivery had been waiting', async () => {
    await newDestinations();
    const [deleted, ...others] = destinations;
    const id = await record(WIDE, newId('ipp'));
    await pipeline.store.pool.query('delete from event_routes');
    await pipeline.store.pool.query('delete from resources where id = $1', [deleted?.id]);
    await fanOuts.run(control);
    for (const destination of others) expect(await eventsOf(destination)).toEqual([id]);
    expect(await deliveriesOf(pipeline.store, deleted?.id ?? '')).toMatchObject([{ state: 'pending' }]);
  });
});

/** Routes a type to so many destinations of SQL only. */
async function routeTo(count: number, type: string): Promise<void> {
  const { store, accountId } = pipeline;
  await store.pool.query(
    `with made as (
       insert into resources (id, account_id, kind, attributes, created_at, updated_at)
       select 'ed_wide' || $2::text || '_' || n, $1, 'event_destination', '{}', now(), now()
       from generate_series(1, $2::int) n returning id
     )
     insert into event_routes (account_id, event_type, destination_id, subscription_id)
     select $1, $3, id, (select min(id) from resources where account_id = $1) from made`,
    [accountId, count, type],
  );
}

it('fan-outs wait from 2,001 destinations on', async () => {
  const { store } = pipeline;
  await store.pool.query('delete from event_routes');
  const sizes: number[] = [];
  for (const count of [2_000, 2_001]) {
    const type = `bot_user_created.v${count}`;
    await routeTo(count, type);
    const { destinationIds } = await new EventStore(store.db).insertWithDeliveries(eventOf(type, newId('bot')));
    sizes.push(destinationIds.length);
  }
  const { rows } = await store.pool.query<{ size: number }>(
    'select cardinality(destination_ids) as size from fan_out_parts order by id',
  );
  expect([sizes, rows.map(({ size }) => size)]).toEqual([
    [2_000, 0],
    [2_000, 1],
  ]);
  await store.pool.query('delete from fan_out_parts');
  await store.pool.query('delete from deliveries');
});

describe('a worker', () => {
  it('delivers large and small fan-outs of each resource in order, gapless', async () => {
    await pipeline.stopWorkers();
    await newDestinations();
    pipeline.sandbox.clear();
    await pipeline.startWorker();
    const resources = [newId('ipp'), newId('ipp'), newId('ipp')];
    const expected = new Map<string, number[]>();
    await Promise.all(
      resources.map(async (resourceId, index) => {
        for (let change = 0; change < 20; change += 1) {
          const wide = (change + index) % 3 === 0;
          await record(wide ? WIDE : NARROW, resourceId);
        }
      }),
    );
    await until(async () => (await waitingParts()) === 0, 'no fan-out waits');
    for (const destination of destinations) {
      await pipeline.settled(destination);
      const received = pipeline.sandbox
        .received({ address: destination.address })
        .map(({ body }) => JSON.parse(body) as { sequence: number; order: number; object: { id: string } });
      expect(received.map(({ sequence }) => sequence)).toEqual(received.map((_, index) => index + 1));
      for (const resourceId of resources) {
        const orders = received.filter(({ object }) => object.id === resourceId).map(({ order }) => order);
        expect(orders).toEqual(orders.toSorted((a, b) => a - b));
        expected.set(`${destination.id} ${resourceId}`, orders);
      }
    }
    const count = (destination: SeededDestination | undefined) =>
      resources.flatMap((resourceId) => expected.get(`${destination?.id} ${resourceId}`) ?? []).length;
    expect(destinations.map(count)).toEqual([60, 20, 20, 20, 20]);
  });
});
