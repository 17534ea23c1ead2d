import { setTimeout as sleep } from 'node:timers/promises';
import type { ScenarioEnvironment } from '../environment/scenario-environment.js';
import { bothBackends, type Scenario } from '../scenario.js';

interface OpenBatch {
  readonly batch_id: string;
}

const OPEN_BATCHES = 'select batch_id from delivery_lanes where batch_id is not null';

/**
 * Waits until the next worker is done with every one of these batches.
 * @throws Error after a minute
 */
async function untilNoneIsLeft(environment: ScenarioEnvironment, left: readonly OpenBatch[]): Promise<void> {
  const ids = new Set(left.map(({ batch_id }) => batch_id));
  const deadline = Date.now() + 60_000;
  for (;;) {
    const open = await environment.query<OpenBatch>(OPEN_BATCHES);
    if (!open.some(({ batch_id }) => ids.has(batch_id))) return;
    if (Date.now() > deadline) throw new Error('A batch of the killed worker is still open after a minute.');
    await sleep(50);
  }
}

/** Returns `lowest to highest` of some times in ms, in seconds. */
function seconds(times: readonly number[]): string {
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
    let inFlight = 0;
    const [afterKills, afterStarts]: [number[], number[]] = [[], []];
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
      await sandbox.clearFaults();
      const left = await environment.query<OpenBatch>(OPEN_BATCHES);
      inFlight += left.length;
      environment.log(`kill ${kill} of ${kills}: ${left.length} open batches`);
      await processes.start('worker');
      const startedAt = Date.now();
      await untilNoneIsLeft(environment, left);
      afterKills.push(Date.now() - killedAt);
      afterStarts.push(Date.now() - startedAt);
    }
    const count = await environment.verify();
    environment.expect(
      count.destinations.some(({ duplicates }) => duplicates > 0),
      'a call that a vendor had stored before the kill was repeated',
    );
    const repeats = count.destinations.reduce((sum, { duplicates }) => sum + duplicates, 0);
    environment.note(
      `${kills} kills with ${inFlight} open batches, which were done ${seconds(afterKills)} s after the kill and ` +
        `${seconds(afterStarts)} s after the next worker was ready; ${repeats} events repeated`,
    );
    return count;
  },
};
