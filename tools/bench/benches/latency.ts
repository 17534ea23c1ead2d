import { subscribe } from '../../harness/destinations.js';
import { percentile } from '../../harness/statistics.js';
import type { Bench } from '../bench.js';
import { CpuWatch } from '../cpu/cpu-watch.js';
import { verifyArrival } from '../environment/arrival.js';
import { createDestination } from '../environment/destinations.js';
import { figure } from '../result.js';
import { latenciesOf } from './peers/change-rows.js';

const CHANGES_PER_SECOND = 100;
const CHANGES = 3_000;
const WARM_UP_CHANGES = 300;

/** Measures the time from the API's response to the arrival at the sandbox, at a steady rate of changes. */
export const latency: Bench = {
  name: 'latency',
  everyBackend: true,
  run: (context) =>
    context.withInstallation(
      async function* (installation) {
        const { sandbox } = installation.options;
        const id = await createDestination(installation, 'data_stream');
        await subscribe(installation.client, [id]);
        await installation.start('worker');
        const load = await installation.openLoad();
        await load.paced(CHANGES_PER_SECOND, WARM_UP_CHANGES);
        await verifyArrival(installation, WARM_UP_CHANGES);
        await sandbox.clear();
        const count = context.scaled(CHANGES, 300);
        context.log(`${count} changes, ${CHANGES_PER_SECOND} a second`);
        const watch = await CpuWatch.start(installation.pids());
        const responses = await load.paced(CHANGES_PER_SECOND, count);
        const cpu = await watch.stop();
        const deliveries = await verifyArrival(installation, count);
        const latencies = await latenciesOf(sandbox, responses);
        const goal = { is: 'under', value: 50 } as const;
        yield context.result({
          bench: 'latency',
          variant: `${CHANGES_PER_SECOND} changes/s`,
          figures: [
            figure('p50', percentile(latencies, 0.5), 'ms'),
            figure('p99', percentile(latencies, 0.99), 'ms', context.backend === 'redis' ? goal : undefined),
            figure('highest', Math.max(...latencies), 'ms'),
            figure('changes', count / cpu.wallSeconds, 'changes/s'),
          ],
          deliveries,
          cpu,
        });
      },
      { recording: true },
    ),
};
