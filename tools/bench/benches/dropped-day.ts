import { setTimeout as sleep } from 'node:timers/promises';
import { addDays, DayPartitions, startOfDay } from '../../../src/database/partitions/day-partitions.js';
import { FinishedDays, finishedTable } from '../../../src/delivery/finished/finished-days.js';
import { subscribe } from '../../harness/destinations.js';
import { toolLogger } from '../../harness/logger.js';
import { median, percentile } from '../../harness/statistics.js';
import type { Bench, BenchContext } from '../bench.js';
import { CpuWatch } from '../cpu/cpu-watch.js';
import { verifyArrival } from '../environment/arrival.js';
import { createStreams } from '../environment/destinations.js';
import type { Installation } from '../environment/installation.js';
import { seed } from '../environment/seeding.js';
import type { Load } from '../load/load.js';
import { figure, sumOfCounts } from '../result.js';
import { latenciesOf } from './peers/change-rows.js';

/** Deliveries of the day that is dropped. */
const DELIVERIES = 5_000_000;
const DESTINATIONS = 100;
/** Of the bench. The worker keeps deliveries for 90 days, so it does not drop the day before the bench does. */
const RETENTION_DAYS = 60;
const CHANGES_PER_SECOND = 100;
const WARM_UP_CHANGES = 500;
/** Changes of one round. */
const CHANGES = 1_500;
/** Rounds without a drop, half before the drop and half after it. Their median counts. */
const QUIET_ROUNDS = 4;
const flat = { is: 'at most', value: 1.2 } as const;

/**
 * Measures the time from the response to the arrival while a day of finished deliveries is dropped, by that of rounds
 * before and after it.
 */
export const droppedDay: Bench = {
  name: 'dropped-day',
  everyBackend: false,
  run: (context) =>
    context.withInstallation(
      async function* (installation) {
        const ids = await createStreams(installation, DESTINATIONS);
        await subscribe(installation.client, ids.slice(0, 1));
        // Started before the day is written: the worker looks for due days when it starts, and ten minutes later.
        await installation.start('worker');
        const deliveries = await writeOldDay(context, installation, ids);
        const load = await installation.openLoad();
        await load.paced(CHANGES_PER_SECOND, WARM_UP_CHANGES);
        await verifyArrival(installation, WARM_UP_CHANGES);
        const watch = await CpuWatch.start(installation.pids());
        const quiet = [await round(context, installation, load), await round(context, installation, load)];
        context.log(`dropping a day of ${deliveries} deliveries`);
        const [during, dropMs] = await Promise.all([
          round(context, installation, load),
          dropInTheMiddle(context, installation),
        ]);
        while (quiet.length < QUIET_ROUNDS) quiet.push(await round(context, installation, load));
        const p99Of = ({ latencies }: Round) => percentile(latencies, 0.99);
        const p99 = median(quiet.map(p99Of));
        yield context.result({
          bench: 'dropped-day',
          variant: `${deliveries} deliveries`,
          figures: [
            figure('drop', dropMs, 'ms'),
            figure('p99_without', p99, 'ms'),
            figure('highest_p99_without', Math.max(...quiet.map(p99Of)), 'ms'),
            figure('p99', p99Of(during), 'ms'),
            figure('rise_of_p99', p99Of(during) / p99, '', flat),
          ],
          deliveries: sumOfCounts([...quiet, during].map(({ counts }) => counts)),
          cpu: await watch.stop(),
        });
      },
      { recording: true },
    ),
};

/** Writes deliveries that finished longer ago than the retention, in a partition of their own. Returns their number. */
async function writeOldDay(
  context: BenchContext,
  installation: Installation,
  destinationIds: readonly string[],
): Promise<number> {
  const day = addDays(startOfDay(new Date()), -RETENTION_DAYS - 2);
  const partitions = new DayPartitions(installation.db, finishedTable);
  if ((await partitions.ensure([day])).length > 0) throw new Error('The partition of the old day was not created.');
  const events = context.scaled(DELIVERIES / DESTINATIONS, 10);
  context.log(`writing a day of ${events * DESTINATIONS} deliveries`);
  await seed(installation, { destinationIds, events, to: 'all', state: 'delivered', day });
  return events * DESTINATIONS;
}

interface Round {
  readonly latencies: readonly number[];
  readonly counts: Awaited<ReturnType<typeof verifyArrival>>;
}

async function round(context: BenchContext, installation: Installation, load: Load): Promise<Round> {
  const { sandbox } = installation.options;
  await sandbox.clear();
  const count = context.scaled(CHANGES, 300);
  const responses = await load.paced(CHANGES_PER_SECOND, count);
  const counts = await verifyArrival(installation, count);
  return { latencies: await latenciesOf(sandbox, responses), counts };
}

/** Drops the old day in the middle of a round, as the worker does. Returns how long that took, in milliseconds. */
async function dropInTheMiddle(context: BenchContext, installation: Installation): Promise<number> {
  await sleep((context.scaled(CHANGES, 300) * 1_000) / CHANGES_PER_SECOND / 2);
  const days = new FinishedDays(
    installation.db,
    addDays(new Date(0), RETENTION_DAYS).getTime(),
    toolLogger,
    async () => null,
  );
  const startedAt = performance.now();
  const { dropped } = await days.run({ stopped: new AbortController().signal, progressed: () => undefined });
  if (dropped !== 1) throw new Error(`${dropped} days were dropped, not 1.`);
  return performance.now() - startedAt;
}
