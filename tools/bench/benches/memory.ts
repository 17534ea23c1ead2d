import { notesOn, type Bench, type BenchContext } from '../bench.js';
import { CpuWatch } from '../cpu/cpu-watch.js';
import { MemoryWatch } from '../cpu/memory-watch.js';
import { proveArrival } from '../environment/arrival.js';
import { drainBacklog, warmUp } from '../environment/backlog.js';
import { createStreams, streamArn, subscribe } from '../environment/destinations.js';
import { seed } from '../environment/seeding.js';
import type { Stage } from '../environment/stage.js';
import { apiHeaders, Load } from '../load/load.js';
import { figure, type BenchResult } from '../result.js';
import { drift, median } from '../statistics.js';

const WAITING_FOR_THE_DEAD = 100_000;
/** Events of one commit while they wait: the lane is touched after each, as the API would. */
const EVENTS_PER_COMMIT = 1_000;
const DRAINED = 1_000_000;
const LOAD_SECONDS = 30;
const WARM_UP_SECONDS = 3;

/** What the queue store, the worker and the api hold. */
export const memory: Bench = {
  name: 'memory',
  everyBackend: true,
  run: async function* (context) {
    for (const part of [deadDestination, workerWhileDraining, apiUnderLoad]) {
      yield* context.onStage(async function* (stage) {
        yield await part(context, stage);
      });
    }
  },
};

/** How much the queue store grows while events wait for a destination that refuses everything. */
async function deadDestination(context: BenchContext, stage: Stage): Promise<BenchResult> {
  const events = context.scaled(WAITING_FOR_THE_DEAD, 2_000);
  const ids = await createStreams(stage, 1);
  await stage.stop('api');
  await stage.start('worker');
  await warmUp(stage, ids);
  const dispatcher = await stage.dispatcher();
  await stage.options.sandbox.script({ target: 'data_stream', address: streamArn(1), kind: 'unavailable' });
  const before = await queueStoreBytes(stage);
  const watch = await CpuWatch.start(stage.processes());
  context.say(`${events} events for a destination that is dead`);
  let highest = before;
  for (let written = 0; written < events; written += EVENTS_PER_COMMIT) {
    const some = Math.min(EVENTS_PER_COMMIT, events - written);
    await seed(stage, { destinationIds: ids, events: some, to: 'all', state: 'pending' });
    dispatcher.notify(ids);
    highest = Math.max(highest, await queueStoreBytes(stage));
  }
  const cpu = await watch.stop();
  await stage.options.sandbox.clear();
  for (const id of ids) await dispatcher.resume(id);
  const deliveries = await proveArrival(stage, events);
  return {
    bench: 'memory',
    variant: `queue store, ${events} waiting`,
    backend: context.backend,
    figures: [figure('growth', (highest - before) / 1e6, 'MB', { is: 'under', value: 5 })],
    deliveries,
    cpu_percent: cpu.percent,
    seconds: cpu.wallSeconds,
    notes: [],
  };
}

async function queueStoreBytes({ options, ground, pool, prefix }: Stage): Promise<number> {
  if (options.backend === 'redis') return (await ground.redis?.usedBytes()) ?? Number.NaN;
  const { rows } = await pool.query<{ bytes: string }>(
    `select coalesce(sum(pg_total_relation_size(oid)), 0)::text as bytes from pg_class
     where relnamespace = $1::regnamespace and relkind = 'r'`,
    [prefix],
  );
  return Number(rows[0]?.bytes);
}

/** Whether a worker grows with what it delivers. */
async function workerWhileDraining(context: BenchContext, stage: Stage): Promise<BenchResult> {
  const events = context.scaled(DRAINED, 5_000);
  const ids = await createStreams(stage, 1);
  await stage.stop('api');
  await stage.start('worker');
  await warmUp(stage, ids);
  context.say(`worker while it drains ${events} events`);
  const samples = new MemoryWatch(stage.pid('worker'));
  const { proof, seconds, cpu } = await drainBacklog(stage, ids, events);
  const megabytes = samples.stop();
  return {
    bench: 'memory',
    variant: `worker, ${events} drained`,
    backend: context.backend,
    figures: [
      figure('rss_median', median(megabytes), 'MB'),
      figure('rss_highest', Math.max(...megabytes), 'MB', { is: 'under', value: 300 }),
      figure('rss_second_half_to_first', drift(megabytes), '', { is: 'at most', value: 1.2 }),
    ],
    deliveries: proof,
    cpu_percent: cpu.percent,
    seconds,
    notes: notesOn(cpu.percent),
  };
}

/** What the api holds while it is written to as fast as it can. */
async function apiUnderLoad(context: BenchContext, stage: Stage): Promise<BenchResult> {
  const ids = await createStreams(stage, 1);
  await subscribe(stage, ids);
  const load = await Load.open(stage.apiUrl, apiHeaders(stage));
  try {
    await load.flat(WARM_UP_SECONDS);
    const seconds = Math.max(2, context.scaled(LOAD_SECONDS));
    context.say(`api under load for ${seconds} s`);
    const samples = new MemoryWatch(stage.pid('api'));
    const watch = await CpuWatch.start(stage.processes());
    await load.flat(seconds);
    const cpu = await watch.stop();
    const megabytes = samples.stop();
    await stage.start('worker');
    return {
      bench: 'memory',
      variant: 'api under load',
      backend: context.backend,
      figures: [
        figure('rss_median', median(megabytes), 'MB'),
        figure('rss_highest', Math.max(...megabytes), 'MB'),
        figure('rss_second_half_to_first', drift(megabytes), ''),
      ],
      deliveries: await proveArrival(stage, load.created),
      cpu_percent: cpu.percent,
      seconds: cpu.wallSeconds,
      notes: notesOn(cpu.percent),
    };
  } finally {
    load.close();
  }
}
