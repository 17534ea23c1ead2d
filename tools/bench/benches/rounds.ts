import { median } from '../../harness/statistics.js';
import type { BenchContext } from '../bench.js';
import { CpuWatch, type CpuUse } from '../cpu/cpu-watch.js';
import type { Installation } from '../environment/installation.js';
import type { Load } from '../load/load.js';
import type { BareRoute } from './bare-route.js';

/** The two sides take turns, so that other work on the machine affects both. */
const ROUND_SECONDS = 5;
const ROUNDS = 3;
const WARM_UP_SECONDS = 2;

/** One side of a comparison: medians of the rounds. */
export interface Side {
  /** Requests per second. */
  readonly perSecond: number;
  /** CPU of the server and of Postgres for each request, in microseconds. Other work hardly changes it. */
  readonly cpuOfEach: number;
}

/** What the rounds measured. */
export interface Comparison {
  readonly ours: Side;
  readonly bare: Side;
  readonly cpu: CpuUse;
  /** How long each request of ours took after the warm-up, in milliseconds. */
  readonly durations: readonly number[];
}

/** Returns how long a round lasts, in seconds. */
export function roundSeconds(context: BenchContext): number {
  return Math.max(1, context.scaled(ROUND_SECONDS));
}

/** Sends as many requests as possible to the service and to the bare route, in alternating rounds. */
export async function compareWithBareRoute(
  context: BenchContext,
  installation: Installation,
  sides: { readonly load: Load; readonly route: BareRoute },
  name: string,
): Promise<Comparison> {
  const { load, route } = sides;
  const seconds = roundSeconds(context);
  await route.load.saturate(WARM_UP_SECONDS);
  await load.saturate(WARM_UP_SECONDS);
  const warmedUp = load.durations.length;
  const processes = { ...installation.pids(), bare_route: route.pid };
  const watch = await CpuWatch.start(processes);
  const ours: Side[] = [];
  const bares: Side[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    context.log(`${name}, round ${round} of ${ROUNDS}`);
    bares.push(await measureRound(route.load, seconds, processes));
    ours.push(await measureRound(load, seconds, processes));
  }
  const cpu = await watch.stop();
  return { ours: medians(ours), bare: medians(bares), cpu, durations: load.durations.slice(warmedUp) };
}

async function measureRound(
  load: Load,
  seconds: number,
  processes: Readonly<Record<string, number | null>>,
): Promise<Side> {
  const before = load.answered;
  const watch = await CpuWatch.start(processes);
  const perSecond = await load.saturate(seconds);
  const { seconds: used } = await watch.stop();
  const cpuSeconds = ['api', 'bare_route', 'postgres'].reduce((sum, name) => sum + (used[name] ?? 0), 0);
  return { perSecond, cpuOfEach: (cpuSeconds / (load.answered - before)) * 1e6 };
}

function medians(rounds: readonly Side[]): Side {
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    cpuOfEach: median(rounds.map(({ cpuOfEach }) => cpuOfEach)),
  };
}
