import { subscribe } from '../../harness/destinations.js';
import { highestRise } from '../../harness/statistics.js';
import type { Bench, BenchContext } from '../bench.js';
import { CpuWatch } from '../cpu/cpu-watch.js';
import { countArrived, verifyArrival, waitForArrival } from '../environment/arrival.js';
import { createStreams } from '../environment/destinations.js';
import { figure, type BenchResult } from '../result.js';
import { lastArrival } from './peers/change-rows.js';
import { goals } from './peers/goals.js';
import { inTurns } from './peers/turns.js';

const widths = [1, 10, 100, 1_000];
/** Deliveries at each width at full scale: the number of changes follows from it. */
const DELIVERIES_AT_EACH = 5_000;
const LEAST_CHANGES = 3;

/** Widths at which the last arrival is compared with that of the plain BullMQ worker. */
const COMPARED_FROM = 100;

/** Measures the cost of a delivery while one change goes to more and more destinations. */
export const fanOut: Bench = {
  name: 'fan-out',
  everyBackend: true,
  run: async function* (context) {
    const costs: number[] = [];
    for (const width of widths.filter((one) => one <= Math.max(10, context.scaled(1_000)))) {
      yield* context.withInstallation(async function* (installation) {
        const { sandbox } = installation.options;
        const ids = await createStreams(installation, width);
        await subscribe(installation.client, ids);
        await installation.start('worker');
        const load = await installation.openLoad();
        const changes = Math.max(LEAST_CHANGES, context.scaled(DELIVERIES_AT_EACH) / width);
        const makeChanges = async (count: number) => {
          let arrivedAfterMs = 0;
          await sandbox.clear();
          for (let change = 1; change <= count; change += 1) {
            // Checkpoints arrive as well.
            const { events, repeats } = await countArrived(sandbox);
            const { atMs } = await load.one();
            const { lastAtMs } = await waitForArrival(sandbox, events - repeats + width);
            arrivedAfterMs += Math.max(0, lastAtMs - atMs);
          }
          return arrivedAfterMs / count;
        };
        const count = Math.round(changes);
        await makeChanges(context.warmUp(Math.max(2, Math.min(20, count))));
        context.log(`${count} changes, each to ${width} destinations`);
        const watch = await CpuWatch.start(installation.pids());
        const lastAfterMs = await makeChanges(count);
        const cpu = await watch.stop();
        const used = ['api', 'worker', 'postgres', 'redis'].reduce((sum, name) => sum + (cpu.seconds[name] ?? 0), 0);
        const cost = (used / (count * width)) * 1e6;
        costs.push(cost);
        const flat = { is: 'at most', value: 1.2 } as const;
        yield context.result({
          bench: 'fan-out',
          variant: `to ${width}`,
          figures: [
            figure('cpu_per_delivery', cost, 'µs'),
            figure('last_arrival_after', lastAfterMs, 'ms'),
            ...(costs.length > 1 ? [figure('rise_of_cost', highestRise(costs), '', flat)] : []),
          ],
          deliveries: await verifyArrival(installation, count * width),
          cpu,
        });
      });
      if (width >= COMPARED_FROM) yield await compared(context, width);
    }
  },
};

async function compared(context: BenchContext, width: number): Promise<BenchResult> {
  const { waybill, plain } = await inTurns(context, lastArrival(width), ['waybill', 'plain'], `fan-out to ${width}`);
  const ours = waybill.values[`last_arrival_${width}`] ?? Number.NaN;
  const theirs = plain.values[`last_arrival_${width}`] ?? Number.NaN;
  const cpu = `cpu_per_delivery_${width}`;
  return context.result({
    bench: 'fan-out',
    variant: `to ${width}, by turns`,
    figures: [
      figure('last_arrival', ours, 'ms', goals[`last_arrival_${width}`]),
      figure('cpu_per_delivery', waybill.values[cpu] ?? Number.NaN, 'ms', goals[cpu]),
      figure('cpu_per_delivery_of_plain_worker', plain.values[cpu] ?? Number.NaN, 'ms'),
      figure('last_arrival_of_plain_worker', theirs, 'ms'),
      figure('ratio_to_plain_worker', ours / theirs, '', { is: 'at most', value: 1.5 }),
    ],
    deliveries: waybill.deliveries,
    cpu: waybill.cpu,
  });
}
