import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, it } from 'vitest';
import { DELIVERY_OBSERVER, unobserved } from '../../src/delivery/delivery-observer.js';
import { newAttemptToken } from '../../src/delivery/lanes/attempt-token.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import type { Lease } from '../../src/delivery/lanes/lane.js';
import type { EndedAttempt } from '../../src/delivery/lanes/settle-statement.js';
import type { BatchJobData } from '../../src/delivery/queues/job.js';
import { DeadWorkerStore } from '../../src/delivery/recovery/dead-worker-store.js';
import { PRESENCE_TIMES } from '../../src/delivery/recovery/worker-presence.js';
import { newId } from '../../src/ids/id.js';
import { provide } from '../../src/lifecycle/provide.js';
import { until } from '../../tools/harness/until.js';
import { describeOnEveryBackend } from '../support/redis.js';
import { healthySettlement } from './support/healthy-settlement.js';
import { Pipeline } from './support/pipeline.js';
import { attemptsOf, laneOf, seedEvents, type SeededDestination } from './support/seed.js';

/** A lease that a test waits for, in milliseconds: longer than it takes to see that a worker with a presence died. */
const SHORT_LEASE_MS = 5_000;

/** A lease or a lock that does not end by itself during a test. */
const HOUR_MS = 3_600_000;

