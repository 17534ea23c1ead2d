import { targetKinds } from '../../../src/targets/target.js';
import type { Bench } from '../bench.js';
import { CpuWatch } from '../cpu/cpu-watch.js';
import { verifyArrival, waitForArrival } from '../environment/arrival.js';
import { fill, release, warmWorker } from '../environment/backlog.js';
import { createDestination } from '../environment/destinations.js';
import { figure } from '../result.js';

const CHANGES = 5_000;

/** Each kind of target, and those that can pack several events into a record, also packed. */
const variants = [
  ...targetKinds.map((kind) => ({ name: kind, kind, options: {} })),
  ...(['delivery_stream', 'data_stream'] as const).map((kind) => ({
    name: `${kind}, packed`,
    kind,
    options: { records: 'packed' },
  })),
];

/** Delivers a burst of changes of one resource to each kind of target: events a second, and calls at the vendor. */
export const burst: Bench = {
  name: 'burst',
  everyBackend: false,
  run: async function* (context) {
    for (const { name, kind, options } of variants) {
      yield* context.withInstallation(async function* (installation) {
        const { sandbox } = installation.options;
        const events = context.scaled(CHANGES, 200);
        const ids = [await createDestination(installation, kind, options)];
        await warmWorker(installation, ids);
        await fill(installation, ids, events, true);
        context.log(`${events} changes of one resource to ${name}`);
        const watch = await CpuWatch.start(installation.pids());
        const startedAtMs = await release(installation, ids);
        const { lastAtMs } = await waitForArrival(sandbox, events);
        const cpu = await watch.stop();
        const deliveries = await verifyArrival(installation, events);
        const calls = await sandbox.calls();
        yield context.result({
          bench: 'burst',
          variant: name,
          figures: [
            figure('delivered', (events * 1_000) / (lastAtMs - startedAtMs), 'events/s'),
            figure(
              'calls',
              calls.reduce((sum, call) => sum + (call.target === kind ? call.calls : 0), 0),
              'calls',
            ),
          ],
          deliveries,
          cpu,
        });
      });
    }
  },
};
