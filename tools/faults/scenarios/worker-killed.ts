import { setTimeout as sleep } from 'node:timers/promises';
import { eventsOfLine } from '@waybill/verify';
import { until } from '../../harness/until.js';
import { verifierKeys, verifyArrivals } from '../../harness/verify-arrivals.js';
import { isFor } from '../environment/destination.js';
import type { ScenarioEnvironment } from '../environment/scenario-environment.js';
import type { Scenario } from '../scenario.js';

interface OpenBatch {
  readonly batch_id: string;
  readonly events: number;
}

interface Continued {
  readonly began_at: Date;
}

const BATCHES = 'select batch_id, cardinality(batch_delivery_ids) as events from delivery_lanes';

/** The batches that a worker has leased. Others wait for a worker, and may be younger than the kill. */
const LEASED = `${BATCHES} where attempt_token is not null`;

/**
 * Waits until the next worker is done with every one of these batches.
 * @throws Error after ten minutes
 */
async function untilNoneIsLeft(environment: ScenarioEnvironment, left: readonly OpenBatch[]): Promise<void> {
  const ids = new Set(left.map(({ batch_id }) => batch_id));
  const isDone = async (): Promise<boolean> => {
    const open = await environment.query<OpenBatch>(`${BATCHES} where batch_id is not null`);
    return !open.some(({ batch_id }) => ids.has(batch_id));
  };
  await until(isDone, 'no batch of the killed worker is open', 600_000);
}

/**
 * Returns when the next worker began its first attempt at each of these batches, in milliseconds since the epoch. A
 * batch that the killed worker had just recorded has no such attempt.
 */
async function firstAttempts(
  environment: ScenarioEnvironment,
  batches: readonly OpenBatch[],
  after: number,
): Promise<readonly number[]> {
  if (batches.length === 0) return [];
  const attempts = await environment.query<Continued>(
    `select min(started_at) as began_at from delivery_attempts
     where batch_id in (${batches.map(({ batch_id }) => `'${batch_id}'`).join(', ')})
       and started_at > '${new Date(after).toISOString()}' group by batch_id`,
  );
  return attempts.map(({ began_at }) => began_at.getTime());
}

/** Returns `lowest to highest` of some times in ms, in seconds; `no` without a time. */
function seconds(times: readonly number[]): string {
  if (times.length === 0) return 'no';
  return `${(Math.min(...times) / 1_000).toFixed(1)} to ${(Math.max(...times) / 1_000).toFixed(1)}`;
}

interface ErasureProgress {
  readonly state: string;
  readonly erased: number;
}

/**
 * Erases all events while a worker is killed and started again. Then verifies the arrivals without them: the logs say
 * that they were erased.
 * @throws Error after ten minutes
 */
async function eraseUnderKills(environment: ScenarioEnvironment, kills: number): Promise<void> {
  const { api, processes } = environment;
  const deadline = Date.now() + 600_000;
  const { id } = await api.create('/erasures', { account: true, reason: 'a fault test' });
  const progress = async (isReached: (erasure: ErasureProgress) => boolean): Promise<ErasureProgress> => {
    for (;;) {
      const [found] = await environment.query<ErasureProgress>(
        `select state, erased::int as erased from erasures where id = '${id}'`,
      );
      if (found !== undefined && (isReached(found) || found.state === 'finished')) return found;
      if (Date.now() > deadline) throw new Error(`The erasure is still ${found?.state} after ten minutes.`);
      await sleep(20);
    }
  };
  const killedAfter: number[] = [];
  for (let kill = 1, before = 0; kill <= kills; kill += 1) {
    const { state, erased } = await progress((erasure) => erasure.erased > before);
    if (state === 'finished') break;
    await processes.kill('worker');
    killedAfter.push(erased);
    before = erased;
    await processes.start('worker');
  }
  const { state, erased } = await progress(() => false);
  environment.expect(state === 'finished' && erased > 0, `the erasure is finished, and not ${state} with ${erased}`);
  environment.expect(killedAfter.length > 0, 'a worker was killed during the erasure');

  const ids = await environment.query<{ id: string }>(`select id from events where erasure_id = '${id}'`);
  const gone = new Set(ids.map((event) => event.id));
  const logged = await environment.count(
    `finished_deliveries d join events e on e.id = d.event_id
     where e.erasure_id = '${id}' and d.sequence is not null`,
  );
  const keys = await verifierKeys(api);
  for (;;) {
    const received = (await environment.sandbox.allReceived()).filter(
      ({ body }) => !eventsOfLine(body).some(({ event }) => gone.has(String(event.event_id))),
    );
    let [proved, unproved, numbers] = [0, '', 0];
    for (const { id: destination, ...at } of environment.destinations) {
      const own = received.filter((event) => isFor({ id: destination, ...at }, event));
      const { logs, findings, unsealed } = await verifyArrivals(api, destination, own, keys);
      if (findings.list.length > 0 || unsealed > 0)
        unproved = `${unsealed} unsealed ${JSON.stringify(findings.counts)}`;
      for (const log of logs) [proved, numbers] = [proved + log.events, numbers + log.erased];
    }
    if ((unproved === '' && numbers === logged) || Date.now() > deadline) {
      environment.expect(unproved === '', `the logs prove what is not erased: not ${unproved}`);
      environment.expect(numbers === logged, `${logged} numbers are proved as erased, and not ${numbers}`);
      environment.note(
        `${erased} events erased, with kills of the worker after ${killedAfter.join(', ')}: ${numbers} numbers are ` +
          `proved as erased, and ${proved} other arrivals as delivered`,
      );
      return;
    }
    await sleep(250);
  }
}

