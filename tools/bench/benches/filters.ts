import { median } from '../../harness/statistics.js';
import type { Bench, BenchContext } from '../bench.js';
import { CpuWatch, type CpuUse } from '../cpu/cpu-watch.js';
import { seedSubscribed } from '../environment/destinations.js';
import type { Installation } from '../environment/installation.js';
import type { Load } from '../load/load.js';
import { deliveryCounts, figure } from '../result.js';

/** Subscriptions of the event type, each with a destination of its own. */
const WIDTHS = [10, 1_000];
/** Deliveries of a round at full scale. */
const DELIVERIES = 20_000;
const ROUNDS = 5;
/** One of so many subscriptions has a filter. */
const FILTERED = 10;

/**
 * Measures the cost of a change with and without filters on a tenth of the subscriptions of its type, in alternating
 * rounds. Every filter matches, so both sides create the same deliveries. No worker runs.
 */
export const filters: Bench = {
  name: 'filters',
  everyBackend: false,
  run: async function* (context) {
    for (const width of WIDTHS) {
      yield* context.withInstallation(async function* (installation) {
        await seedSubscribed(installation, width);
        const load = await installation.openLoad();
        yield await measured(context, installation, load, width);
      });
    }
  },
};

async function measured(context: BenchContext, installation: Installation, load: Load, width: number) {
  const changes = context.scaled(DELIVERIES / width, 3);
  const without: number[] = [];
  const withFilters: number[] = [];
  await costOf(installation, load, changes);
  let last: CpuUse | undefined;
  for (let round = 1; round <= ROUNDS; round += 1) {
    context.log(`filters, to ${width}, round ${round} of ${ROUNDS}`);
    await installation.pool.query('delete from event_rules');
    without.push((await costOf(installation, load, changes)).each);
    await addFilters(installation);
    const { each, cpu } = await costOf(installation, load, changes);
    withFilters.push(each);
    last = cpu;
  }
  if (!last) throw new Error('No round was measured.');
  return context.result({
    bench: 'filters',
    variant: `to ${width}`,
    figures: [
      figure('cpu_per_event', median(withFilters), 'µs'),
      figure('cpu_per_event_without_filters', median(without), 'µs'),
      figure('ratio_to_without', median(withFilters) / median(without), ''),
    ],
    deliveries: deliveryCounts(0, 0, 0),
    cpu: last,
  });
}

/** Gives a tenth of the subscriptions a filter, each another one. */
async function addFilters({ pool }: Installation): Promise<void> {
  await pool.query(
    `insert into event_rules (account_id, event_type, subscription_id, filter)
     select account_id, event_type, subscription_id, 'object.description != "never ' || number || '" && version > 0'
     from (
       select *, row_number() over (order by subscription_id) as number from event_routes
       where event_type = 'ip_policy_created.v0'
     ) routes
     where number % $1::int = 0`,
    [FILTERED],
  );
}

/** Makes changes one after the other. Returns the CPU of the api and of Postgres for each, in microseconds. */
async function costOf(installation: Installation, load: Load, changes: number): Promise<{ each: number; cpu: CpuUse }> {
  const watch = await CpuWatch.start(installation.pids());
  for (let change = 1; change <= changes; change += 1) await load.one();
  const cpu = await watch.stop();
  const used = (cpu.seconds.api ?? 0) + (cpu.seconds.postgres ?? 0);
  return { each: (used / changes) * 1e6, cpu };
}
