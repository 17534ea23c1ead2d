import { subscribe } from '../../harness/destinations.js';
import { percentile } from '../../harness/statistics.js';
import type { Bench } from '../bench.js';
import { verifyArrival } from '../environment/arrival.js';
import { createDestination } from '../environment/destinations.js';
import { apiHeaders, Load, type LoadWork } from '../load/load.js';
import { figure } from '../result.js';
import { startBareRoute } from './bare-route.js';
import { compareWithBareRoute } from './rounds.js';

const BATCH = 100;
const CONNECTIONS = 8;

/** Batches of events, each of a resource of its own, about 500 bytes each. */
const batches: LoadWork = {
  path: '/events',
  connections: CONNECTIONS,
  status: 202,
  body: (number) =>
    JSON.stringify({ events: Array.from({ length: BATCH }, (_, index) => event(number * BATCH + index)) }),
};

function event(number: number) {
  return {
    id: `${number}`,
    type: 'bench_order_created.v0',
    resource_id: `order-${number}`,
    object: {
      id: `order-${number}`,
      status: 'open',
      customer: `customer-${number % 1_000}`,
      lines: Array.from({ length: 5 }, (_, line) => ({ sku: `sku-${line}`, quantity: line + 1, price: 1_250 })),
    },
    principal: { id: 'user-7', subject: 'Ada' },
  };
}

/**
 * Measures `POST /events` in batches of a registered type, with one subscribed destination. Compares with a bare route
 * that inserts the same rows with one statement.
 */
export const publish: Bench = {
  name: 'publish',
  everyBackend: false,
  run: (context) =>
    context.withInstallation(async function* (installation) {
      const { client } = installation;
      await client.create('/resource_types', { name: 'bench_order' });
      const id = await createDestination(installation, 'data_stream');
      await subscribe(client, [id], ['bench_order_created.v0']);
      const route = await startBareRoute(installation);
      const bareLoad = await Load.open(route.baseUrl, { 'user-agent': 'waybill-bench' }, batches);
      const load = await Load.open(installation.apiUrl, apiHeaders(installation), batches);
      try {
        const sides = { load, bareLoad, bare: route };
        const { ours, bare, cpu, durations } = await compareWithBareRoute(context, installation, sides, 'publish');
        context.log('delivery of what was published');
        await installation.start('worker');
        yield context.result({
          bench: 'publish',
          variant: `batches of ${BATCH}, ${CONNECTIONS} connections`,
          figures: [
            figure('published', ours.perSecond * BATCH, 'events/s'),
            figure('bare_route', bare.perSecond * BATCH, 'events/s'),
            figure('ratio_to_bare_route', ours.perSecond / bare.perSecond, '', { is: 'at least', value: 0.5 }),
            figure('cpu_per_event', ours.cpuOfEach / BATCH, 'µs'),
            figure('cpu_per_event_of_bare_route', bare.cpuOfEach / BATCH, 'µs'),
            figure('p50', percentile(durations, 0.5), 'ms'),
            figure('p99', percentile(durations, 0.99), 'ms'),
          ],
          deliveries: await verifyArrival(installation, load.answered * BATCH),
          cpu,
        });
      } finally {
        load.close();
        bareLoad.close();
        await route.close();
      }
    }),
};
