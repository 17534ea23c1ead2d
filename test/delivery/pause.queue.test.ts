import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readDatabaseTime } from '../../src/database/database-time.js';
import { newAttemptToken } from '../../src/delivery/lanes/attempt-token.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { DeadWorkerStore } from '../../src/delivery/recovery/dead-worker-store.js';
import { Redeliveries } from '../../src/delivery/redelivery/redeliveries.js';
import { RedeliveryStore } from '../../src/delivery/redelivery/redelivery-store.js';
import { LaneTotalsStore } from '../../src/observability/lane-totals-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { until } from '../../tools/harness/until.js';
import { describeOnEveryBackend } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { attemptsOf, deliveriesOf, laneOf, seedEvents, type SeededDestination } from './support/seed.js';
import { sweeperOf } from './support/sweeper.js';

const DAY_MS = 86_400_000;
/** Longer than a sweep, a promoted job or a wake-up that is under way takes. */
const WATCHED_MS = 300;

describeOnEveryBackend('a paused lane', (backend) => {
  /** For what is the same with every queue. */
  const isPostgres = backend.name === 'postgres';
  let pipeline: Pipeline;
  let to: SeededDestination;
  beforeEach(async () => {
    // No sweep during a test, unless it makes one: what happens, happens at once.
    const settings = { SWEEP_INTERVAL_MS: '600000', DELIVERY_DEADLINE_HOURS: '24' };
    pipeline = await Pipeline.open(backend, settings, {
      ...targetLimits,
      data_stream: { ...targetLimits.data_stream, records: 150 },
    });
    to = await pipeline.destination();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await pipeline.close();
  });

  const pause = ({ id } = to) =>
    pipeline.store.db.transaction().execute(async (trx) => pipeline.lanes.pause(trx, id, await readDatabaseTime(trx)));

  /** Ends the pause as the API does: a commit, then the dispatch. */
  async function unpause({ id } = to): Promise<void> {
    await pipeline.store.db.transaction().execute((trx) => pipeline.lanes.unpause(trx, id));
    await pipeline.dispatcher.resume(id);
  }

  const sequences = () => pipeline.received(to).map(({ sequence }) => sequence);
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const states = async () => (await deliveriesOf(pipeline.store, to.id)).map(({ state }) => state);

  /** The ended pauses that a lane keeps. */
  async function pausesOf({ id }: SeededDestination): Promise<number | undefined> {
    const { rows } = await pipeline.store.pool.query<{ count: number }>(
      `select count(*)::int as count from delivery_lanes cross join unnest(pauses) where destination_id = $1`,
      [id],
    );
    return rows[0]?.count;
  }

  /** Makes everything that a wake-up could do, several times. */
  async function tryAll(): Promise<void> {
    for (let times = 0; times < 3; times += 1) {
      await pipeline.dispatcher.dispatch(to.id);
      await sweeperOf(pipeline).sweep();
      await sleep(WATCHED_MS / 3);
    }
  }

  /** Lets a week pass for a paused lane and what waits in it. */
  async function passWeek(): Promise<void> {
    await pipeline.store.pool.query(
      `update deliveries set created_at = created_at - interval '7 days', redelivered_at = redelivered_at - interval '7 days'
       where destination_id = $1`,
      [to.id],
    );
    await pipeline.store.pool.query(
      `update delivery_lanes set paused_at = paused_at - interval '7 days' where destination_id = $1`,
      [to.id],
    );
  }

  it('takes and sends nothing; the end of the pause sends all in order, at once', async () => {
    await pipeline.startWorker();
    const other = await pipeline.destination();
    await pause();
    for (let round = 0; round < 3; round += 1) await pipeline.publish([to, other], 100);
    await tryAll();
    await pipeline.settled(other);
    expect(sequences()).toEqual([]);
    expect(await laneOf(pipeline.store, to.id)).toMatchObject({ batch_id: null, next_sequence: 1 });
    await unpause();
    await pipeline.settled(to);
    expect(sequences()).toEqual(upTo(300));
  });

  it('records the batch that was in flight, and then makes no call', async () => {
    await pipeline.startWorker();
    const heal = pipeline.sandbox.script({ address: to.address, kind: 'slow', delayMs: 500 });
    await pipeline.publish([to], 450);
    await until(async () => (await laneOf(pipeline.store, to.id)).attempt_token !== null, 'a batch is in flight');
    await pause();
    const { next_sequence: assigned } = await laneOf(pipeline.store, to.id);
    heal();
    await until(async () => (await laneOf(pipeline.store, to.id)).batch_id === null, 'the batch is recorded');
    await tryAll();
    const { next_sequence: next } = await laneOf(pipeline.store, to.id);
    expect(sequences()).toEqual(upTo(next - 1));
    // Numbers of a batch that was claimed behind the first one may have gone back.
    expect(next).toBeLessThanOrEqual(assigned);
    expect(assigned).toBeLessThan(450);
    await unpause();
    await pipeline.settled(to);
    expect(sequences()).toEqual(upTo(450));
  });

  it('does not retry a batch that failed, until the end of the pause retries it at once', async () => {
    await pipeline.startWorker();
    const heal = pipeline.sandbox.script({ address: to.address, kind: 'unavailable' });
    await pipeline.publish([to], 3);
    await until(async () => (await attemptsOf(pipeline.store, to.id)).length > 1, 'it fails');
    await pause();
    await until(async () => (await laneOf(pipeline.store, to.id)).attempt_token === null, 'the attempt is recorded');
    heal();
    const before = await attemptsOf(pipeline.store, to.id);
    const { batch_id: batchId } = await laneOf(pipeline.store, to.id);
    await tryAll();
    expect(await attemptsOf(pipeline.store, to.id)).toEqual(before);
    const queue = pipeline.queues.queue(to.kind);
    await until(async () => (await queue.getJobState(batchId ?? '')) === 'delayed', 'the job is delayed');
    await unpause();
    await pipeline.settled(to);
    expect(sequences()).toEqual([1, 2, 3]);
    expect(await laneOf(pipeline.store, to.id)).toMatchObject({ batch_id: null, status: 'healthy', failures: 0 });
  });

  it('gets the job of its batch back when the queue store lost it in the pause, without a sweep', async () => {
    await pipeline.publish([to], 2);
    await pipeline.dispatcher.idle();
    const { batch_id: batchId } = await laneOf(pipeline.store, to.id);
    await pause();
    const queue = pipeline.queues.queue(to.kind);
    await (await queue.getJob(batchId ?? ''))?.remove();
    expect(await sweeperOf(pipeline).sweep()).toMatchObject({ rebuilt: 0, promoted: 0, dispatched: 0 });
    expect(await queue.getJobState(batchId ?? '')).toBe('unknown');
    await unpause();
    expect(await queue.getJobState(batchId ?? '')).toBe('waiting');
    await pipeline.startWorker();
    await pipeline.settled(to);
    expect(sequences()).toEqual([1, 2]);
  });

  it('is woken by the sweeper when the process dies between the end of the pause and the dispatch', async () => {
    await pause();
    await seedEvents(pipeline.store, [to], 2);
    await pipeline.store.db.transaction().execute((trx) => pipeline.lanes.unpause(trx, to.id));
    expect((await sweeperOf(pipeline).sweep()).dispatched).toBe(1);
    await pipeline.startWorker();
    await pipeline.settled(to);
    expect(sequences()).toEqual([1, 2]);
  });

  it('gets no job when its worker dies: the lease ends, and the batch waits', async () => {
    await pipeline.publish([to], 1);
    await pipeline.dispatcher.idle();
    const { batch_id: batchId } = await laneOf(pipeline.store, to.id);
    const presence = 4_711;
    const grant = await pipeline.lanes.lease(to.id, batchId ?? '', newAttemptToken(presence), 60_000);
    expect(grant.kind).toBe('granted');
    await pause();
    await pipeline.store.db.insertInto('worker_presences').values({ id: presence, instance: 'dead' }).execute();
    expect(await new DeadWorkerStore(pipeline.store.db).endLeases(presence)).toEqual([]);
    await pipeline.startWorker();
    await tryAll();
    expect(sequences()).toEqual([]);
    await unpause();
    await pipeline.settled(to);
    expect(sequences()).toEqual([1]);
  });

  it.runIf(isPostgres)('is among the paused ones in the totals, and its pause is no age of what waits', async () => {
    const totals = new LaneTotalsStore(pipeline.store.db);
    await seedEvents(pipeline.store, [to], 1);
    await pause();
    await passWeek();
    expect((await totals.page('')).totals).toMatchObject([{ state: 'paused', lanes: 1, pending: 1 }]);
    await pipeline.store.db.transaction().execute((trx) => pipeline.lanes.unpause(trx, to.id));
    const [total] = (await totals.page('')).totals;
    expect(total).toMatchObject({ state: 'healthy', lanes: 1, pending: 1 });
    expect(total?.oldestSeconds).toBeLessThan(DAY_MS / 1_000);
  });

  describe.runIf(isPostgres)('the deadline', () => {
    it('stands still: a pause of a week expires nothing, also when the destination still fails then', async () => {
      await pipeline.startWorker();
      const heal = pipeline.sandbox.script({ address: to.address, kind: 'unavailable' });
      await pipeline.publish([to], 2);
      await until(async () => (await attemptsOf(pipeline.store, to.id)).length > 1, 'it fails');
      await pause();
      await until(async () => (await laneOf(pipeline.store, to.id)).attempt_token === null, 'the attempt is recorded');
      await pipeline.publish([to], 200);
      await passWeek();
      await tryAll();
      expect(new Set(await states())).toEqual(new Set(['pending']));
      const failedBefore = (await attemptsOf(pipeline.store, to.id)).length;
      await unpause();
      const hasFailed = async () => (await attemptsOf(pipeline.store, to.id)).length > failedBefore + 1;
      await until(hasFailed, 'it fails again');
      expect(new Set(await states())).toEqual(new Set(['pending']));
      heal();
      await pipeline.settled(to);
      expect(sequences()).toEqual(upTo(202));
    });

    it('expires nothing after an attempt that was under way when the pause began', async () => {
      await pipeline.startWorker();
      pipeline.sandbox.script({ address: to.address, kind: 'slow', delayMs: 1_000 });
      pipeline.sandbox.script({ address: to.address, kind: 'unavailable' });
      await seedEvents(pipeline.store, [to], 1, { ageMs: 2 * DAY_MS });
      pipeline.dispatcher.notify([to.id]);
      await until(async () => (await laneOf(pipeline.store, to.id)).attempt_token !== null, 'a batch is in flight');
      await pause();
      await until(async () => (await attemptsOf(pipeline.store, to.id)).length > 0, 'the attempt is recorded');
      expect(await states()).toEqual(['pending']);
    });

    it('expires nothing after an attempt whose lane cannot be read; the attempt is recorded, the next one decides', async () => {
      vi.spyOn(LaneStore.prototype, 'isPaused').mockRejectedValueOnce(new Error('Connection terminated unexpectedly'));
      await pipeline.startWorker();
      pipeline.sandbox.script({ address: to.address, kind: 'unavailable' });
      await seedEvents(pipeline.store, [to], 1, { ageMs: 2 * DAY_MS });
      pipeline.dispatcher.notify([to.id]);
      await until(async () => (await states()).includes('expired'), 'it expired');
      expect(await attemptsOf(pipeline.store, to.id)).toHaveLength(2);
    });

    it('counts the time outside of pauses: what was overdue before them expires after them', async () => {
      await pipeline.startWorker();
      await seedEvents(pipeline.store, [to], 1, { ageMs: 2 * DAY_MS });
      await seedEvents(pipeline.store, [to], 1);
      await pause();
      await passWeek();
      pipeline.sandbox.script({ address: to.address, kind: 'unavailable' });
      await unpause();
      await until(async () => (await states()).includes('expired'), 'something expired');
      expect(await states()).toEqual(['expired', 'pending']);
    });

    it('leaves out each pause, of which a lane keeps fifty: beyond that, what waits gets more time, not less', async () => {
      const waitsDays = 60;
      await seedEvents(pipeline.store, [to], 1, { ageMs: waitsDays * DAY_MS });
      // Half of each of fifty days, and an hour now.
      await pipeline.store.pool.query(
        `update delivery_lanes
         set failures = 1, paused_at = now() - interval '1 hour',
             pauses = (select range_agg(tstzrange(now() - day * interval '1 day', now() - day * interval '1 day' + interval '12 hours'))
                       from generate_series(1, 50) as day)
         where destination_id = $1`,
        [to.id],
      );
      expect(await pipeline.lanes.expireWaiting(to.id, DAY_MS, 100)).toBe(0);
      await pipeline.store.db.transaction().execute((trx) => pipeline.lanes.unpause(trx, to.id));
      expect(await pausesOf(to)).toBe(50);
      // The oldest two became one, with the half day between them.
      const waitedDays = waitsDays - 50 / 2 - 1 / 2;
      expect(await pipeline.lanes.expireWaiting(to.id, waitedDays * DAY_MS, 100)).toBe(0);
      expect(await pipeline.lanes.expireWaiting(to.id, (waitedDays - 1) * DAY_MS, 100)).toBe(1);
    });

    it('needs no pause that ended before the first event that waits', async () => {
      await pause();
      await unpause();
      await pipeline.store.pool.query(
        `update delivery_lanes set pauses = '{[2026-01-01,2026-01-02),[2026-02-01,2026-02-02)}' where destination_id = $1`,
        [to.id],
      );
      await pause();
      await seedEvents(pipeline.store, [to], 1);
      await pipeline.store.db.transaction().execute((trx) => pipeline.lanes.unpause(trx, to.id));
      expect(await pausesOf(to)).toBe(1);
    });

    it('of a redelivery that is requested in the pause counts from its end', async () => {
      await pipeline.startWorker();
      await pipeline.publish([to], 1);
      await pipeline.settled(to);
      await pause();
      const redeliveries = new Redeliveries(new RedeliveryStore(pipeline.store.db), pipeline.dispatcher);
      const [delivery] = await deliveriesOf(pipeline.store, to.id);
      await redeliveries.events(to.accountId, to.id, [delivery?.event_id ?? '']);
      await tryAll();
      expect(sequences()).toEqual([1]);
      await pipeline.store.pool.query(
        `update deliveries set redelivered_at = redelivered_at - interval '7 days' where destination_id = $1`,
        [to.id],
      );
      await pipeline.store.pool.query(
        `update delivery_lanes set paused_at = paused_at - interval '8 days' where destination_id = $1`,
        [to.id],
      );
      pipeline.sandbox.script({ address: to.address, kind: 'unavailable', times: 1 });
      await unpause();
      await pipeline.settled(to);
      expect(sequences()).toEqual([1, 1]);
    });
  });
});
