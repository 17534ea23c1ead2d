import { setTimeout as sleep } from 'node:timers/promises';
import { targetKinds } from '../../../src/targets/target.js';
import type { ReceivedEvent } from '../../sandbox/sandbox-contract.js';
import type { ScenarioEnvironment } from '../environment/scenario-environment.js';
import { bothBackends, type Scenario } from '../scenario.js';

/** Longer than a lease of 15 s. */
const PAUSE_SECONDS = 20;
/** How long the other worker may take to get the batches: BullMQ's lock of 30 s and a turn of the sweeper. */
const TAKEOVER_SECONDS = 120;
const DESTINATIONS = 20;

/**
 * Stops a worker until the other worker has sent its batches, and lets it continue. Postgres stands still just before,
 * so that attempts wait for their events: their calls have not begun, and must not begin afterwards.
 */
export const workerPaused: Scenario = {
  name: 'worker-paused',
  title: 'SIGSTOP of a worker before its calls, until another worker has sent its batches, then SIGCONT',
  backends: bothBackends,
  short: ['redis'],
  async run(environment) {
    const { processes, postgres, sandbox } = environment;
    await processes.start('api');
    await processes.start('worker');
    await processes.start('worker-2');
    for (let number = 0; number < DESTINATIONS; number += 1)
      await environment.createDestination(targetKinds[number % targetKinds.length] ?? 'data_stream');
    await environment.subscribe();
    await environment.startLoad(environment.pick(40, 30));
    const pauses = environment.pick(3, 1);
    const resumed: number[] = [];
    let takenOver = 0;
    for (let pause = 1; pause <= pauses; pause += 1) {
      await environment.waitForDelivery();
      await environment.wait(3);
      await postgres.pause();
      await sleep(300);
      processes.pause('worker');
      await postgres.resume();
      const begun = performance.now();
      await sleep(5_000);
      // Attempts of the other worker end within that time.
      const attempts = await attemptsUnderWay(environment);
      let taken = 0;
      for (;;) {
        const seconds = (performance.now() - begun) / 1_000;
        const present = await attemptsUnderWay(environment);
        taken = Array.from(attempts).filter(([lane, token]) => present.get(lane) !== token).length;
        const enough = taken === attempts.size && seconds > PAUSE_SECONDS;
        if (enough || seconds > TAKEOVER_SECONDS) break;
        await sleep(500);
      }
      takenOver += taken;
      environment.log(`pause ${pause} of ${pauses}: ${taken} of ${attempts.size} batches taken over`);
      resumed.push(Date.now());
      processes.resume('worker');
      await environment.wait(5);
    }
    const count = await environment.verify();
    environment.expect(takenOver > 0, 'the other worker took over batches of the paused one');
    const repeats = repeatedSince(await sandbox.allReceived(), resumed[0] ?? 0);
    environment.expect(repeats === 0, `the paused worker repeated no event when it continued: ${repeats} repeats`);
    environment.note(`${pauses} pauses; ${takenOver} batches taken over; ${repeats} events repeated after a pause`);
    return count;
  },
};

/** Returns how many events arrived since a time at a target that had them before. */
function repeatedSince(received: readonly ReceivedEvent[], sinceMs: number): number {
  const known = new Set<string>();
  let repeats = 0;
  for (const { address, body, receivedAtMs } of received) {
    const { sequence } = JSON.parse(body) as { sequence: number };
    const key = `${address} ${sequence}`;
    if (known.has(key) && receivedAtMs >= sinceMs) repeats += 1;
    known.add(key);
  }
  return repeats;
}

/** The token of the attempt at each lane's batch. */
async function attemptsUnderWay(environment: ScenarioEnvironment): Promise<ReadonlyMap<string, string>> {
  const rows = await environment.query<{ lane: string; token: string }>(
    'select destination_id as lane, attempt_token as token from delivery_lanes where attempt_token is not null',
  );
  return new Map(rows.map(({ lane, token }) => [lane, token]));
}
