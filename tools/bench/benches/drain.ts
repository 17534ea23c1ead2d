import { targetKinds } from '../../../src/targets/target.js';
import type { Bench, BenchContext } from '../bench.js';
import { drainBacklog, warmWorker, type Drained } from '../environment/backlog.js';
import { createDestination, createStreams } from '../environment/destinations.js';
import type { Installation } from '../environment/installation.js';
import { figure, type BenchResult, type Figure, type Goal } from '../result.js';
import { measureBareSql } from './bare-sql.js';
import type { NoopJobs } from './noop-jobs.js';

/** Waiting events at full scale. */
const WAITING = 50_000;
const LEAST_WAITING = 1_000;

/** Goals as a ratio to BullMQ's own jobs. */
const goals = {
  drain: { redis: { is: 'at least', value: 1.5 }, postgres: { is: 'at least', value: 10 } },
  spread: { redis: { is: 'at least', value: 2 }, postgres: { is: 'at least', value: 12 } },
} as const;

/** Drains events to one data stream. Compares with BullMQ's own jobs and with the bare SQL. */
export const drain: Bench = {
  name: 'drain',
  everyBackend: true,
  run: (context) =>
    context.withInstallation(async function* (installation) {
      const events = context.scaled(WAITING, LEAST_WAITING);
      const id = await createDestination(installation, 'data_stream');
      await installation.stop('api');
      context.log(`BullMQ's own jobs on ${context.backend}`);
      const noop = await context.noopJobs(installation);
      context.log('bare SQL that claims and settles');
      const bareSql = await measureBareSql(installation, id, events);
      context.log(`drain of ${events} events`);
      await warmWorker(installation, [id]);
      const drained = await drainBacklog(installation, [id], events);
      yield context.result({
        bench: 'drain',
        variant: '1 data_stream',
        ...drained,
        figures: [
          ...drainFigures(drained, noop, goals.drain[context.backend]),
          figure('bare_sql', bareSql, 'events/s'),
          figure('ratio_to_bare_sql', drained.perSecond / bareSql, ''),
        ],
        notes: [`CPU of BullMQ's own jobs in % of one core: ${JSON.stringify(noop.cpu.percent)}`],
      });
    }),
};

/** Drains events to one destination of each kind. */
export const kinds: Bench = {
  name: 'kinds',
  everyBackend: true,
  run: async function* (context) {
    for (const kind of targetKinds) {
      yield* context.withInstallation(async function* (installation) {
        const id = await createDestination(installation, kind);
        yield await measure(context, installation, { bench: 'kinds', variant: kind, ids: [id] });
      });
    }
  },
};

/** Drains the same number of events to a hundred data streams. */
export const spread: Bench = {
  name: 'spread',
  everyBackend: true,
  run: (context) =>
    context.withInstallation(async function* (installation) {
      const ids = await createStreams(installation, 100);
      const goal = goals.spread[context.backend];
      yield await measure(context, installation, { bench: 'spread', variant: '100 data_streams', ids, goal });
    }),
};

async function measure(
  context: BenchContext,
  installation: Installation,
  { bench, variant, ids, goal }: { bench: string; variant: string; ids: readonly string[]; goal?: Goal },
): Promise<BenchResult> {
  const events = context.scaled(WAITING, LEAST_WAITING);
  await installation.stop('api');
  const noop = await context.noopJobs(installation);
  context.log(`drain of ${events} events, ${variant}`);
  await warmWorker(installation, ids);
  const drained = await drainBacklog(installation, ids, events);
  return context.result({ bench, variant, ...drained, figures: drainFigures(drained, noop, goal) });
}

function drainFigures({ perSecond }: Drained, noop: NoopJobs, goal?: Goal): readonly Figure[] {
  return [
    figure('drained', perSecond, 'events/s'),
    figure('bullmq_noop_jobs', noop.perSecond, 'jobs/s'),
    figure('ratio_to_bullmq', perSecond / noop.perSecond, '', goal),
  ];
}
