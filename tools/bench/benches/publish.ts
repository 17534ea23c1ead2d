import { subscribe } from '../../harness/destinations.js';
import { percentile } from '../../harness/statistics.js';
import type { Bench, BenchContext } from '../bench.js';
import { verifyArrival } from '../environment/arrival.js';
import { createDestination } from '../environment/destinations.js';
import type { Installation } from '../environment/installation.js';
import { publishedEvents, publishedType } from '../load/published-events.js';
import { figure, type BenchResult, type Goal } from '../result.js';
import { startBareRoute } from './bare-route.js';
import { compareWithBareRoute } from './rounds.js';

/** How the events are sent. */
interface Shape {
  readonly variant: string;
  /** Events of a request. */
  readonly batch: number;
  readonly connections: number;
  /** CPU of server and Postgres for each event, in microseconds. */
  readonly cpuGoal?: Goal;
  /** Events per second. */
  readonly goal?: Goal;
}

const shapes: readonly Shape[] = [
  { variant: 'batches of 100, 8 connections', batch: 100, connections: 8 },
  {
    variant: 'singly, 32 connections',
    batch: 1,
    connections: 32,
    cpuGoal: { is: 'at most', value: 600 },
    goal: { is: 'at least', value: 2_500 },
  },
];

/**
 * Measures `POST /events` of a registered type, in batches and singly, with one subscribed destination. Compares with a
 * bare route that inserts the same rows with one statement.
 */
export const publish: Bench = {
  name: 'publish',
  everyBackend: false,
  run: async function* (context) {
    for (const shape of shapes)
      yield* context.withInstallation((installation) => measure(context, installation, shape));
  },
};

async function* measure(context: BenchContext, installation: Installation, shape: Shape): AsyncGenerator<BenchResult> {
  const { variant, batch, connections, cpuGoal, goal } = shape;
  const { client } = installation;
  await client.create('/resource_types', { name: publishedType.name });
  const id = await createDestination(installation, 'data_stream');
  await subscribe(client, [id], [publishedType.eventType]);
  const work = publishedEvents(batch, connections);
  const route = await startBareRoute(installation, work);
  const load = await installation.openLoad(work);
  const { ours, bare, cpu, durations } = await compareWithBareRoute(context, installation, { load, route }, variant);
  context.log('delivery of what was published');
  await installation.start('worker');
  yield context.result({
    bench: 'publish',
    variant,
    figures: [
      figure('published', ours.perSecond * batch, 'events/s', goal),
      figure('bare_route', bare.perSecond * batch, 'events/s'),
      figure('ratio_to_bare_route', ours.perSecond / bare.perSecond, '', { is: 'at least', value: 0.5 }),
      figure('cpu_per_event', ours.cpuOfEach / batch, 'µs', cpuGoal),
      figure('cpu_per_event_of_bare_route', bare.cpuOfEach / batch, 'µs'),
      figure('p50', percentile(durations, 0.5), 'ms'),
      figure('p99', percentile(durations, 0.99), 'ms'),
    ],
    deliveries: await verifyArrival(installation, load.answered * batch),
    cpu,
  });
}
