import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../harness/until.js';
import type { ScenarioEnvironment } from '../environment/scenario-environment.js';
import type { Scenario } from '../scenario.js';

/** Idle lanes with due deliveries and no job: only the sweeper finds them. */
const WITHOUT_JOB = `
  select l.destination_id from delivery_lanes l
  where batch_id is null and (resume_at is null or resume_at <= now())
    and exists (select from deliveries d where d.destination_id = l.destination_id and d.state = 'pending')`;

/** Time for the worker to finish its batches and claim the next ones, before each of two looks at the lanes. */
const SETTLE_MS = 500;
const TRIES = 100;

async function lanesWithoutJob(environment: ScenarioEnvironment): Promise<Set<string>> {
  const found = await environment.query<{ destination_id: string }>(WITHOUT_JOB);
  return new Set(found.map((lane) => lane.destination_id));
}

/**
 * Returns the number of lanes that have no job in two looks. In one look, a lane may be between a settlement and the
 * next claim of a slow worker.
 */
async function lanesLeft(environment: ScenarioEnvironment): Promise<number> {
  await sleep(SETTLE_MS);
  const first = await lanesWithoutJob(environment);
  if (first.size === 0) return 0;
  await sleep(SETTLE_MS);
  const second = await lanesWithoutJob(environment);
  return [...first].filter((lane) => second.has(lane)).length;
}

/**
 * Pauses the api at the response to a change, after its commit and before the lanes are claimed. Resumes and tries
 * again until the database shows lanes without a job, then kills the api in that state.
 * @returns number of lanes without a job
 */
async function killBeforeDispatch(environment: ScenarioEnvironment): Promise<number> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    await environment.load.nextAccepted();
    environment.processes.pause('api');
    const lanes = await lanesLeft(environment);
    if (lanes > 0) {
      await environment.processes.kill('api');
      return lanes;
    }
    environment.processes.resume('api');
    await sleep(Math.random() * 200);
  }
  throw new Error(`The api was never between commit and dispatch in ${TRIES} tries.`);
}

/**
 * Kills the api between the commit of a change and the claim of its lanes. The database shows such lanes before the
 * kill. No api runs until every lane has a batch again, so only the worker can dispatch them: its sweeper, whose log
 * must show it, or the checkpoint of a log, which is a delivery too.
 */
export const apiKilled: Scenario = {
  name: 'api-killed',
  title: 'kill -9 of the api between commit and dispatch',
  short: ['postgres'],
  async run(environment) {
    const { processes } = environment;
    await processes.start('api');
    await processes.start('worker', { settings: { PROOF_CHECKPOINT_SECONDS: '10' } });
    const destinations = environment.pick(40, 25);
    for (let number = 0; number < destinations; number += 1) await environment.createDestination('data_stream');
    await environment.subscribe();
    await environment.startLoad(8);
    const kills = environment.pick(8, 2);
    let lanes = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      await environment.waitForDelivery();
      const left = await killBeforeDispatch(environment);
      lanes += left;
      environment.log(`kill ${kill} of ${kills}: ${left} lanes with deliveries and no job`);
      await until(async () => (await lanesWithoutJob(environment)).size === 0, 'every lane with deliveries has a job');
      await processes.start('api');
    }
    const count = await environment.verify();
    const sweeps = await processes.logged('worker', '"msg":"sweep repaired lanes, jobs or deliveries"');
    const dispatched = sweeps.reduce((sum, sweep) => sum + Number(sweep['dispatched']), 0);
    const rebuilt = sweeps.reduce((sum, sweep) => sum + Number(sweep['rebuilt']), 0);
    // Postgres may still commit a claim that was running at the kill. Such a lane has a batch, and its job is rebuilt.
    environment.expect(dispatched + rebuilt > 0, `the sweeper found some of ${lanes} lanes without a job`);
    environment.note(
      `${kills} kills left ${lanes} lanes without a job; the sweeper dispatched ${dispatched} lanes and rebuilt ${rebuilt} jobs`,
    );
    return count;
  },
};
