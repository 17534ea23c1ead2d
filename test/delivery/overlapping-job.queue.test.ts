import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { until } from '../../tools/harness/until.js';
import { describeOnEveryBackend } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { attemptsOf, deliveriesOf, laneOf, seedEvents, type SeededDestination } from './support/seed.js';

describeOnEveryBackend('a job that overlaps recording and sending', (backend) => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await Pipeline.open(backend, { SWEEP_INTERVAL_MS: '1000' });
  });
  beforeEach(() => pipeline.sandbox.clear());
  afterAll(() => pipeline.close());

  const expectOnceInOrder = (destination: SeededDestination, ids: readonly string[]): void => {
    const received = pipeline.received(destination);
    expect(received.map(({ event_id }) => event_id)).toEqual(ids);
    expect(received.map(({ sequence }) => sequence)).toEqual(ids.map((_, index) => index + 1));
  };
  const deliveredOf = async ({ id }: SeededDestination): Promise<number> =>
    (await deliveriesOf(pipeline.store, id)).filter(({ state }) => state === 'delivered').length;

  it('records a batch during the next call', async () => {
    const destination = await pipeline.destination();
    const ids = await seedEvents(pipeline.store, [destination], 2_200);
    pipeline.sandbox.script({ address: destination.address, kind: 'slow', delayMs: 700, contains: ids[700] ?? '' });
    await pipeline.startWorker();
    pipeline.dispatcher.notify([destination.id]);
    await until(async () => {
      const { batch_first_sequence: first, batch_delivery_ids: batch } = await laneOf(pipeline.store, destination.id);
      return first === 501 && batch?.length === 1_000 && (await deliveredOf(destination)) === 500;
    }, 'the first batch is recorded, and the third claimed, while the second is sent');
    await pipeline.settled(destination);
    expectOnceInOrder(destination, ids);
    await pipeline.stopWorkers();
  });

  it('repeats nothing when a call in the middle fails, and keeps the order', async () => {
    const destination = await pipeline.destination();
    const ids = await seedEvents(pipeline.store, [destination], 2_700);
    const { address } = destination;
    for (const at of [700, 1_300, 2_600]) {
      pipeline.sandbox.script({ address, kind: 'unavailable', times: 1, contains: ids[at] ?? '' });
    }
    await pipeline.startWorker();
    pipeline.dispatcher.notify([destination.id]);
    await pipeline.settled(destination);
    expectOnceInOrder(destination, ids);
    const failed = (await attemptsOf(pipeline.store, destination.id)).filter(({ outcome }) => outcome === 'retrying');
    expect(failed).toHaveLength(3);
    await pipeline.stopWorkers();
  });

  it('records everything that was sent when it is stopped, and gives back the rest', async () => {
    const destination = await pipeline.destination();
    const ids = await seedEvents(pipeline.store, [destination], 6_000);
    pipeline.sandbox.script({ address: destination.address, kind: 'slow', delayMs: 30 });
    await pipeline.startWorker();
    pipeline.dispatcher.notify([destination.id]);
    await until(() => pipeline.received(destination).length >= 1_500, 'some batches arrived');
    await pipeline.stopWorkers();
    const sent = pipeline.received(destination).length;
    expect(sent).toBeLessThan(6_000);
    expect(await deliveredOf(destination)).toBe(sent);
    expect((await laneOf(pipeline.store, destination.id)).attempt_token).toBeNull();
    await pipeline.startWorker();
    pipeline.dispatcher.notify([destination.id]);
    await pipeline.settled(destination);
    expectOnceInOrder(destination, ids);
    await pipeline.stopWorkers();
  });

  it('sends no second call beyond what is recorded, and repeats only that when its lease is lost', async () => {
    const destination = await pipeline.destination();
    const ids = await seedEvents(pipeline.store, [destination], 2_200);
    const holder = new Client({ connectionString: pipeline.store.connectionString });
    await holder.connect();
    // A row of the first batch: the record waits for it while it holds the lane's row. A locked table would stop it
    // before that, where its plan is made.
    await holder.query('begin');
    await holder.query('select from deliveries where destination_id = $1 and event_id = $2 for update', [
      destination.id,
      ids[0],
    ]);
    const { rows: backends } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
    const waitingFor = async (pid: number | undefined): Promise<number | undefined> => {
      const { rows } = await pipeline.store.pool.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and $1 = any(pg_blocking_pids(pid))`,
        [pid],
      );
      return rows[0]?.pid;
    };
    await pipeline.startWorker();
    pipeline.dispatcher.notify([destination.id]);
    let recording = 0;
    await until(async () => {
      recording = (await waitingFor(backends[0]?.pid)) ?? 0;
      return recording > 0 && pipeline.received(destination).length >= 1_000;
    }, 'two batches are sent, and the first waits to be recorded');
    // As another worker does when the lease has ended.
    const takeOver = pipeline.store.pool.query(
      `update delivery_lanes set attempt_token = 'att_other', attempt_until = now() where destination_id = $1`,
      [destination.id],
    );
    await until(async () => (await waitingFor(recording)) !== undefined, 'the other worker waits as well');
    expect(pipeline.received(destination)).toHaveLength(1_000);
    // The statement that waits ends without a record, as when its connection is lost.
    await pipeline.store.pool.query('select pg_cancel_backend($1)', [recording]);
    await takeOver;
    await holder.query('rollback');
    await holder.end();
    await pipeline.settled(destination);
    const received = pipeline.received(destination);
    expect(received.map(({ event_id }) => event_id)).toEqual([...ids.slice(0, 1_000), ...ids]);
    expect(received.map(({ sequence }) => sequence)).toEqual(
      [...ids.slice(0, 1_000), ...ids].map((id) => ids.indexOf(id) + 1),
    );
    await pipeline.stopWorkers();
  });
});
