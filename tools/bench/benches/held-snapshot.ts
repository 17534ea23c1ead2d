import { Client } from 'pg';
import type { Bench } from '../bench.js';
import { CpuWatch } from '../cpu/cpu-watch.js';
import { drainBacklog, warmWorker } from '../environment/backlog.js';
import { createStreams } from '../environment/destinations.js';
import { figure, sumOfCounts } from '../result.js';
import { drainWindows } from './cost.js';

/** Events that are delivered while a snapshot is held, before its effect is measured. */
const DELIVERED_UNDER_SNAPSHOT = 200_000;
const flat = { is: 'at most', value: 1.05 } as const;

/**
 * Measures the cost of an event while a transaction holds a snapshot, as a backup does: no dead entry of what was
 * delivered since can be removed.
 */
export const heldSnapshot: Bench = {
  name: 'held-snapshot',
  everyBackend: false,
  run: (context) =>
    context.withInstallation(async function* (installation) {
      const ids = await createStreams(installation, 1);
      await warmWorker(installation, ids);
      const watch = await CpuWatch.start(installation.pids());
      context.log('without a held snapshot');
      const before = await drainWindows(context, installation, ids);
      const holder = new Client({ connectionString: installation.connectionString });
      await holder.connect();
      await holder.query('begin isolation level repeatable read');
      await holder.query('select count(*) from delivery_lanes');
      const delivered = context.scaled(DELIVERED_UNDER_SNAPSHOT, 2_000);
      context.log(`${delivered} events under a held snapshot`);
      const under = await drainBacklog(installation, ids, delivered);
      const after = await drainWindows(context, installation, ids);
      await holder.query('rollback');
      await holder.end();
      yield context.result({
        bench: 'held-snapshot',
        variant: `${delivered} delivered`,
        figures: [
          figure('cpu_per_event_before', before.cost.cpu, 'µs'),
          figure('cpu_per_event', after.cost.cpu, 'µs'),
          figure('rise_of_cost', after.cost.cpu / before.cost.cpu, '', flat),
          figure('rise_of_time', after.cost.time / before.cost.time, '', flat),
        ],
        deliveries: sumOfCounts([...before.drained, under, ...after.drained].map(({ deliveries }) => deliveries)),
        cpu: await watch.stop(),
      });
    }),
};
