import { highestRise } from '../../harness/statistics.js';
import type { Bench, BenchContext } from '../bench.js';
import { CpuWatch, type CpuUse } from '../cpu/cpu-watch.js';
import { verifyArrival, waitForArrival } from '../environment/arrival.js';
import { fill, release, warmWorker } from '../environment/backlog.js';
import { createStreams } from '../environment/destinations.js';
import type { Installation } from '../environment/installation.js';
import { seed } from '../environment/seeding.js';
import { figure, sumOfCounts, type BenchResult } from '../result.js';
import { costOf, drainWindows, medianCost, WINDOW, WINDOWS, type Cost } from './cost.js';

const backlogs = [10_000, 100_000, 1_000_000];
const DELIVERED_BEFORE = 10_000_000;
/** Destinations of the delivered events: each event went to all of them. */
const HISTORY_DESTINATIONS = 100;
const flat = { is: 'at most', value: 1.05 } as const;

/** Measures the cost of an event with a growing backlog, and with a long history. */
export const growth: Bench = {
  name: 'growth',
  everyBackend: false,
  run: async function* (context) {
    const costs: Cost[] = [];
    for (const backlog of backlogs) {
      yield* context.withInstallation(async function* (installation) {
        const result = await withPending(context, installation, context.scaled(backlog, 1_000), costs);
        yield result;
      });
    }
    yield* context.withInstallation(async function* (installation) {
      yield await withDelivered(context, installation, costs.slice(0, 1));
    });
  },
};

/** Measures the first windows of a backlog, or several backlogs if one is too short. Drains and counts the rest. */
async function withPending(
  context: BenchContext,
  installation: Installation,
  pending: number,
  costs: Cost[],
): Promise<BenchResult> {
  const { sandbox } = installation.options;
  const size = Math.min(context.scaled(WINDOW, 1_000), pending);
  const ids = await createStreams(installation, 1);
  await warmWorker(installation, ids);
  const short = pending < size * WINDOWS;
  const repeats = short ? WINDOWS : 1;
  const found: Cost[] = [];
  const watch = await CpuWatch.start(installation.pids());
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    context.log(`${pending} waiting events (${repeat} of ${repeats})`);
    await fill(installation, ids, pending);
    let fromMs = await release(installation, ids);
    let from = (repeat - 1) * pending;
    let cpuOfWindow = await CpuWatch.start(installation.pids());
    for (let part = 1; part <= WINDOWS / repeats; part += 1) {
      const { events, atMs, lastAtMs } = await waitForArrival(sandbox, from + size);
      const untilMs = short ? lastAtMs : atMs;
      found.push(costOf(events - from, (untilMs - fromMs) / 1_000, await cpuOfWindow.stop()));
      cpuOfWindow = await CpuWatch.start(installation.pids());
      [from, fromMs] = [events, untilMs];
    }
  }
  const deliveries = await verifyArrival(installation, pending * repeats);
  const cpu = await watch.stop();
  return resultOf(context, `${pending} pending`, { cost: medianCost(found), costs, deliveries, cpu });
}

/** Measures new events of one destination that has a long history, like others. */
async function withDelivered(context: BenchContext, installation: Installation, costs: Cost[]): Promise<BenchResult> {
  const ids = await createStreams(installation, HISTORY_DESTINATIONS);
  await installation.stop('api');
  const events = Math.max(10, Math.round(context.scaled(DELIVERED_BEFORE) / HISTORY_DESTINATIONS));
  const delivered = events * HISTORY_DESTINATIONS;
  context.log(`writing ${delivered} delivered events`);
  await seed(installation, { destinationIds: ids, events, to: 'all', state: 'delivered' });
  const measured = ids.slice(0, 1);
  await warmWorker(installation, measured);
  const watch = await CpuWatch.start(installation.pids());
  const { cost, drained } = await drainWindows(context, installation, measured);
  const deliveries = sumOfCounts(drained.map((window) => window.deliveries));
  return resultOf(context, `${delivered} delivered`, { cost, costs, deliveries, cpu: await watch.stop() });
}

function resultOf(
  context: BenchContext,
  variant: string,
  {
    cost,
    costs,
    deliveries,
    cpu,
  }: {
    cost: Cost;
    costs: Cost[];
    deliveries: BenchResult['deliveries'];
    cpu: CpuUse;
  },
): BenchResult {
  costs.push(cost);
  const rises = [
    figure('rise_of_cost', highestRise(costs.map((one) => one.cpu)), '', flat),
    figure('rise_of_time', highestRise(costs.map(({ time }) => time)), '', flat),
  ];
  return context.result({
    bench: 'growth',
    variant,
    figures: [
      figure('cpu_per_event', cost.cpu, 'µs'),
      figure('time_per_event', cost.time, 'µs'),
      ...(costs.length > 1 ? rises : []),
    ],
    deliveries,
    cpu,
  });
}
