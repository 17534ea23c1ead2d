import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedEvent } from '@waybill/sandbox';
import { percentile } from '../../harness/statistics.js';
import { latencies, measured } from '../count/latencies.js';
import { isFor, type FaultDestination } from '../environment/destination.js';
import type { ScenarioEnvironment } from '../environment/scenario-environment.js';
import type { ProcessName } from '../environment/service-processes.js';
import { warmUp } from '../environment/warm-up.js';
import type { Scenario } from '../scenario.js';

/** Limit of the p99 of live events during the backfills, as a multiple of the p99 without. */
const MOST_RATIO = 2;

/** Most events that are committed after the count, with an earlier time: those of 32 connections, for two backfills. */
const MOST_LATE = 64;

/** Longest time without a further queued event before the backfills finish, in seconds. */
const STILL_SECONDS = 60;

const names = ['api', 'worker', 'api-2', 'worker-2'] as const satisfies readonly ProcessName[];

/** Two new destinations get earlier events while live events continue, and while processes are killed. */
export const backfillUnderLoad: Scenario = {
  name: 'backfill-under-load',
  title: 'earlier events for new destinations under load, kill -9 of api and worker processes',
  short: ['postgres'],
  async run(environment) {
    const { processes } = environment;
    for (const name of names) await processes.start(name);
    await environment.subscribe(['log_group']);
    const earlier = environment.destinations.length;
    await environment.startLoad(environment.pick(40, 30));
    await environment.wait(environment.pick(60, 12));

    await environment.subscribe(['data_stream', 'monitoring']);
    const fresh = environment.destinations.slice(earlier);
    await warmUp(environment);
    const without = await measured(environment, environment.pick(20, 4));
    const total = await requestBackfills(environment, fresh);
    const during = await measured(environment, environment.pick(20, 4));
    const hits = await killInTurn(environment, environment.pick(8, 4));
    environment.expect(hits > 0, 'a process was killed during a backfill');
    await waitUntilFinished(environment);
    const proof = await environment.verify();

    const received = await environment.sandbox.allReceived();
    const own = received.filter((event) => fresh.some((one) => isFor(one, event)));
    const [rows] = await environment.query<{ queued: number; skipped: number; twice: number }>(
      `select (select sum(queued)::int from backfills) as queued, (select sum(skipped)::int from backfills) as skipped,
         (select count(*)::int from (
            select from all_deliveries group by event_id, destination_id having count(*) > 1) twice) as twice`,
    );
    const { queued = 0, skipped = 0, twice = 0 } = rows ?? {};
    environment.expect(
      queued + skipped >= total && queued + skipped <= total + MOST_LATE,
      `every counted event was queued or skipped: ${queued} + ${skipped} of ${total}`,
    );
    environment.expect(twice === 0, `no event was queued twice for a destination: ${twice}`);
    const marked = fresh.map((one) => markedAt(own, one)).reduce((sum, ids) => sum + ids, 0);
    environment.expect(
      marked === queued,
      `every queued event arrived with its mark, and no other: ${marked} of ${queued}`,
    );
    const before = latencies(own, without);
    const after = latencies(own, during);
    const ratio = percentile(after, 0.99) / percentile(before, 0.99);
    environment.note(
      `${queued} events backfilled, ${skipped} skipped; ${hits} kills during the backfills; ` +
        `p99 from change to arrival ${percentile(before, 0.99)} ms without (${before.length} arrivals), ` +
        `${percentile(after, 0.99)} ms with the backfills (${after.length}): ratio ${ratio.toFixed(2)}; ` +
        `p50 ${percentile(before, 0.5)} and ${percentile(after, 0.5)} ms`,
    );
    if (!environment.short)
      environment.expect(ratio <= MOST_RATIO, `p99 stays within ${MOST_RATIO} times: ${ratio.toFixed(2)}`);
    return proof;
  },
};

/** Requests a backfill for each destination, and returns how many events they count together. */
async function requestBackfills(
  environment: ScenarioEnvironment,
  destinations: readonly FaultDestination[],
): Promise<number> {
  const rate = environment.pick(30, 20);
  for (const { id } of destinations)
    await environment.api.create(`/event_destinations/${id}/backfills`, {
      from: '2020-01-01T00:00:00Z',
      events_per_second: rate,
    });
  for (;;) {
    const [row] = await environment.query<{ counting: number; total: number }>(
      `select count(*) filter (where counted_at is null)::int as counting, sum(total)::int as total from backfills`,
    );
    if (row?.counting === 0) return row.total;
    await sleep(50);
  }
}

/** The progress of all backfills. */
async function progressOf(environment: ScenarioEnvironment): Promise<{ unfinished: number; queued: number }> {
  const [row] = await environment.query<{ unfinished: number; queued: number }>(
    `select count(*) filter (where finished_at is null)::int as unfinished, sum(queued)::int as queued from backfills`,
  );
  return row ?? { unfinished: 0, queued: 0 };
}

/**
 * Kills processes in turn, ready or not, and starts each again at once.
 * @returns how many kills found an unfinished backfill
 */
async function killInTurn(environment: ScenarioEnvironment, kills: number): Promise<number> {
  const { processes } = environment;
  let hits = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const name = names[kill % names.length] ?? 'api';
    await processes.kill(name);
    const { unfinished, queued } = await progressOf(environment);
    if (unfinished > 0) hits += 1;
    environment.log(`killed ${name} with ${unfinished} unfinished backfills; ${queued} events queued`);
    await processes.start(name, { wait: false });
    await sleep(1_000 + Math.random() * 2_000);
  }
  for (const name of names) await processes.ready(name);
  return hits;
}

/** Waits until every backfill has ended. @throws Error when none of them advances */
async function waitUntilFinished(environment: ScenarioEnvironment): Promise<void> {
  for (let seconds = 0, before = 0; seconds < STILL_SECONDS; seconds += 1) {
    const { unfinished, queued } = await progressOf(environment);
    if (unfinished === 0) return;
    if (queued > before) seconds = 0;
    before = queued;
    await environment.wait(1);
  }
  const { unfinished, queued } = await progressOf(environment);
  throw new Error(`${unfinished} backfills do not advance; ${queued} events are queued.`);
}

/** Returns how many different events arrived at a destination with the mark of a backfill. */
function markedAt(received: readonly ReceivedEvent[], destination: FaultDestination): number {
  const events = received
    .filter((event) => isFor(destination, event))
    .map(({ body }) => JSON.parse(body) as { readonly event_id: string; readonly backfill?: true });
  return new Set(events.filter(({ backfill }) => backfill).map(({ event_id: id }) => id)).size;
}
