import { percentile } from '../../harness/statistics.js';
import type { Bench, BenchContext } from '../bench.js';
import { CpuWatch } from '../cpu/cpu-watch.js';
import { createStreams } from '../environment/destinations.js';
import type { Installation } from '../environment/installation.js';
import { seed } from '../environment/seeding.js';
import { deliveryCounts, figure } from '../result.js';

/** Events of the small and the large history. Each has one delivery. */
const histories = [100_000, 1_000_000];
const DESTINATIONS = 10;
/** Requests of each search. A larger history does not need more. */
const REQUESTS = 500;
const WARM_UP_REQUESTS = 50;
/** Numbers of one range. */
const RANGE = 20;
const flat = { is: 'at most', value: 1.5 } as const;

/** An event of the history that is searched for. */
interface Sample {
  readonly resource_id: string;
  readonly operation_id: string;
  readonly principal_id: string;
  readonly destination_id: string;
  readonly sequence: number;
}

/** The path of each search. Those for `nothing` read as much as a page may. */
const searches: Readonly<Record<string, (sample: Sample) => string>> = {
  newest: () => '/events',
  resource: ({ resource_id: id }) => `/events?object_id=${id}`,
  request: ({ operation_id: id }) => `/events?operation_id=${id}`,
  nothing: ({ principal_id: id }) => `/events?principal_id=${id}&changed=nothing`,
  delivered: ({ destination_id: to }) => `/event_destinations/${to}/deliveries?state=delivered`,
  delivery_of_resource: ({ destination_id: to, resource_id: id }) =>
    `/event_destinations/${to}/deliveries?object_id=${id}`,
  numbers: ({ destination_id: to, sequence }) =>
    `/event_destinations/${to}/deliveries?sequence_from=${sequence}&sequence_to=${sequence + RANGE}`,
  no_delivery: ({ destination_id: to }) => `/event_destinations/${to}/deliveries?changed=nothing`,
};

/** Measures searches of events and deliveries in a large history, by those in a small one. */
export const search: Bench = {
  name: 'search',
  everyBackend: false,
  run: async function* (context) {
    let before: ReadonlyMap<string, number> | undefined;
    for (const full of histories) {
      const events = context.scaled(full, 1_000);
      yield* context.withInstallation(async function* (installation) {
        context.log(`writing a history of ${events} events`);
        const destinationIds = await createStreams(installation, DESTINATIONS);
        await seed(installation, { destinationIds, events, to: 'one in turn', state: 'delivered' });
        const watch = await CpuWatch.start(installation.pids());
        const found = await p99OfEach(context, installation);
        const small = before;
        yield context.result({
          bench: 'search',
          variant: `${events} events`,
          figures: [
            ...[...found].map(([name, p99]) => figure(`p99_${name}`, p99, 'ms')),
            ...[...(small ?? [])].map(([name, p99]) =>
              figure(`rise_of_${name}`, (found.get(name) ?? Number.NaN) / p99, '', flat),
            ),
          ],
          deliveries: deliveryCounts(0, 0, 0),
          cpu: await watch.stop(),
        });
        before = found;
      });
    }
  },
};

/** Returns the p99 of each search, in milliseconds, one request at a time. */
async function p99OfEach(context: BenchContext, installation: Installation): Promise<ReadonlyMap<string, number>> {
  const { client } = installation;
  const requests = Math.min(REQUESTS, context.scaled(REQUESTS, 20));
  const samples = await samplesOf(installation, requests + WARM_UP_REQUESTS);
  const found = new Map<string, number>();
  for (const [name, pathOf] of Object.entries(searches)) {
    const durations: number[] = [];
    for (const sample of samples) {
      const startedAt = performance.now();
      await client.send('GET', pathOf(sample));
      durations.push(performance.now() - startedAt);
    }
    found.set(name, percentile(durations.slice(WARM_UP_REQUESTS), 0.99));
  }
  return found;
}

/** Returns events of anywhere in the history. */
async function samplesOf(installation: Installation, count: number): Promise<readonly Sample[]> {
  const { rows } = await installation.pool.query<Sample>(
    `select e.resource_id, e.operation_id, e.principal_id, d.destination_id, d.sequence
     from (select id, resource_id, operation_id, principal_id from events where operation_id is not null
           order by random() limit $1) e
     join finished_deliveries d on d.event_id = e.id`,
    [count],
  );
  return rows;
}
