import type { Bench } from '../bench.js';
import { CpuWatch } from '../cpu/cpu-watch.js';
import { verifyArrival } from '../environment/arrival.js';
import { createDestination, subscribe } from '../environment/destinations.js';
import { apiHeaders, Load } from '../load/load.js';
import { figure } from '../result.js';
import { median } from '../statistics.js';
import { startBareRoute } from './bare-route.js';

/** The two sides take turns, so that other work on the machine affects both. */
const ROUND_SECONDS = 5;
const ROUNDS = 3;
const WARM_UP_SECONDS = 2;

/** Result of one side in one round. */
interface Round {
  readonly perSecond: number;
  /** CPU of the server and of Postgres for each write, in microseconds. Other work on the machine hardly changes it. */
  readonly cpuOfEach: number;
}

async function measureRound(
  load: Load,
  seconds: number,
  processes: Readonly<Record<string, number | null>>,
): Promise<Round> {
  const before = load.created;
  const watch = await CpuWatch.start(processes);
  const perSecond = await load.saturate(seconds);
  const { seconds: used } = await watch.stop();
  const cpuSeconds = ['api', 'bare_route', 'postgres'].reduce((sum, name) => sum + (used[name] ?? 0), 0);
  return { perSecond, cpuOfEach: (cpuSeconds / (load.created - before)) * 1e6 };
}

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
      const seconds = Math.max(1, context.scaled(ROUND_SECONDS));
      const bare = await startBareRoute(installation);
      const bareLoad = await Load.open(bare.baseUrl, { 'user-agent': 'waybill-bench' });
      const load = await Load.open(installation.apiUrl, apiHeaders(installation));
      try {
        await bareLoad.saturate(WARM_UP_SECONDS);
        await load.saturate(WARM_UP_SECONDS);
        const processes = { ...installation.pids(), bare_route: bare.pid };
        const watch = await CpuWatch.start(processes);
        const ours: Round[] = [];
        const bares: Round[] = [];
        for (let round = 1; round <= ROUNDS; round += 1) {
          context.log(`writes, round ${round} of ${ROUNDS}`);
          bares.push(await measureRound(bareLoad, seconds, processes));
          ours.push(await measureRound(load, seconds, processes));
        }
        const cpu = await watch.stop();
        const perSecond = median(ours.map((round) => round.perSecond));
        const barePerSecond = median(bares.map((round) => round.perSecond));
        context.log('writes while a worker delivers');
        await installation.start('worker');
        const delivering = await load.saturate(seconds);
        yield context.result({
          bench: 'writes',
          variant: '32 connections',
          figures: [
            figure('writes', perSecond, 'requests/s'),
            figure('bare_route', barePerSecond, 'requests/s'),
            figure('ratio_to_bare_route', perSecond / barePerSecond, '', { is: 'at least', value: 0.6 }),
            figure('cpu_per_write', median(ours.map(({ cpuOfEach }) => cpuOfEach)), 'µs'),
            figure('cpu_per_write_of_bare_route', median(bares.map(({ cpuOfEach }) => cpuOfEach)), 'µs'),
            figure('writes_while_delivering', delivering, 'requests/s'),
          ],
          deliveries: await verifyArrival(installation, load.created),
          cpu,
        });
      } finally {
        load.close();
        bareLoad.close();
        await bare.close();
      }
    }),
};
