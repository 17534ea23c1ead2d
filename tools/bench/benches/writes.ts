import { notesOn, type Bench } from '../bench.js';
import { CpuWatch } from '../cpu/cpu-watch.js';
import { proveArrival } from '../ground/arrival.js';
import { createDestination, subscribe } from '../ground/destinations.js';
import { apiHeaders, Load } from '../load/load.js';
import { figure } from '../result.js';
import { median } from '../statistics.js';
import { startBareRoute } from './bare-route.js';

/** Seconds of one round, and rounds of each side by turns: what disturbs the machine disturbs both. */
const roundSeconds = 5;
const rounds = 3;
const warmUpSeconds = 2;

/** `POST /ip_policies` with one subscribed destination, against a bare route that inserts the same three rows. */
export const writes: Bench = {
  name: 'writes',
  everyBackend: true,
  run: (context) =>
    context.onStage(async function* (stage) {
      const id = await createDestination(stage, 'data_stream');
      await subscribe(stage, [id]);
      const seconds = Math.max(1, context.scaled(roundSeconds));
      const bare = await startBareRoute(stage);
      const bareLoad = await Load.open(bare.baseUrl, { 'user-agent': 'waybill-bench' });
      const load = await Load.open(stage.apiUrl, apiHeaders(stage));
      try {
        await bareLoad.flat(warmUpSeconds);
        await load.flat(warmUpSeconds);
        const watch = await CpuWatch.start({ ...stage.processes(), bare_route: bare.pid });
        const rates: number[] = [];
        const bareRates: number[] = [];
        for (let round = 1; round <= rounds; round += 1) {
          context.say(`writes, round ${round} of ${rounds}`);
          bareRates.push(await bareLoad.flat(seconds));
          rates.push(await load.flat(seconds));
        }
        const cpu = await watch.stop();
        context.say('writes with a worker that delivers meanwhile');
        await stage.start('worker');
        const delivering = await load.flat(seconds);
        yield {
          bench: 'writes',
          variant: '32 connections',
          backend: context.backend,
          figures: [
            figure('writes', median(rates), 'requests/s'),
            figure('bare_route', median(bareRates), 'requests/s'),
            figure('ratio_to_bare_route', median(rates) / median(bareRates), '', {
              is: 'at least',
              value: 0.6,
            }),
            figure('writes_while_delivering', delivering, 'requests/s'),
          ],
          deliveries: await proveArrival(stage, load.created),
          cpu_percent: cpu.percent,
          seconds: cpu.wallSeconds,
          notes: notesOn(cpu.percent),
        };
      } finally {
        load.close();
        bareLoad.close();
        await bare.close();
      }
    }),
};
