import type { Bench, BenchContext } from '../bench.js';
import { CpuWatch } from '../cpu/cpu-watch.js';
import { figure } from '../result.js';
import { startBareRoute } from './bare-route.js';
import { trickle as row } from './peers/change-rows.js';
import { goals } from './peers/goals.js';
import { inTurns } from './peers/turns.js';

const CHANGES_PER_SECOND = 50;
const CHANGES = 1_000;
const WARM_UP_CHANGES = 200;

/**
 * Measures 50 changes a second. Compares with the plain BullMQ worker, and with that plus one transaction of three
 * rows, which Waybill's record costs.
 */
export const trickle: Bench = {
  name: 'trickle',
  everyBackend: true,
  run: async function* (context) {
    const { waybill, plain } = await inTurns(context, row, ['waybill', 'plain'], 'trickle');
    context.log('bare transactions of three rows');
    const transaction = await bareTransaction(context);
    const ours = waybill.values;
    const theirs = plain.values;
    const reference = (theirs['cpu_per_event'] ?? Number.NaN) + transaction;
    yield context.result({
      bench: 'trickle',
      variant: `${CHANGES_PER_SECOND} changes/s`,
      figures: [
        ...Object.entries(ours).map(([name, value]) => figure(name, value, 'ms', goals[name])),
        figure('cpu_per_event_of_plain_worker', theirs['cpu_per_event'] ?? Number.NaN, 'ms'),
        figure('cpu_of_three_rows', transaction, 'ms'),
        figure('ratio_of_cpu', (ours['cpu_per_event'] ?? Number.NaN) / reference, '', { is: 'at most', value: 1 }),
        figure('p50_of_plain_worker', theirs['p50'] ?? Number.NaN, 'ms'),
        figure('p99_of_plain_worker', theirs['p99'] ?? Number.NaN, 'ms'),
        figure('ratio_of_p99', (ours['p99'] ?? Number.NaN) / (theirs['p99'] ?? Number.NaN), '', {
          is: 'at most',
          value: 3,
        }),
      ],
      deliveries: waybill.deliveries,
      cpu: waybill.cpu,
    });
  },
};

/** Returns the CPU of the bare route and of Postgres for each change at the same rate, in milliseconds. */
async function bareTransaction(context: BenchContext): Promise<number> {
  const work = context.withInstallation(async function* (installation) {
    await installation.stop('api');
    const { load, pid } = await startBareRoute(installation);
    await load.paced(CHANGES_PER_SECOND, context.warmUp(WARM_UP_CHANGES));
    const watch = await CpuWatch.start({ ...installation.pids(), bare_route: pid });
    const count = context.scaled(CHANGES, 200);
    await load.paced(CHANGES_PER_SECOND, count);
    const { seconds } = await watch.stop();
    yield (((seconds['bare_route'] ?? 0) + (seconds['postgres'] ?? 0)) / count) * 1_000;
  });
  for await (const cost of work) return cost;
  throw new Error('nothing was measured');
}
