import { spawn, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorAccounts } from '../../../src/operator-accounts.js';
import { ApiClient } from '../../harness/api-client.js';
import { median, percentile } from '../../harness/statistics.js';
import type { Bench, BenchContext } from '../bench.js';
import { CpuWatch } from '../cpu/cpu-watch.js';
import { createStreams } from '../environment/destinations.js';
import type { Installation } from '../environment/installation.js';
import { seed } from '../environment/seeding.js';
import { Flood } from '../load/flood.js';
import { deliveryCounts, figure } from '../result.js';

/** Requests of the quiet account. */
const QUIET_PER_SECOND = 20;
/** Seconds of each part of a round: alone, beside the other account, and beside processes that only compute. */
const SECONDS = 15;
const WARM_UP_SECONDS = 2;
const ROUNDS = 3;
const HISTORY = 20_000;
const flat = { is: 'at most', value: 1.5 } as const;

/**
 * Measures the requests of an account that sends few, alone and while another account sends as much as it can of
 * everything that costs much, in alternating rounds. For comparison: the same while processes without a request keep
 * every core of the machine busy.
 */
export const neighbours: Bench = {
  name: 'neighbours',
  everyBackend: false,
  run: (context) =>
    context.withInstallation(async function* (installation) {
      const quiet = await quietAccount(installation);
      await prepareBusyAccount(context, installation);
      await rates(quiet, WARM_UP_SECONDS);
      const alone: number[] = [];
      const beside: number[] = [];
      const besideComputing: number[] = [];
      const watch = await CpuWatch.start(installation.pids());
      let responses = 0;
      for (let round = 1; round <= ROUNDS; round += 1) {
        context.log(`round ${round} of ${ROUNDS}`);
        alone.push(percentile(await rates(quiet, context.scaled(SECONDS, 2)), 0.99));
        const floods = await startFloods(installation);
        await rates(quiet, WARM_UP_SECONDS);
        beside.push(percentile(await rates(quiet, context.scaled(SECONDS, 2)), 0.99));
        for (const flood of floods) {
          responses += flood.answered;
          flood.close();
        }
        await sleep(1_000);
        const computing = startComputing();
        await rates(quiet, WARM_UP_SECONDS);
        besideComputing.push(percentile(await rates(quiet, context.scaled(SECONDS, 2)), 0.99));
        for (const child of computing) child.kill();
        await sleep(1_000);
      }
      yield context.result({
        bench: 'neighbours',
        variant: `${QUIET_PER_SECOND} requests/s beside one busy account`,
        figures: [
          figure('p99_alone', median(alone), 'ms'),
          figure('p99', median(beside), 'ms'),
          figure('p99_beside_computing', median(besideComputing), 'ms'),
          figure('rise_of_p99', median(beside) / median(alone), '', flat),
          figure('rise_over_computing', median(beside) / median(besideComputing), ''),
          figure('responses_of_other', responses, 'responses'),
        ],
        deliveries: deliveryCounts(0, 0, 0),
        cpu: await watch.stop(),
      });
    }),
};

/** The requests of the quiet account, one after the other. */
interface Quiet {
  readonly client: ApiClient;
  readonly policyId: string;
}

async function quietAccount(installation: Installation): Promise<Quiet> {
  const { token } = await new OperatorAccounts(installation.db, installation.apiUrl).create('quiet');
  const client = new ApiClient(installation.apiUrl, token);
  await client.create('/resource_types', { name: 'bench_note' });
  const { id } = await client.create('/ip_policies', { description: 'quiet' });
  return { client, policyId: id };
}

/** Sends requests at a fixed rate, without waiting for earlier ones. Returns how long each took, in milliseconds. */
async function rates({ client, policyId }: Quiet, seconds: number): Promise<readonly number[]> {
  const note = { type: 'bench_note_created.v0', principal: { id: 'user-1' } };
  const sends = [
    () => client.send('GET', `/ip_policies/${policyId}`),
    (number: number) => {
      const id = `note-${Date.now()}-${number}`;
      return client.send('POST', '/events', { events: [{ ...note, id, resource_id: id, object: { id } }] });
    },
    () => client.send('GET', '/ip_policies?limit=20'),
  ];
  const startedAt = performance.now();
  const durations: Promise<number>[] = [];
  for (let number = 0; number < seconds * QUIET_PER_SECOND; number += 1) {
    const wait = startedAt + (number * 1_000) / QUIET_PER_SECOND - performance.now();
    if (wait > 0) await sleep(wait);
    const sentAt = performance.now();
    durations.push(
      (sends[number % sends.length]?.(number) ?? Promise.resolve()).then(() => performance.now() - sentAt),
    );
  }
  return Promise.all(durations);
}

/** Writes a history of the busy account, whose newest events are large. */
async function prepareBusyAccount(context: BenchContext, installation: Installation): Promise<void> {
  const destinationIds = await createStreams(installation, 1);
  await seed(installation, {
    destinationIds,
    events: context.scaled(HISTORY, 1_000),
    to: 'one in turn',
    state: 'delivered',
  });
  const { client } = installation;
  await client.create('/resource_types', { name: 'bench_order' });
  const events = Array.from({ length: 100 }, (_, number) => ({
    id: `large-${number}`,
    type: 'bench_order_created.v0',
    resource_id: `large-${number}`,
    object: { id: `large-${number}`, text: 'x'.repeat(15_000) },
    principal: { id: 'user-7' },
  }));
  await client.send('POST', '/events', { events });
}

/** Starts what the busy account sends: bounded in connections, and in requests that wait for a response. */
async function startFloods(installation: Installation): Promise<readonly Flood[]> {
  let batch = 0;
  const order = (number: number) => ({
    id: `${batch}-${number}`,
    type: 'bench_order_created.v0',
    resource_id: `${batch}-${number}`,
    object: { id: `${batch}-${number}`, text: 'x'.repeat(1_000) },
    principal: { id: 'user-7' },
  });
  const batchOf100 = () => {
    batch += 1;
    return { events: Array.from({ length: 100 }, (_, number) => order(number)) };
  };
  const preview = {
    type: 'ip_policy_created.v0',
    filter: 'object.description != "x" && object.description.matches("[a-z]+ [0-9]+")',
    limit: 100,
  };
  const works = [
    { connections: 10, pipelined: 10, path: '/events?limit=100' },
    { connections: 10, pipelined: 1, path: '/events?changed=nothing&principal_id=usr_01bench00000000000000000000' },
    { connections: 4, pipelined: 1, path: '/events/export?changed=description' },
    { connections: 4, pipelined: 1, path: '/events', body: batchOf100 },
    { connections: 4, pipelined: 1, path: '/event_subscriptions/preview', body: () => preview },
    { connections: 8, pipelined: 1, path: '/event_destinations/status/stream' },
  ];
  const opening = works.flatMap(({ connections, ...work }) =>
    Array.from({ length: connections }, () => Flood.open(installation.apiUrl, installation.headers, work)),
  );
  return Promise.all(opening);
}

/** Starts a process for each core that only computes. It ends by itself, in case this process is killed. */
function startComputing(): readonly ChildProcess[] {
  const script = 'const end = Date.now() + 60_000; while (Date.now() < end);';
  return Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', script], { stdio: 'ignore' }),
  );
}
