import { notesOn, type Bench, type BenchContext } from '../bench.js';
import { CpuWatch, type CpuUse } from '../cpu/cpu-watch.js';
import { proveArrival, untilArrived } from '../environment/arrival.js';
import { drainBacklog, fill, release, warmUp } from '../environment/backlog.js';
import { createStreams } from '../environment/destinations.js';
import { seed } from '../environment/seeding.js';
import type { Stage } from '../environment/stage.js';
import { figure, proofOfAll, type BenchResult } from '../result.js';
import { highestRise, median } from '../statistics.js';

const backlogs = [10_000, 100_000, 1_000_000];
/** Events of one measurement; of three, the median counts. */
const WINDOW = 10_000;
const WINDOWS = 3;
const DELIVERED_BEFORE = 10_000_000;
/** Destinations that what was delivered before is spread over: each event went to all of them. */
const HISTORY_DESTINATIONS = 100;
const flat = { is: 'at most', value: 1.2 } as const;

/** What an event costs, in microseconds. */
interface Cost {
  readonly time: number;
  /** CPU of the worker, of Postgres and of Redis: what other work on the machine disturbs least. */
  readonly cpu: number;
}

/** What an event costs with ever more of them waiting, and with many delivered before. */
export const growth: Bench = {
  name: 'growth',
  everyBackend: false,
  run: async function* (context) {
    const costs: Cost[] = [];
    for (const backlog of backlogs) {
      yield* context.onStage(async function* (stage) {
        const result = await withPending(context, stage, context.scaled(backlog, 1_000), costs);
        yield result;
      });
    }
    yield* context.onStage(async function* (stage) {
      yield await withDelivered(context, stage, costs.slice(0, 1));
    });
  },
};

/** The first windows of a backlog; where it is no longer than one, as many backlogs. The rest is drained and counted. */
async function withPending(
  context: BenchContext,
  stage: Stage,
  pending: number,
  costs: Cost[],
): Promise<BenchResult> {
  const { sandbox } = stage.options;
  const size = Math.min(context.scaled(WINDOW, 1_000), pending);
  const ids = await createStreams(stage, 1);
  await stage.stop('api');
  await stage.start('worker');
  await warmUp(stage, ids);
  const short = pending < size * WINDOWS;
  const repeats = short ? WINDOWS : 1;
  const found: Cost[] = [];
  const watch = await CpuWatch.start(stage.processes());
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    context.say(`${pending} events wait (${repeat} of ${repeats})`);
    await fill(stage, ids, pending);
    let fromMs = await release(stage, ids);
    let from = (repeat - 1) * pending;
    let cpuOfWindow = await CpuWatch.start(stage.processes());
    for (let part = 1; part <= WINDOWS / repeats; part += 1) {
      const { events, atMs, lastAtMs } = await untilArrived(sandbox, from + size);
      const untilMs = short ? lastAtMs : atMs;
      found.push(costOf(events - from, (untilMs - fromMs) / 1_000, await cpuOfWindow.stop()));
      cpuOfWindow = await CpuWatch.start(stage.processes());
      [from, fromMs] = [events, untilMs];
    }
  }
  const proof = await proveArrival(stage, pending * repeats);
  const cpu = await watch.stop();
  return resultOf(context, `${pending} pending`, { found, costs, proof, cpu });
}

/** Fresh events of one destination among a long history of it and of others. */
async function withDelivered(context: BenchContext, stage: Stage, costs: Cost[]): Promise<BenchResult> {
  const ids = await createStreams(stage, HISTORY_DESTINATIONS);
  await stage.stop('api');
  const events = Math.max(10, Math.round(context.scaled(DELIVERED_BEFORE) / HISTORY_DESTINATIONS));
  const delivered = events * HISTORY_DESTINATIONS;
  context.say(`writing ${delivered} delivered ones`);
  await seed(stage, { destinationIds: ids, events, to: 'all', state: 'delivered' });
  await stage.start('worker');
  const measured = ids.slice(0, 1);
  await warmUp(stage, measured);
  const found: Cost[] = [];
  const proofs = [];
  const watch = await CpuWatch.start(stage.processes());
  for (let part = 1; part <= WINDOWS; part += 1) {
    const { seconds, proof, cpu } = await drainBacklog(stage, measured, context.scaled(WINDOW, 1_000));
    found.push(costOf(proof.expected, seconds, cpu));
    proofs.push(proof);
  }
  const cpu = await watch.stop();
  return resultOf(context, `${delivered} delivered`, { found, costs, proof: proofOfAll(proofs), cpu });
}

function costOf(events: number, seconds: number, { seconds: used }: CpuUse): Cost {
  const cpu = ['worker', 'postgres', 'redis'].reduce((sum, name) => sum + (used[name] ?? 0), 0);
  return { time: (seconds / events) * 1e6, cpu: (cpu / events) * 1e6 };
}

function resultOf(
  { backend }: BenchContext,
  variant: string,
  {
    found,
    costs,
    proof,
    cpu,
  }: {
    found: readonly Cost[];
    costs: Cost[];
    proof: BenchResult['deliveries'];
    cpu: CpuUse;
  },
): BenchResult {
  const cost = { time: median(found.map(({ time }) => time)), cpu: median(found.map((one) => one.cpu)) };
  costs.push(cost);
  const rises = [
    figure('rise_of_cost', highestRise(costs.map((one) => one.cpu)), '', flat),
    figure('rise_of_time', highestRise(costs.map(({ time }) => time)), '', flat),
  ];
  return {
    bench: 'growth',
    variant,
    backend,
    figures: [
      figure('cpu_per_event', cost.cpu, 'µs'),
      figure('time_per_event', cost.time, 'µs'),
      ...(costs.length > 1 ? rises : []),
    ],
    deliveries: proof,
    cpu_percent: cpu.percent,
    seconds: cpu.wallSeconds,
    notes: notesOn(cpu.percent),
  };
}
