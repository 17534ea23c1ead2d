import { afterAll, beforeAll, expect, it } from 'vitest';
import { BatchJobs } from '../../src/delivery/dispatch/batch-jobs.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { unattended } from '../../src/maintenance/maintenance.js';
import { MaintenanceTaskStore } from '../../src/maintenance/task-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { onPostgres } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { laneOf, seedEvents } from './support/seed.js';
import { sweeperOf } from './support/sweeper.js';

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await Pipeline.open(onPostgres);
});
afterAll(() => pipeline.close());

/** Claims the destination's next batch as a process would that died a minute ago, before it added the job. */
async function claimWithoutJob(destinationId: string, batchId: string): Promise<void> {
  await pipeline.lanes.claim(destinationId, batchId);
  await pipeline.store.pool.query(
    `update delivery_lanes set claimed_at = now() - interval '1 minute' where destination_id = $1`,
    [destinationId],
  );
}

it('checks every lane although one check fails, and throws its error in the end', async () => {
  const broken = await pipeline.destination({ kind: 'monitoring' });
  const others = await Promise.all(Array.from({ length: 30 }, () => pipeline.destination()));
  await seedEvents(pipeline.store, [broken, ...others], 1);
  for (const { id } of [broken, ...others]) await claimWithoutJob(id, `bat_${id}`);

  const sweeper = sweeperOf(pipeline, {
    queues: {
      ...pipeline.queues,
      queue: (kind) => {
        if (kind === 'monitoring') throw new Error('this job cannot be read');
        return pipeline.queues.queue(kind);
      },
    },
  });
  await expect(sweeper.sweep()).rejects.toThrow('this job cannot be read');

  const queue = pipeline.queues.queue('data_stream');
  const states = await Promise.all(others.map(({ id }) => queue.getJobState(`bat_${id}`)));
  expect(states).toEqual(others.map(() => 'waiting'));
});

it('adds a job for a batch whose job ended without settling it', async () => {
  const destination = await pipeline.destination();
  const jobs = new BatchJobs(pipeline.queues);
  const queue = pipeline.queues.queue('data_stream');
  const batchId = 'bat_ended';
  // Its lane has no batch yet, so its job ends at once.
  await jobs.add({ destinationId: destination.id, targetKind: 'data_stream', batchId, events: [], failures: 0 });
  await pipeline.startWorker();
  await expect.poll(() => queue.getJobState(batchId)).toBe('completed');
  await pipeline.stopWorkers();

  await seedEvents(pipeline.store, [destination], 2);
  await claimWithoutJob(destination.id, batchId);
  await sweeperOf(pipeline).sweep();
  expect(await queue.getJobState(batchId)).toBe('waiting');
  const job = await queue.getJob(batchId);
  expect(job?.data.events.map(({ sequence }) => sequence)).toEqual([1, 2]);
});

it('reports progress while it checks lanes, and ends early when the process stops', async () => {
  const destinations = await Promise.all(Array.from({ length: 45 }, () => pipeline.destination()));
  await seedEvents(pipeline.store, destinations, 1);
  for (const { id } of destinations) await claimWithoutJob(id, `bat_${id}`);
  const stop = new AbortController();
  class Stopping extends LaneStore {
    override async eventsOf(...given: Parameters<LaneStore['eventsOf']>) {
      stop.abort();
      return super.eventsOf(...given);
    }
  }
  const stopping = sweeperOf(pipeline, { lanes: new Stopping(pipeline.store.db, targetLimits) });
  const { rebuilt } = await stopping.sweep({ ...unattended, stopped: stop.signal });
  expect(rebuilt).toBeGreaterThan(0);
  expect(rebuilt).toBeLessThanOrEqual(20);
  let progress = 0;
  const rest = await sweeperOf(pipeline).sweep({ ...unattended, progressed: () => void (progress += 1) });
  expect(rest.rebuilt).toBeGreaterThanOrEqual(45 - rebuilt);
  // After the page, and after each 20 lanes.
  expect(progress).toBeGreaterThanOrEqual(4);
});

it('gives one process a turn when it is due, also after the clock was set back', async () => {
  const tasks = new MaintenanceTaskStore(pipeline.store.db);
  const task = 'a task of this test';
  const dueIn = (interval: string) =>
    pipeline.store.pool.query('update maintenance_tasks set due_at = now() + $2::interval where name = $1', [
      task,
      interval,
    ]);
  expect(await tasks.takeTurn(task, 60_000)).toBe(true);
  expect(await tasks.takeTurn(task, 60_000)).toBe(false);
  await dueIn('-1 second');
  expect(await tasks.takeTurn(task, 60_000)).toBe(true);
  // As the row looks from an hour earlier.
  await dueIn('1 hour');
  expect(await tasks.takeTurn(task, 60_000)).toBe(true);
  expect(await tasks.takeTurn(task, 60_000)).toBe(false);
});