describeOnEveryBackend('a worker that dies in the middle of a batch', (backend) => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await Pipeline.open(backend);
  });
  afterAll(() => pipeline.close());

  async function presences(): Promise<number> {
    return (await pipeline.store.db.selectFrom('worker_presences').select('id').execute()).length;
  }

  /** Publishes events, whose job a worker takes that does `last`, and then renews neither lease nor lock. */
  async function dieWith(
    destination: SeededDestination,
    last: (job: BatchJobData) => Promise<void>,
    { count = 3, lockMs = HOUR_MS } = {},
  ) {
    let taken = '';
    const dying = pipeline.queues.worker(
      'monitoring',
      async ({ data }) => {
        await last(data);
        taken = data.batchId;
        return new Promise(() => {});
      },
      { concurrency: 1, lockMs, backoffMs: () => 0 },
    );
    void dying.run();
    const published = await pipeline.publish([destination], count);
    await until(() => taken !== '', 'the job is taken');
    await dying.close(true);
    const { attempt_until: leasedUntil } = await laneOf(pipeline.store, destination.id);
    return { published, batchId: taken, leasedUntil };
  }

  it('without a presence delays its batch by a lease, and loses no event', async ({ expect }) => {
    const destination = await pipeline.destination({ kind: 'monitoring' });
    const { published, leasedUntil } = await dieWith(
      destination,
      async ({ destinationId, batchId }) => {
        await pipeline.lanes.lease(destinationId, batchId, newAttemptToken(null), SHORT_LEASE_MS);
      },
      { lockMs: SHORT_LEASE_MS },
    );
    await pipeline.startWorker();
    await pipeline.settled(destination);
    expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
    const attempts = await attemptsOf(pipeline.store, destination.id);
    expect(attempts).toMatchObject([{ number: 2, delivered: 3 }]);
    expect(attempts[0]?.started_at.getTime()).toBeGreaterThanOrEqual(leasedUntil?.getTime() ?? Infinity);
    expect((await laneOf(pipeline.store, destination.id)).batch_id).toBeNull();
    await pipeline.stopWorkers();
  });

  it.for(['leased', 'taken'] as const)(
    'leaves a batch that it has %s to another worker, long before lease and lock end',
    async (how, { expect }) => {
      const destination = await pipeline.destination({ kind: 'monitoring' });
      const death = how === 'leased' ? 4711 : 4712;
      const dying = await dieWith(destination, async ({ destinationId, batchId }) => {
        if (how === 'leased') await pipeline.lanes.lease(destinationId, batchId, newAttemptToken(death), HOUR_MS);
      });
      const deaths: number[] = [];
      await pipeline.store.db.insertInto('worker_presences').values({ id: death, instance: 'dead' }).execute();
      await pipeline.startWorker(
        {},
        provide(DELIVERY_OBSERVER, [], () => ({ ...unobserved, workerDied: (leases) => deaths.push(leases) })),
      );
      await pipeline.settled(destination);
      expect(deaths).toEqual([how === 'leased' ? 1 : 0]);
      // The dead worker has the batch's own job still: its lock has not ended.
      expect(await pipeline.queues.queue('monitoring').getJobState(dying.batchId)).toBe('active');
      const attempts = await attemptsOf(pipeline.store, destination.id);
      expect(attempts).toMatchObject([{ number: how === 'leased' ? 2 : 1, batch_id: dying.batchId, delivered: 3 }]);
      if (dying.leasedUntil) expect(attempts[0]?.started_at.getTime()).toBeLessThan(dying.leasedUntil.getTime());
      expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(dying.published);
      await pipeline.stopWorkers();
    },
  );

  it.for([
    { what: 'two batches that it may have sent', records: false },
    { what: 'a batch that it sends, and the one behind it', records: true },
  ])('leaves $what to another worker, with the same numbers', async ({ records }, { expect }) => {
    const destination = await pipeline.destination({ kind: 'monitoring' });
    const death = records ? 4715 : 4714;
    const { store, lanes } = pipeline;
    const batches = new BatchStore(store.db, 'log.test');
    const claimedBehind = async (current: Lease, recorded: EndedAttempt | null): Promise<Lease> => {
      const next = { batchId: newId('bat'), token: current.token };
      const result = await lanes.advance({ recorded, current, next }, HOUR_MS);
      if (result.kind === 'unchanged' || !result.next) throw new Error('nothing was claimed behind');
      return result.next;
    };
    const dying = await dieWith(
      destination,
      async ({ destinationId, batchId }) => {
        const grant = await lanes.lease(destinationId, batchId, newAttemptToken(death), HOUR_MS);
        if (grant.kind !== 'granted') throw new Error(`not granted: ${grant.kind}`);
        const second = await claimedBehind(grant.lease, null);
        if (!records) return;
        const deliveries = await batches.load(grant.lease);
        const delivered = deliveries.map(({ id, event: { sequence } }) => ({ id, sequence }));
        const settlement = { ...healthySettlement, delivered, undelivered: [] };
        await claimedBehind(second, { lease: grant.lease, settlement });
      },
      { count: 2_500 },
    );
    await store.db.insertInto('worker_presences').values({ id: death, instance: 'dead' }).execute();
    const recorded = records ? 1_000 : 0;
    const held = await laneOf(store, destination.id);
    expect(held.batch_delivery_ids).toHaveLength(records ? 1_500 : 2_000);
    await pipeline.startWorker();
    await pipeline.settled(destination);
    const received = pipeline.received(destination);
    expect(received.map(({ event_id }) => event_id)).toEqual(dying.published.slice(recorded));
    expect(received.map(({ sequence }) => sequence)).toEqual(received.map((_, index) => recorded + index + 1));
    const attempts = await attemptsOf(store, destination.id);
    const repeated = attempts.find(({ number }) => number === 2);
    expect(repeated).toMatchObject({ batch_id: held.batch_id, delivered: records ? 1_500 : 2_000 });
    expect(repeated?.started_at.getTime()).toBeLessThan(dying.leasedUntil?.getTime() ?? 0);
    await pipeline.stopWorkers();
  });

  it('whose batch fails at another worker does not delay the retry', async ({ expect }) => {
    const destination = await pipeline.destination({ kind: 'monitoring' });
    const death = 4716;
    const lease = async ({ destinationId, batchId }: BatchJobData): Promise<void> => {
      await pipeline.lanes.lease(destinationId, batchId, newAttemptToken(death), HOUR_MS);
    };
    const { batchId, published } = await dieWith(destination, lease);
    await pipeline.store.db.insertInto('worker_presences').values({ id: death, instance: 'dead' }).execute();
    pipeline.sandbox.script({ address: destination.address, kind: 'unavailable', times: 2 });
    await pipeline.startWorker();
    await pipeline.settled(destination);
    const attempts = await attemptsOf(pipeline.store, destination.id);
    expect(attempts.map(({ number, batch_id, delivered }) => [number, batch_id, delivered])).toEqual([
      [2, batchId, 0],
      [3, batchId, 0],
      [4, batchId, 3],
    ]);
    expect(await pipeline.queues.queue('monitoring').getJobState(batchId)).toBe('active');
    expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
    await pipeline.stopWorkers();
  });

  it('leaves an idle lane with deliveries to another worker at once', async ({ expect }) => {
    const destination = await pipeline.destination({ kind: 'monitoring' });
    // No sweep but the one after the death comes in time.
    await pipeline.startWorker({ SWEEP_INTERVAL_MS: HOUR_MS });
    await until(async () => (await presences()) === 1, 'the worker is registered');
    await sleep(1_000);
    const published = await seedEvents(pipeline.store, [destination], 3);
    await pipeline.store.db.insertInto('worker_presences').values({ id: 4713, instance: 'dead' }).execute();
    await pipeline.settled(destination);
    expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
    await pipeline.stopWorkers();
  });

  // Presences are the same with every queue.
  it.runIf(backend.name === 'postgres')(
    'is not seen in a worker that lives, whose sessions are ended',
    async ({ expect }) => {
      const destination = await pipeline.destination({ kind: 'monitoring' });
      // On a busy machine a session may take longer than a worker has. dead-workers.test.ts controls the clock.
      const times = provide(PRESENCE_TIMES, [], () => ({ lostMs: HOUR_MS, confirmMs: HOUR_MS }));
      await pipeline.startWorker({ INSTANCE_NAME: 'sender' }, times);
      pipeline.sandbox.script({ address: destination.address, kind: 'slow', delayMs: 4_000, times: 1 });
      await pipeline.publish([destination], 3);
      await until(
        async () => (await laneOf(pipeline.store, destination.id)).attempt_token?.includes('.') === true,
        'the batch is leased',
      );
      await pipeline.startWorker({ INSTANCE_NAME: 'other' }, times);
      await until(async () => (await presences()) === 2, 'the other worker is registered');
      const { id } = await pipeline.store.db
        .selectFrom('worker_presences')
        .select('id')
        .where('instance', '=', 'sender')
        .executeTakeFirstOrThrow();
      let ended = 0;
      while (ended < 2 || (await attemptsOf(pipeline.store, destination.id)).length === 0) {
        const lost = await holderOf(id);
        await pipeline.store.pool.query('select pg_terminate_backend($1)', [lost]);
        ended += 1;
        await until(async () => ![null, lost].includes(await holderOf(id)), 'the session is open again');
        // A worker that takes the other one for dead asks for its lock, and does not get it.
        expect(await new DeadWorkerStore(pipeline.store.db).endLeases(id)).toBeNull();
      }
      await pipeline.settled(destination);
      expect(await attemptsOf(pipeline.store, destination.id)).toMatchObject([{ number: 1, delivered: 3 }]);
      expect(pipeline.received(destination)).toHaveLength(3);
      await pipeline.stopWorkers();
      expect(await presences()).toBe(0);
    },
  );

  /** Returns the process of the session that holds the lock of a presence; null while there is none. */
  async function holderOf(presenceId: number): Promise<number | null> {
    const { rows } = await pipeline.store.pool.query<{ pid: number }>(
      `select l.pid from pg_locks l join pg_database d on d.oid = l.database
       where l.locktype = 'advisory' and l.granted and l.mode = 'ShareLock' and l.objid = $1 and d.datname = current_database()`,
      [presenceId],
    );
    return rows[0]?.pid ?? null;
  }
});
