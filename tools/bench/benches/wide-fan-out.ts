import { median } from '../../harness/statistics.js';
import type { Bench } from '../bench.js';
import { CpuWatch } from '../cpu/cpu-watch.js';
import { seedSubscribed } from '../environment/destinations.js';
import { deliveryCounts, figure } from '../result.js';

const WIDTHS = [1_000, 100_000, 250_000];
const CHANGES = 3;

/**
 * Measures the request of a change with more and more destinations. No worker runs: the deliveries of large fan-outs
 * are created in the background.
 */
export const wideFanOut: Bench = {
  name: 'wide-fan-out',
  everyBackend: false,
  run: async function* (context) {
    for (const width of WIDTHS.map((full) => context.scaled(full))) {
      yield* context.withInstallation(async function* (installation) {
        context.log(`seeding ${width} destinations`);
        await seedSubscribed(installation, width);
        const load = await installation.openLoad();
        const watch = await CpuWatch.start(installation.pids());
        const took: number[] = [];
        for (let change = 1; change <= CHANGES; change += 1) {
          const startedAt = performance.now();
          await load.one();
          took.push(performance.now() - startedAt);
        }
        yield context.result({
          bench: 'wide-fan-out',
          variant: `to ${width}`,
          figures: [figure('request', median(took), 'ms'), figure('slowest_request', Math.max(...took), 'ms')],
          deliveries: deliveryCounts(0, 0, 0),
          cpu: await watch.stop(),
        });
      });
    }
  },
};
