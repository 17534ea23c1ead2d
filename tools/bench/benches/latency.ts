import { notesOn, type Bench } from '../bench.js';
import { CpuWatch } from '../cpu/cpu-watch.js';
import { proveArrival } from '../environment/arrival.js';
import { createDestination, subscribe } from '../environment/destinations.js';
import { apiHeaders, Load } from '../load/load.js';
import { figure } from '../result.js';
import { percentile } from '../statistics.js';

const CHANGES_PER_SECOND = 100;
const CHANGES = 3_000;
const WARM_UP_CHANGES = 300;

/** From the API's answer to the sandbox's receipt, at a steady hundred changes a second. */
export const latency: Bench = {
  name: 'latency',
  everyBackend: true,
  run: (context) =>
    context.onStage(
      async function* (stage) {
        const { sandbox } = stage.options;
        const id = await createDestination(stage, 'data_stream');
        await subscribe(stage, [id]);
        await stage.start('worker');
        const load = await Load.open(stage.apiUrl, apiHeaders(stage));
        try {
          await load.paced(CHANGES_PER_SECOND, WARM_UP_CHANGES);
          await proveArrival(stage, WARM_UP_CHANGES);
          await sandbox.clear();
          const count = context.scaled(CHANGES, 300);
          context.say(`${count} changes, ${CHANGES_PER_SECOND} a second`);
          const watch = await CpuWatch.start(stage.processes());
          const answers = await load.paced(CHANGES_PER_SECOND, count);
          const cpu = await watch.stop();
          const deliveries = await proveArrival(stage, count);
          const receivedAt = new Map<string, number>();
          for (const { body, receivedAtMs } of await sandbox.received('data_stream')) {
            const { request } = JSON.parse(body) as { request: { operation_id: string } };
            if (!receivedAt.has(request.operation_id)) receivedAt.set(request.operation_id, receivedAtMs);
          }
          const latencies = answers.flatMap(({ operationId, atMs }) => {
            const at = receivedAt.get(operationId);
            // It may be there before the answer: it is sent as soon as the change is committed.
            return at === undefined ? [] : [Math.max(0, at - atMs)];
          });
          const goal = { is: 'under', value: 50 } as const;
          yield {
            bench: 'latency',
            variant: `${CHANGES_PER_SECOND} changes/s`,
            backend: context.backend,
            figures: [
              figure('p50', percentile(latencies, 0.5), 'ms'),
              figure(
                'p99',
                percentile(latencies, 0.99),
                'ms',
                context.backend === 'redis' ? goal : undefined,
              ),
              figure('highest', Math.max(...latencies), 'ms'),
              figure('changes', count / cpu.wallSeconds, 'changes/s'),
            ],
            deliveries,
            cpu_percent: cpu.percent,
            seconds: cpu.wallSeconds,
            notes: notesOn(cpu.percent),
          };
        } finally {
          load.close();
        }
      },
      { recording: true },
    ),
};
