import { notesOn, type Bench } from '../bench.js';
import { CpuWatch } from '../cpu/cpu-watch.js';
import { proveArrival } from '../environment/arrival.js';
import { createDestination, subscribe } from '../environment/destinations.js';
import { apiHeaders, Load } from '../load/load.js';
import { figure } from '../result.js';
import { median } from '../statistics.js';
import { startBareRoute } from './bare-route.js';

/** Seconds of one round, and rounds of each side by turns: what disturbs the machine disturbs both. */
const ROUND_SECONDS = 5;
const ROUNDS = 3;
const WARM_UP_SECONDS = 2;

/** What one side did in one round. */
interface Round {
  readonly perSecond: number;
  /** CPU that the side and Postgres used for each write, in microseconds: what the machine's other work disturbs least. */
  readonly cpuOfEach: number;
}

async function measureRound(
  load: Load,
  seconds: number,
  processes: Readonly<Record<string, number | null>>,
): Promise<Round> {
  const before = load.created;
  const watch = await CpuWatch.start(processes);
  const perSecond = await load.flat(seconds);
  const { seconds: used } = await watch.stop();
  const cpuSeconds = ['api', 'bare_route', 'postgres'].reduce((sum, name) => sum + (used[name] ?? 0), 0);
  return { perSecond, cpuOfEach: (cpuSeconds / (load.created - before)) * 1e6 };
}

/** `POST /ip_policies` with one subscribed destination, against a bare route that inserts the same three rows. */
export const writes: Bench = {
  name: 'writes',
  everyBackend: true,
  run: (context) =>
    context.onStage(async function* (stage) {
      const id = await createDestination(stage, 'data_stream');
      await subscribe(stage, [id]);
      const seconds = Math.max(1, context.scaled(ROUND_SECONDS));
      const bare = await startBareRoute(stage);
      const bareLoad = await Load.open(bare.baseUrl, { 'user-agent': 'waybill-bench' });
      const load = await Load.open(stage.apiUrl, apiHeaders(stage));
      try {
        await bareLoad.flat(WARM_UP_SECONDS);
        await load.flat(WARM_UP_SECONDS);
        const processes = { ...stage.processes(), bare_route: bare.pid };
        const watch = await CpuWatch.start(processes);
        const ours: Round[] = [];
        const bares: Round[] = [];
        for (let round = 1; round <= ROUNDS; round += 1) {
          context.say(`writes, round ${round} of ${ROUNDS}`);
          bares.push(await measureRound(bareLoad, seconds, processes));
          ours.push(await measureRound(load, seconds, processes));
        }
        const cpu = await watch.stop();
        const perSecond = median(ours.map((round) => round.perSecond));
        const barePerSecond = median(bares.map((round) => round.perSecond));
        context.say('writes with a worker that delivers meanwhile');
        await stage.start('worker');
        const delivering = await load.flat(seconds);
        yield {
          bench: 'writes',
          variant: '32 connections',
          backend: context.backend,
          figures: [
            figure('writes', perSecond, 'requests/s'),
            figure('bare_route', barePerSecond, 'requests/s'),
            figure('ratio_to_bare_route', perSecond / barePerSecond, '', { is: 'at least', value: 0.6 }),
            figure('cpu_per_write', median(ours.map(({ cpuOfEach }) => cpuOfEach)), 'µs'),
            figure('cpu_per_write_of_bare_route', median(bares.map(({ cpuOfEach }) => cpuOfEach)), 'µs'),
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