/**
 * Kills a worker repeatedly during its calls and restarts it. Each time a vendor has stored one call without a
 * response: its events must be delivered again. At the end, kills it while all events are erased.
 */
export const workerKilled: Scenario = {
  name: 'worker-killed',
  title: 'kill -9 of a worker mid-batch and mid-erasure, repeatedly',
  short: ['redis'],
  async run(environment) {
    const { processes, sandbox } = environment;
    await environment.begin(['data_stream', 'monitoring', 'log_ingestion'], environment.pick(60, 40));
    const kills = environment.pick(6, 1);
    const sizes: number[] = [];
    const [attemptsAfterKills, attemptsAfterStarts, doneAfterStarts]: [number[], number[], number[]] = [[], [], []];
    for (let kill = 1; kill <= kills; kill += 1) {
      // A kill before the batches of the earlier one are done would add nothing.
      await environment.waitForDelivery();
      await sandbox.script({ target: 'data_stream', kind: 'timeout', accepts: true, times: 1 });
      await sandbox.script({ kind: 'slow', delayMs: 200 });
      while ((await sandbox.faults()).some(({ kind }) => kind === 'timeout')) await sleep(50);
      // Time for the vendor to store the call, and for other calls to start.
      await sleep(400 + Math.random() * 600);
      await processes.kill('worker');
      const killedAt = Date.now();
      const left = await environment.query<OpenBatch>(LEASED);
      await sandbox.clearFaults();
      sizes.push(...left.map(({ events }) => events));
      environment.log(`kill ${kill} of ${kills}: ${left.length} open batches`);
      await processes.start('worker');
      const startedAt = Date.now();
      await untilNoneIsLeft(environment, left);
      doneAfterStarts.push(Date.now() - startedAt);
      for (const begunAt of await firstAttempts(environment, left, killedAt)) {
        attemptsAfterKills.push(begunAt - killedAt);
        attemptsAfterStarts.push(begunAt - startedAt);
      }
    }
    const count = await environment.verify();
    await eraseUnderKills(environment, environment.pick(3, 1));
    environment.expect(
      count.destinations.some(({ duplicates }) => duplicates > 0),
      'a call that a vendor had stored before the kill was repeated',
    );
    const repeats = count.destinations.reduce((sum, { duplicates }) => sum + duplicates, 0);
    const batches =
      sizes.length === 0
        ? 'no open batch'
        : `${sizes.length} open batches of ${Math.min(...sizes)} to ${Math.max(...sizes)} events`;
    environment.note(
      `${kills} kills with ${batches}; the next attempt at a batch began ` +
        `${seconds(attemptsAfterKills)} s after the kill and ${seconds(attemptsAfterStarts)} s after the next worker was ` +
        `ready; the last batch was done ${seconds(doneAfterStarts)} s after it was ready; ${repeats} events repeated`,
    );
    return count;
  },
};
