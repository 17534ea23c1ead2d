import { targetKinds } from '../../../src/targets/target.js';
import { notesOn, type Bench, type BenchContext } from '../bench.js';
import { drainBacklog, warmUp, type Drained } from '../environment/backlog.js';
import { createDestination, createStreams } from '../environment/destinations.js';
import type { Stage } from '../environment/stage.js';
import { figure, type BenchResult, type Goal } from '../result.js';
import { measureBareSql } from './bare-sql.js';
import type { NoopJobs } from './noop-jobs.js';

/** Events that wait, at full scale. */
const WAITING = 50_000;
const LEAST_WAITING = 1_000;

/** Asked of the drain of one data stream, as a ratio to BullMQ's own jobs. */
const goals = { redis: { is: 'at least', value: 1 }, postgres: { is: 'at least', value: 5 } } as const;

/** Waiting events to one data stream, against BullMQ's own jobs and against the bare SQL. */
export const drain: Bench = {
  name: 'drain',
  everyBackend: true,
  run: (context) =>
    context.onStage(async function* (stage) {
      const events = context.scaled(WAITING, LEAST_WAITING);
      const id = await createDestination(stage, 'data_stream');
      await stage.stop('api');
      context.say(`BullMQ's own jobs on ${context.backend}`);
      const noop = await context.noopJobs(stage);
      context.say('the bare SQL of claiming and marking');
      const bareSql = await measureBareSql(stage, id, events);
      context.say(`drain of ${events} events`);
      await stage.start('worker');
      await warmUp(stage, [id]);
      const drained = await drainBacklog(stage, [id], events);
      const result = resultOf(context, 'drain', '1 data_stream', drained, noop, goals[context.backend]);
      yield {
        ...result,
        figures: [
          ...result.figures,
          figure('bare_sql', bareSql, 'events/s'),
          figure('ratio_to_bare_sql', drained.perSecond / bareSql, ''),
        ],
        notes: [...result.notes, `BullMQ's own jobs used, of one core: ${JSON.stringify(noop.cpu.percent)}`],
      };
    }),
};

/** The same for each kind of target. */
export const kinds: Bench = {
  name: 'kinds',
  everyBackend: true,
  run: async function* (context) {
    for (const kind of targetKinds) {
      yield* context.onStage(async function* (stage) {
        const id = await createDestination(stage, kind);
        yield await measure(context, stage, { bench: 'kinds', variant: kind, ids: [id] });
      });
    }
  },
};

/** The same number of events, spread over a hundred data streams. */
export const spread: Bench = {
  name: 'spread',
  everyBackend: true,
  run: (context) =>
    context.onStage(async function* (stage) {
      const ids = await createStreams(stage, 100);
      yield await measure(context, stage, { bench: 'spread', variant: '100 data_streams', ids });
    }),
};

async function measure(
  context: BenchContext,
  stage: Stage,
  { bench, variant, ids }: { bench: string; variant: string; ids: readonly string[] },
): Promise<BenchResult> {
  const events = context.scaled(WAITING, LEAST_WAITING);
  await stage.stop('api');
  const noop = await context.noopJobs(stage);
  context.say(`drain of ${events} events, ${variant}`);
  await stage.start('worker');
  await warmUp(stage, ids);
  return resultOf(context, bench, variant, await drainBacklog(stage, ids, events), noop);
}

function resultOf(
  { backend }: BenchContext,
  bench: string,
  variant: string,
  { proof, perSecond, seconds, cpu }: Drained,
  noop: NoopJobs,
  goal?: Goal,
): BenchResult {
  return {
    bench,
    variant,
    backend,
    figures: [
      figure('drained', perSecond, 'events/s'),
      figure('bullmq_noop_jobs', noop.perSecond, 'jobs/s'),
      figure('ratio_to_bullmq', perSecond / noop.perSecond, '', goal),
    ],
    deliveries: proof,
    cpu_percent: cpu.percent,
    seconds,
    notes: notesOn(cpu.percent),
  };
}