it('gives one of two concurrent processes a turn, also when the first to begin comes last', async () => {
  const task = 'a task of two';
  await pipeline.store.db.transaction().execute(async (trx) => {
    // The time of a transaction is that of its first statement.
    await trx.selectFrom('maintenance_tasks').select('name').execute();
    expect(await new MaintenanceTaskStore(pipeline.store.db).takeTurn(task, 60_000)).toBe(true);
    expect(await new MaintenanceTaskStore(trx).takeTurn(task, 60_000)).toBe(false);
  });
});

/**
 * Resumes a lane, as its owner would, just when what waits in it is expired: the claim that follows a resume is void
 * then.
 */
class ResumedMeanwhile extends LaneStore {
  override async expireWaiting(destinationId: string, deadlineMs: number, limit: number): Promise<number> {
    const expired = await super.expireWaiting(destinationId, deadlineMs, limit);
    await this.resume(destinationId);
    return expired;
  }
}

/** Makes a lane wait for the end of a backoff. */
const failing = (destinationId: string) =>
  pipeline.store.pool.query(
    `update delivery_lanes set failures = 3, status = 'retrying', resume_at = now() + interval '1 hour'
     where destination_id = $1`,
    [destinationId],
  );

it('reports what it expired although another check failed', async () => {
  const overdue = await pipeline.destination();
  await seedEvents(pipeline.store, [overdue], 1, { ageMs: 2 * 3_600_000 });
  await failing(overdue.id);
  const counts: number[] = [];
  const sweeper = sweeperOf(pipeline, {
    epochs: { checkIfFenced: () => Promise.reject(new Error('Redis is away')) },
    observer: { swept: ({ expired }) => void counts.push(expired) },
  });
  await expect(sweeper.run()).rejects.toThrow('Redis is away');
  expect(counts).toEqual([1]);
});

it('claims a lane that was resumed while its overdue deliveries were expired', async () => {
  const destination = await pipeline.destination();
  await seedEvents(pipeline.store, [destination], 1, { ageMs: 2 * 3_600_000 });
  await seedEvents(pipeline.store, [destination], 1);
  await failing(destination.id);
  const { expired } = await sweeperOf(pipeline, {
    lanes: new ResumedMeanwhile(pipeline.store.db, targetLimits),
  }).sweep();
  expect(expired).toBe(1);
  await pipeline.dispatcher.idle();
  expect((await laneOf(pipeline.store, destination.id)).batch_id).not.toBeNull();
});

/** A lane of which 1,000 deliveries expire with each of 100 statements. */
class ManyOverdue extends LaneStore {
  private statements = 0;
  override async expireWaiting(): Promise<number> {
    this.statements += 1;
    return this.statements > 100 ? 0 : 1_000;
  }
}

it('expires a bounded part of what is overdue in one lane, with progress', async () => {
  const destination = await pipeline.destination();
  await seedEvents(pipeline.store, [destination], 1);
  await failing(destination.id);
  let progress = 0;
  const sweeper = sweeperOf(pipeline, { lanes: new ManyOverdue(pipeline.store.db, targetLimits) });
  const { expired } = await sweeper.sweep({ ...unattended, progressed: () => void (progress += 1) });
  expect(expired).toBe(10_000);
  expect(progress).toBeGreaterThan(10);
  await pipeline.dispatcher.idle();
});

it('checks some pages of many lanes in each sweep, and every lane within a few', async () => {
  const { pool } = pipeline.store;
  await pool.query(
    `insert into resources (id, account_id, kind, attributes, created_at, updated_at)
     select 'ed_many_' || n, $1, 'event_destination', '{}', now(), now() from generate_series(1, 7000) n`,
    [pipeline.accountId],
  );
  await pool.query(
    `insert into delivery_lanes (destination_id, account_id, target_kind)
     select id, account_id, 'data_stream' from resources where id like 'ed_many_%'`,
  );
  const sweeper = sweeperOf(pipeline, { budgetMs: 0 });
  await sweeper.sweep();
  // The lanes of this installation are in the order of their ids: these come last.
  const last = { id: 'ed_many_9', accountId: pipeline.accountId, kind: 'data_stream', address: '' } as const;
  await seedEvents(pipeline.store, [last], 1);
  const found: number[] = [];
  for (let sweep = 1; sweep <= 4; sweep += 1) found.push((await sweeper.sweep()).dispatched);
  expect(found.reduce((sum, one) => sum + one)).toBe(1);
  expect(found[0]).toBe(0);
  // The first sweep of a process checks all lanes.
  await pool.query(`update delivery_lanes set batch_id = null where destination_id = $1`, [last.id]);
  expect((await sweeperOf(pipeline, { budgetMs: 0 }).sweep()).dispatched).toBe(1);
  await pool.query(`delete from resources where id like 'ed_many_%'`);
});
