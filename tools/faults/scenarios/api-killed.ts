import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultStage } from '../environment/fault-stage.js';
import { bothBackends, type Scenario } from '../scenario.js';

/** Idle lanes that nothing holds back and that have deliveries: no job of the queue store will ever look at them. */
const WITHOUT_JOB = `
  select count(*)::int as lanes from delivery_lanes l
  where batch_id is null and (resume_at is null or resume_at <= now())
    and exists (select from deliveries d where d.destination_id = l.destination_id and d.state = 'pending')`;

/** Time for the worker to end what it has in hand and to claim what comes next, so that what is left is left for good. */
const SETTLE_MS = 500;
const TRIES = 100;

/**
 * Holds the api (SIGSTOP) at the moment at which a change is answered, which is after its commit and while its lanes are being
 * claimed, and looks into the database; lets it go on and tries again until there are deliveries that no job would ever find.
 * Then kills it where it stands: the same end as a kill at that moment. Gives how many lanes were left.
 */
async function killBeforeDispatch(stage: FaultStage): Promise<number> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    await stage.load.nextAccepted();
    stage.crew.pause('api');
    await sleep(SETTLE_MS);
    const [found] = await stage.query<{ lanes: number }>(WITHOUT_JOB);
    if (found && found.lanes > 0) {
      await stage.crew.kill('api');
      return found.lanes;
    }
    stage.crew.resume('api');
    await sleep(Math.random() * 200);
  }
  throw new Error(`The api was not caught between commit and dispatch in ${TRIES} tries.`);
}

/**
 * Waits until no lane is without a job.
 * @throws Error when one still is after a minute
 */
async function untilFound(stage: FaultStage): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (let lanes = 1; lanes > 0; await sleep(200)) {
    if (Date.now() > deadline) throw new Error(`${lanes} lanes were without a job for a minute.`);
    const [found] = await stage.query<{ lanes: number }>(WITHOUT_JOB);
    lanes = found?.lanes ?? 0;
  }
}

/**
 * The api is killed after it has committed changes and before it has claimed the lanes of all destinations. That it was so is read
 * from the database before the kill. No api runs until those lanes have a batch again: nobody but the worker's sweeper can have given
 * them one, and its log must say so.
 */
export const apiKilled: Scenario = {
  name: 'api-killed',
  title: 'kill -9 of the api between commit and dispatch',
  backends: bothBackends,
  short: ['postgres'],
  async run(stage) {
    const { crew } = stage;
    await crew.start('api');
    await crew.start('worker');
    const destinations = stage.pick(40, 25);
    for (let number = 0; number < destinations; number += 1) await stage.createDestination('data_stream');
    await stage.subscribe();
    await stage.startLoad(8);
    const kills = stage.pick(8, 2);
    let lanes = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      await stage.untilDelivering();
      const left = await killBeforeDispatch(stage);
      lanes += left;
      stage.say(`kill ${kill} of ${kills}: ${left} lanes with deliveries and no job`);
      await untilFound(stage);
      await crew.start('api');
    }
    const count = await stage.prove();
    const sweeps = await crew.logged('worker', '"msg":"swept"');
    const dispatched = sweeps.reduce((sum, sweep) => sum + Number(sweep['dispatched']), 0);
    const rebuilt = sweeps.reduce((sum, sweep) => sum + Number(sweep['rebuilt']), 0);
    // Postgres may still end a claim that was under way at the kill: that lane has a batch then, whose job is rebuilt.
    stage.expect(
      dispatched + rebuilt >= lanes,
      `the sweeper found all ${lanes} lanes without a job: ${dispatched} dispatched, ${rebuilt} jobs rebuilt`,
    );
    stage.note(
      `${kills} kills left ${lanes} lanes without a job; the sweeper dispatched ${dispatched} lanes and rebuilt ${rebuilt} jobs`,
    );
    return count;
  },
};
