import { subscribe } from '../../harness/destinations.js';
import type { Bench } from '../bench.js';
import { verifyArrival } from '../environment/arrival.js';
import { createDestination } from '../environment/destinations.js';
import { figure } from '../result.js';
import { startBareRoute } from './bare-route.js';
import { compareWithBareRoute, roundSeconds } from './rounds.js';

/**
 * Measures `POST /ip_policies` with one subscribed destination. Compares with a bare route that inserts the same three
 * rows.
 */
export const writes: Bench = {
  name: 'writes',
  everyBackend: true,
  run: (context) =>
    context.withInstallation(async function* (installation) {
      const id = await createDestination(installation, 'data_stream');
      await subscribe(installation.client, [id]);
      const route = await startBareRoute(installation);
      const load = await installation.openLoad();
      const { ours, bare, cpu } = await compareWithBareRoute(context, installation, { load, route }, 'writes');
      context.log('writes while a worker delivers');
      await installation.start('worker');
      const delivering = await load.saturate(roundSeconds(context));
      yield context.result({
        bench: 'writes',
        variant: '32 connections',
        figures: [
          figure('writes', ours.perSecond, 'requests/s'),
          figure('bare_route', bare.perSecond, 'requests/s'),
          figure('ratio_to_bare_route', ours.perSecond / bare.perSecond, '', { is: 'at least', value: 0.85 }),
          figure('cpu_per_write', ours.cpuOfEach, 'µs'),
          figure('cpu_per_write_of_bare_route', bare.cpuOfEach, 'µs'),
          figure('writes_while_delivering', delivering, 'requests/s'),
        ],
        deliveries: await verifyArrival(installation, load.answered),
        cpu,
      });
    }),
};
