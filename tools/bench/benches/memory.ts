import { subscribe } from '../../harness/destinations.js';
import { drift, median } from '../../harness/statistics.js';
import type { Bench, BenchContext } from '../bench.js';
import { CpuWatch } from '../cpu/cpu-watch.js';
import { MemoryWatch } from '../cpu/memory-watch.js';
import { verifyArrival } from '../environment/arrival.js';
import { drainBacklog, warmWorker } from '../environment/backlog.js';
import { createStreams, streamArn } from '../environment/destinations.js';
import type { Installation } from '../environment/installation.js';
import { seed } from '../environment/seeding.js';
import { figure, type BenchResult } from '../result.js';

const EVENTS_FOR_DEAD_DESTINATION = 100_000;
/** Events of one commit. The dispatcher is notified after each, as in the API. */
const EVENTS_PER_COMMIT = 1_000;
const DRAINED = 1_000_000;
const LOAD_SECONDS = 30;
const WARM_UP_SECONDS = 3;

/** Measures the memory of the queue store, the worker and the api. */
export const memory: Bench = {
  name: 'memory',
  everyBackend: true,
  run: async function* (context) {
    for (const part of [deadDestination, workerWhileDraining, apiUnderLoad]) {
      yield* context.withInstallation(async function* (installation) {
        yield await part(context, installation);
      });
    }
  },
};

/** Measures the growth of the queue store while a destination refuses every event. */
async function deadDestination(context: BenchContext, installation: Installation): Promise<BenchResult> {
  const events = context.scaled(EVENTS_FOR_DEAD_DESTINATION, 2_000);
  const ids = await createStreams(installation, 1);
  await warmWorker(installation, ids);
  const dispatcher = await installation.dispatcher();
  await installation.options.sandbox.script({
    target: 'data_stream',
    address: streamArn(1),
    kind: 'unavailable',
  });
  const before = await queueStoreBytes(installation);
  const watch = await CpuWatch.start(installation.pids());
  context.log(`${events} events for a dead destination`);
  let highest = before;
  for (let written = 0; written < events; written += EVENTS_PER_COMMIT) {
    const some = Math.min(EVENTS_PER_COMMIT, events - written);
    await seed(installation, { destinationIds: ids, events: some, to: 'all', state: 'pending' });
    dispatcher.notify(ids);
    highest = Math.max(highest, await queueStoreBytes(installation));
  }
  const cpu = await watch.stop();
  await installation.options.sandbox.clear();
  for (const id of ids) await dispatcher.resume(id);
  const deliveries = await verifyArrival(installation, events);
  return context.result({
    bench: 'memory',
    variant: `queue store, ${events} waiting`,
    figures: [figure('growth', (highest - before) / 1e6, 'MB', { is: 'under', value: 5 })],
    deliveries,
    cpu,
  });
}

async function queueStoreBytes({ options, environment, pool, prefix }: Installation): Promise<number> {
  if (options.backend === 'redis') return (await environment.redis?.usedBytes()) ?? Number.NaN;
  const { rows } = await pool.query<{ bytes: string }>(
    `select coalesce(sum(pg_total_relation_size(oid)), 0)::text as bytes from pg_class
     where relnamespace = $1::regnamespace and relkind = 'r'`,
    [prefix],
  );
  return Number(rows[0]?.bytes);
}

/** Measures a worker's memory while it drains a backlog. */
async function workerWhileDraining(context: BenchContext, installation: Installation): Promise<BenchResult> {
  const events = context.scaled(DRAINED, 5_000);
  const ids = await createStreams(installation, 1);
  await warmWorker(installation, ids);
  context.log(`worker that drains ${events} events`);
  const samples = new MemoryWatch(installation.pid('worker'));
  const { deliveries, seconds, cpu } = await drainBacklog(installation, ids, events);
  const megabytes = samples.stop();
  return context.result({
    bench: 'memory',
    variant: `worker, ${events} drained`,
    figures: [
      figure('rss_median', median(megabytes), 'MB'),
      figure('rss_highest', Math.max(...megabytes), 'MB', { is: 'under', value: 300 }),
      figure('rss_second_half_to_first', drift(megabytes), '', { is: 'at most', value: 1.2 }),
    ],
    deliveries,
    cpu,
    seconds,
  });
}

/** Measures the api's memory under as many writes as it accepts. */
async function apiUnderLoad(context: BenchContext, installation: Installation): Promise<BenchResult> {
  const ids = await createStreams(installation, 1);
  await subscribe(installation.client, ids);
  const load = await installation.openLoad();
  await load.saturate(WARM_UP_SECONDS);
  const seconds = Math.max(2, context.scaled(LOAD_SECONDS));
  context.log(`api under load for ${seconds} s`);
  const samples = new MemoryWatch(installation.pid('api'));
  const watch = await CpuWatch.start(installation.pids());
  await load.saturate(seconds);
  const cpu = await watch.stop();
  const megabytes = samples.stop();
  await installation.start('worker');
  return context.result({
    bench: 'memory',
    variant: 'api under load',
    figures: [
      figure('rss_median', median(megabytes), 'MB'),
      figure('rss_highest', Math.max(...megabytes), 'MB'),
      figure('rss_second_half_to_first', drift(megabytes), ''),
    ],
    deliveries: await verifyArrival(installation, load.answered),
    cpu,
  });
}
