import { setTimeout as sleep } from 'node:timers/promises';
import type { ScenarioEnvironment } from '../environment/scenario-environment.js';
import { bothBackends, type Scenario } from '../scenario.js';

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
 * @throws Error after two minutes
 */
async function untilNoneIsLeft(environment: ScenarioEnvironment, left: readonly OpenBatch[]): Promise<void> {
  const ids = new Set(left.map(({ batch_id }) => batch_id));
  const deadline = Date.now() + 120_000;
  for (;;) {
    const open = await environment.query<OpenBatch>(`${BATCHES} where batch_id is not null`);
    if (!open.some(({ batch_id }) => ids.has(batch_id))) return;
    if (Date.now() > deadline) throw new Error('A batch of the killed worker is still open after two minutes.');
    await sleep(50);
  }
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

/**
 * Kills a worker repeatedly during its calls and restarts it. Each time a vendor has stored one call without a
 * response: its events must be delivered again.
 */
export const workerKilled: Scenario = {
  name: 'worker-killed',
  title: 'kill -9 of a worker mid-batch, repeatedly',
  backends: bothBackends,
  short: ['redis'],
  async run(environment) {
    const { processes, sandbox } = environment;
    await processes.start('api');
    await processes.start('worker');
    await environment.subscribe(['data_stream', 'monitoring', 'log_ingestion']);
    await environment.startLoad(environment.pick(60, 40));
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
