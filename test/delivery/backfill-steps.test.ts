import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readDatabaseTime } from '../../src/database/database-time.js';
import { BackfillFeeder } from '../../src/destinations/backfills/backfill-feeder.js';
import { filtered } from '../../src/destinations/backfills/backfill-filter.js';
import { toBackfillResponse } from '../../src/destinations/backfills/backfill-response.js';
import { BackfillStore, type Backfill } from '../../src/destinations/backfills/backfill-store.js';
import { BackfillWalkStore } from '../../src/destinations/backfills/backfill-walk-store.js';
import { timeOfId } from '../../src/ids/id-time.js';
import { createLogger } from '../../src/logging/logger.js';
import { onPostgres } from '../support/redis.js';
import { feedAll, feederOf, makeDue, progressOf, requestBackfill, subscribe } from './support/backfills.js';
import { Pipeline } from './support/pipeline.js';
import { deliveriesOf, seedAccount, seedDestination, seedEvents, type SeededDestination } from './support/seed.js';

/** Events that the account has before each test, which went to another destination. */
const EARLIER = 60;

const DAY_MS = 86_400_000;

// No worker runs: what is queued waits.
describe('a step of a backfill', () => {
  let pipeline: Pipeline;
  let feeder: BackfillFeeder;
  let history: readonly string[];
  let destination: SeededDestination;
  beforeAll(async () => {
    pipeline = await Pipeline.open(onPostgres);
    feeder = feederOf(pipeline);
    history = await seedEvents(pipeline.store, [await pipeline.destination()], EARLIER);
  });
  afterAll(() => pipeline.close());
  beforeEach(async () => {
    await pipeline.store.pool.query('delete from backfills');
    destination = await pipeline.destination();
    await subscribe(pipeline, destination);
  });

  /** Requests a backfill of the history, and counts its events. 40 events in a second are portions of ten. */
  async function counted(options: Parameters<typeof requestBackfill>[2] = {}): Promise<Backfill> {
    const backfill = await requestBackfill(pipeline, destination, { events_per_second: 40, ...options });
    await feeder.step(backfill.id);
    return progressOf(pipeline, backfill);
  }

  const queuedIds = async () => (await deliveriesOf(pipeline.store, destination.id)).map((row) => row.event_id);

  /** Ends everything that waits at the destination, as deliveries would. */
  async function deliverAll(): Promise<void> {
    await pipeline.dispatcher.idle();
    await pipeline.store.pool.query(
      `with finished as (delete from deliveries where destination_id = $1 returning *)
       insert into finished_deliveries (id, event_id, destination_id, account_id, state, attempts, created_at, finished_at,
                                     backfill_id)
       select id, event_id, destination_id, account_id, 'delivered', 1, created_at, now(), backfill_id from finished`,
      [destination.id],
    );
    await pipeline.store.pool.query(
      'update delivery_lanes set batch_id = null, batch_delivery_ids = null, attempt_token = null where destination_id = $1',
      [destination.id],
    );
  }

  it('counts before anything is queued', async () => {
    const backfill = await requestBackfill(pipeline, destination);
    expect(backfill).toMatchObject({ state: 'counting', counted_at: null });
    await feeder.step(backfill.id);
    expect(await progressOf(pipeline, backfill)).toMatchObject({
      state: 'running',
      total: EARLIER,
      queued: 0,
      counted_at: expect.any(Date) as Date,
    });
    expect(await queuedIds()).toEqual([]);
  });

  it('shows how far the count is, and logs its end once', async () => {
    const backfill = await requestBackfill(pipeline, destination);
    const shown = async () => toBackfillResponse(await progressOf(pipeline, backfill), null, 'http://a');
    expect(await shown()).toMatchObject({ events_counted: 0, events_total: null, reached_at: null });
    // As after a step that read seven events.
    const seventh = history[6] ?? '';
    await new BackfillWalkStore(pipeline.store.db).counted(backfill, 7, seventh);
    expect(await shown()).toMatchObject({
      state: 'counting',
      events_counted: 7,
      events_total: null,
      reached_at: timeOfId(seventh).toISOString(),
    });
    const lines: unknown[] = [];
    const { store, dispatcher } = pipeline;
    const logger = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });
    const logging = new BackfillFeeder({ db: store.db, dispatcher, logger, eventsMs: 400 * DAY_MS });
    await logging.step(backfill.id);
    const counts = { events_counted: EARLIER, events_total: EARLIER };
    expect(await shown()).toMatchObject({ state: 'running', reached_at: null, ...counts });
    await logging.step(backfill.id);
    expect(await shown()).toMatchObject({ state: 'finished', reached_at: null, ...counts });
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'the events of a backfill are counted',
        backfill: backfill.id,
        destination: destination.id,
        events: EARLIER,
        dry_run: false,
      }),
    ]);
  });

  it('ends after the count of a dry run', async () => {
    const backfill = await counted({ dry_run: true });
    expect(backfill).toMatchObject({ state: 'finished', total: EARLIER, queued: 0 });
    await makeDue(pipeline, backfill);
    await feeder.step(backfill.id);
    expect(await queuedIds()).toEqual([]);
  });

  it('queues one portion, in order, and the next one when that is delivered and the rate permits', async () => {
    const backfill = await counted();
    const { rows: before } = await pipeline.store.pool.query<{ now: Date }>('select now()');
    await feeder.step(backfill.id);
    expect(await queuedIds()).toEqual(history.slice(0, 10));
    const { rows } = await pipeline.store.pool.query<{ next_at: Date }>('select next_at from backfills');
    // Ten events at 40 in a second.
    expect(Number(rows[0]?.next_at) - Number(before[0]?.now)).toBeGreaterThanOrEqual(250);
    await makeDue(pipeline, backfill);
    await feeder.step(backfill.id);
    expect(await queuedIds()).toHaveLength(10);
    await deliverAll();
    await pipeline.store.pool.query(`update backfills set next_at = now() + interval '1 hour'`);
    await feeder.step(backfill.id);
    expect(await queuedIds()).toHaveLength(10);
    await makeDue(pipeline, backfill);
    await feeder.step(backfill.id);
    expect(await queuedIds()).toEqual(history.slice(0, 20));
    expect(await progressOf(pipeline, backfill)).toMatchObject({ state: 'running', queued: 20, skipped: 0 });
  });

  it('makes up for the time that the destination took, up to a limit', async () => {
    const slow = feederOf(pipeline, undefined, 1_000);
    // One event in a second: a portion of one, and those of the second before.
    const backfill = await counted({ events_per_second: 1 });
    const { pool } = pipeline.store;
    await pool.query(`update backfills set next_at = now() - interval '1 hour'`);
    await slow.step(backfill.id);
    expect(await queuedIds()).toEqual(history.slice(0, 2));
    const { rows } = await pool.query<{ due_in: number }>(
      `select date_part('epoch', next_at - clock_timestamp()) as due_in from backfills`,
    );
    // Two events, of which one second had passed already.
    expect(rows[0]?.due_in).toBeLessThanOrEqual(1);
  });

  it('waits while more than a hundred live events wait', async () => {
    const backfill = await counted();
    const live = await seedEvents(pipeline.store, [destination], 101, { type: 'other.v0' });
    await feeder.step(backfill.id);
    expect(await queuedIds()).toEqual(live);
    await pipeline.store.pool.query('delete from deliveries where destination_id = $1 and event_id = $2', [
      destination.id,
      live[0],
    ]);
    await feeder.step(backfill.id);
    expect((await queuedIds()).slice(100)).toEqual(history.slice(0, 10));
  });

  it('does not count a batch in flight among those that wait', async () => {
    const backfill = await counted();
    await seedEvents(pipeline.store, [destination], 150, { type: 'other.v0' });
    const setBatch = (ids: string) =>
      pipeline.store.pool.query(
        `update delivery_lanes set batch_id = 'bat_test', batch_delivery_ids = array(
           select id from deliveries where destination_id = $1 order by id limit ${ids}) where destination_id = $1`,
        [destination.id],
      );
    await setBatch('49');
    await feeder.step(backfill.id);
    expect(await queuedIds()).toHaveLength(150);
    await setBatch('50');
    await feeder.step(backfill.id);
    expect(await queuedIds()).toHaveLength(160);
  });

  it('adds nothing to what fails', async () => {
    const backfill = await counted();
    await seedEvents(pipeline.store, [destination], 1, { type: 'other.v0' });
    const setStatus = (status: string) =>
      pipeline.store.pool.query('update delivery_lanes set status = $2 where destination_id = $1', [
        destination.id,
        status,
      ]);
    const waitingFor = () => new BackfillStore(pipeline.store.db).waitingFor(backfill);
    expect(await waitingFor()).toBeNull();
    await setStatus('retrying');
    await feeder.step(backfill.id);
    expect(await queuedIds()).toHaveLength(1);
    expect(await waitingFor()).toBe('destination');
    // Nothing is left that could show that the destination works again.
    await deliverAll();
    expect(await waitingFor()).toBeNull();
    await feeder.step(backfill.id);
    expect(await queuedIds()).toHaveLength(11);
  });

  it('adds nothing while the destination is paused, and counts all the same', async () => {
    const { lanes, store } = pipeline;
    await store.db.transaction().execute(async (trx) => lanes.pause(trx, destination.id, await readDatabaseTime(trx)));
    const backfill = await counted();
    expect(backfill).toMatchObject({ state: 'running', total: EARLIER });
    const waitingFor = () => new BackfillStore(store.db).waitingFor(backfill);
    expect(await waitingFor()).toBe('pause');
    const walk = new BackfillWalkStore(store.db);
    // Free in every other respect: healthy, and nothing waits.
    expect(await walk.unfinished(10)).toEqual({ due: [], othersDueInMs: [expect.any(Number)] });
    await feeder.step(backfill.id);
    expect(await queuedIds()).toEqual([]);
    await store.db.transaction().execute((trx) => lanes.unpause(trx, destination.id));
    expect(await waitingFor()).toBeNull();
    expect((await walk.unfinished(10)).due).toEqual([backfill.id]);
    await feeder.step(backfill.id);
    expect(await queuedIds()).toEqual(history.slice(0, 10));
  });

  it('skips what the destination has, in any state, or gets from a fan-out that waits', async () => {
    const [delivered = '', pending = '', waiting = '', ...others] = history;
    const insert = (table: string, columns: string, values: string, event: string) =>
      pipeline.store.pool.query(
        `insert into ${table} (event_id, destination_id, account_id, created_at${columns}) values ($1, $2, $3, now()${values})`,
        [event, destination.id, pipeline.accountId],
      );
    await insert('finished_deliveries', ', id, state, attempts, finished_at', `, 1, 'rejected', 1, now()`, delivered);
    await pipeline.store.pool.query(
      `insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
       values ($1, $2, 'any', array[$3], now())`,
      [waiting, pipeline.accountId, destination.id],
    );
    await insert('deliveries', '', '', pending);
    const backfill = await counted({ events_per_second: 1_000 });
    expect(backfill.total).toBe(EARLIER);
    await feeder.step(backfill.id);
    expect((await queuedIds()).toSorted()).toEqual([delivered, pending, ...others].toSorted());
    expect(await progressOf(pipeline, backfill)).toMatchObject({ state: 'finished', queued: EARLIER - 3, skipped: 3 });
    await pipeline.store.pool.query('delete from fan_out_parts');
  });

  it('sends no type whose subscription has ended', async () => {
    const backfill = await counted({ events_per_second: 1_000 });
    await pipeline.store.pool.query('delete from event_routes where destination_id = $1', [destination.id]);
    await feeder.step(backfill.id);
    expect(await queuedIds()).toEqual([]);
    expect(await progressOf(pipeline, backfill)).toMatchObject({ state: 'finished', queued: 0, skipped: EARLIER });
  });

  it('takes the events of its types and times alone', async () => {
    const other = await pipeline.destination();
    const [more = ''] = await seedEvents(pipeline.store, [other], 1, { type: 'ip_policy_updated.v0' });
    await subscribe(pipeline, destination, ['ip_policy_updated.v0']);
    const both = await counted({ types: ['ip_policy_created.v0', 'ip_policy_updated.v0'] });
    expect(both.total).toBe(EARLIER + 1);
    await pipeline.store.pool.query('delete from backfills');
    const one = await counted({ types: ['ip_policy_updated.v0'] });
    await feeder.step(one.id);
    expect([one.total, await queuedIds()]).toEqual([1, [more]]);
    await deliverAll();
    await pipeline.store.pool.query('delete from backfills');
    const none = await counted({ from_time: new Date(Date.now() + 1), to_time: new Date(Date.now() + 60_000) });
    expect(none.total).toBe(0);
    await feeder.step(none.id);
    expect(await progressOf(pipeline, none)).toMatchObject({ state: 'finished', queued: 0 });
  });

  it('counts and takes the events alone that match its filter', async () => {
    const filter = `event_id in ["${history[3]}", "${history[17]}"]`;
    const backfill = await counted({ filter });
    expect(backfill.total).toBe(2);
    // A portion has ten events that match, whatever lies between them.
    await feeder.step(backfill.id);
    expect(await queuedIds()).toEqual([history[3], history[17]]);
    expect(await progressOf(pipeline, backfill)).toMatchObject({ state: 'finished', queued: 2, skipped: 0 });
  });

  it('leaves out an event that is erased after its page was read', async () => {
    const events = history.slice(0, 2).map((id) => ({ id, type: 'ip_policy_created.v0', bytes: 1 }));
    const trx = await pipeline.store.db.startTransaction().execute();
    await sql`update events set payload = '', erasure_id = 'ers_1' where id = ${history[0]}`.execute(trx);
    const found = await filtered(trx, 'event_id != ""', { events, readThrough: null }, 10, () => undefined);
    await trx.rollback().execute();
    expect(found).toEqual({ events: [events[1]], readThrough: null });
  });

  it('has portions of matching events where its filter leaves some out', async () => {
    const some = history.filter((_, index) => index % 3 === 0);
    const backfill = await counted({ filter: `event_id in ${JSON.stringify(some)}` });
    await feeder.step(backfill.id);
    expect(await queuedIds()).toEqual(some.slice(0, 10));
    await deliverAll();
    await makeDue(pipeline, backfill);
    await feeder.step(backfill.id);
    expect(await queuedIds()).toEqual(some.slice(0, 20));
  });

  it('takes what the filters of the sources let through, with their fields', async () => {
    const rule = { filter: `event_id != "${history[0]}"`, fields: { exclude: ['/object/description'] } };
    await pipeline.store.pool.query(
      `insert into event_rules (account_id, event_type, subscription_id, filter, fields) values ($1, $2, $3, $4, $5)`,
      [pipeline.accountId, 'ip_policy_created.v0', destination.id, rule.filter, JSON.stringify(rule.fields)],
    );
    const backfill = await counted();
    await feeder.step(backfill.id);
    expect(await queuedIds()).toEqual(history.slice(1, 10));
    expect(await progressOf(pipeline, backfill)).toMatchObject({ queued: 9, skipped: 1 });
    const { rows } = await pipeline.store.pool.query<{ event_id: string; payload: string }>(
      'select event_id, payload from event_projections where $1 = any(destination_ids) order by event_id',
      [destination.id],
    );
    expect(rows.map((row) => row.event_id)).toEqual(history.slice(1, 10));
    for (const { payload } of rows) {
      expect(payload).toContain('"object":{"id":');
      expect(payload).not.toContain('description');
    }
  });

  it('sends the events in the form of today’s fields, whatever an earlier delivery has sent', async () => {
    const [hidden = '', plain = ''] = history;
    // Both were sent without the description, long ago: the records of these deliveries were removed.
    for (const [part, id] of [hidden, plain].entries())
      await pipeline.store.pool.query(
        `insert into event_projections (event_id, part, destination_ids, payload, commitment)
         values ($1, $2, array['other', $3], '{"old":1}', '')`,
        [id, part, destination.id],
      );
    await pipeline.store.pool.query(
      `insert into event_rules (account_id, event_type, subscription_id, filter, fields) values ($1, $2, $3, null, $4)`,
      [pipeline.accountId, 'ip_policy_created.v0', destination.id, JSON.stringify({ exclude: ['/object/metadata'] })],
    );
    const payloads = async () => {
      const { rows } = await pipeline.store.pool.query<{ event_id: string; payload: string }>(
        `select event_id, payload from event_projections where $1 = any(destination_ids) order by event_id`,
        [destination.id],
      );
      return rows;
    };
    const one = await counted({ filter: `event_id == "${hidden}"` });
    await feeder.step(one.id);
    expect((await payloads())[0]?.payload).toContain('"event_id"');
    expect((await payloads())[0]?.payload).not.toContain('metadata');
    await deliverAll();
    await pipeline.store.pool.query('delete from event_rules');
    await pipeline.store.pool.query('delete from backfills');
    const other = await counted({ filter: `event_id == "${plain}"` });
    await feeder.step(other.id);
    // Without fields it is sent as it was recorded.
    expect((await payloads()).map((row) => row.event_id)).toEqual([hidden]);
    const { rows } = await pipeline.store.pool.query(
      `select from event_projections where 'other' = any(destination_ids)`,
    );
    expect(rows).toHaveLength(2);
    await pipeline.store.pool.query('delete from event_projections');
  });

  it('takes no event about the health of its own destination', async () => {
    const type = 'event_destination_status_changed.v0';
    await subscribe(pipeline, destination, [type]);
    const [own = '', of = ''] = await seedEvents(pipeline.store, [await pipeline.destination()], 2, { type });
    await pipeline.store.pool.query('update events set resource_id = $2 where id = $1', [own, destination.id]);
    const backfill = await counted({ types: [type] });
    await feeder.step(backfill.id);
    expect([backfill.total, await queuedIds()]).toEqual([1, [of]]);
  });

  it('goes behind the others that are due, also when it fails', async () => {
    const { store } = pipeline;
    const walk = new BackfillWalkStore(store.db);
    const first = await requestBackfill(pipeline, destination);
    const second = await requestBackfill(pipeline, await pipeline.destination());
    await store.pool.query(`update backfills set next_at = now() - interval '1 minute' where id = $1`, [first.id]);
    expect((await walk.unfinished(1)).due).toEqual([first.id]);
    await feeder.step(first.id);
    await store.pool.query(`update backfills set state = 'counting' where id = $1`, [first.id]);
    expect((await walk.unfinished(1)).due).toEqual([second.id]);
    await walk.delay(second.id, 60_000);
    expect(await walk.unfinished(2)).toEqual({ due: [first.id], othersDueInMs: [expect.any(Number)] });
  });

  it('takes no event that retention may remove meanwhile', async () => {
    // The whole history is older than this retention, and still there.
    const short = feederOf(pipeline, 1);
    const backfill = await requestBackfill(pipeline, destination);
    await short.step(backfill.id);
    expect(await progressOf(pipeline, backfill)).toMatchObject({ state: 'running', total: 0 });
  });

  it('limits the bytes of a portion', async () => {
    const other = await pipeline.destination();
    const large = await seedEvents(pipeline.store, [other], 6, { type: 'large.v0', padding: 60_000 });
    await subscribe(pipeline, destination, ['large.v0']);
    const backfill = await counted({ types: ['large.v0'], events_per_second: 1_000 });
    await feeder.step(backfill.id);
    expect(await queuedIds()).toEqual(large.slice(0, 4));
    await deliverAll();
    await makeDue(pipeline, backfill);
    await feeder.step(backfill.id);
    expect(await queuedIds()).toEqual(large);
    expect(await progressOf(pipeline, backfill)).toMatchObject({ state: 'finished', queued: 6 });
  });

  it('is made by one process at a time, and not while the backfill is cancelled', async () => {
    const backfill = await counted();
    await pipeline.store.db.transaction().execute(async (trx) => {
      await sql`select from backfills where id = ${backfill.id} for update`.execute(trx);
      await feeder.step(backfill.id);
      expect(await queuedIds()).toEqual([]);
    });
    await Promise.all(Array.from({ length: 5 }, () => feeder.step(backfill.id)));
    expect(await queuedIds()).toEqual(history.slice(0, 10));
    await new BackfillStore(pipeline.store.db).cancel(backfill, backfill.id);
    await deliverAll();
    await makeDue(pipeline, backfill);
    await feeder.step(backfill.id);
    expect(await queuedIds()).toHaveLength(10);
    expect(await progressOf(pipeline, backfill)).toMatchObject({ state: 'cancelled', queued: 10 });
  });

  it('does not wait for all backfills of another account', async () => {
    for (let count = 0; count < 30; count += 1) await requestBackfill(pipeline, await pipeline.destination());
    const { store, secrets, lanes } = pipeline;
    const accountId = await seedAccount(store);
    const other = await seedDestination(store, secrets, lanes, accountId);
    const { id } = await requestBackfill({ store, accountId }, other);
    const { due } = await new BackfillWalkStore(store.db).unfinished(100);
    expect(due).toHaveLength(11);
    expect(due.slice(0, 2)).toContain(id);
  });

  it('records the position and the deliveries in one transaction', async () => {
    const backfill = await counted();
    // A process that is killed before its commit.
    await pipeline.store.pool.query(
      `create function refuse_progress() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`,
    );
    await pipeline.store.pool.query(
      'create trigger refuse_progress before update on backfills for each row execute function refuse_progress()',
    );
    await expect(feeder.step(backfill.id)).rejects.toThrow('killed');
    await pipeline.store.pool.query('drop function refuse_progress cascade');
    expect(await queuedIds()).toEqual([]);
    await feeder.step(backfill.id);
    expect(await queuedIds()).toEqual(history.slice(0, 10));
  });

  it('ends with the destination', async () => {
    const backfill = await counted();
    await feeder.step(backfill.id);
    await pipeline.store.pool.query('delete from event_routes where destination_id = $1', [destination.id]);
    await pipeline.store.pool.query('delete from resources where id = $1', [destination.id]);
    await feedAll(feeder);
    const { rows } = await pipeline.store.pool.query('select from backfills');
    expect(rows).toEqual([]);
  });
});
