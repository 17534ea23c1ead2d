import { expectOnlyUnavailable, expectUnavailable } from '../environment/api-probe.js';
import type { Count } from '../count/count.js';
import type { FaultStage } from '../environment/fault-stage.js';
import { bothBackends, type Scenario } from '../scenario.js';
import { postgresUnderLoad } from './postgres-restarted.js';

/** Postgres is stopped for half a minute: connections are refused. */
export const postgresAway: Scenario = {
  name: 'postgres-away',
  title: 'Postgres is stopped for 30 s',
  backends: bothBackends,
  short: [],
  async run(stage) {
    await postgresUnderLoad(stage);
    await stage.postgres.stop();
    await stage.pass(5);
    await expectUnavailable(stage);
    await stage.pass(25);
    await stage.postgres.start();
    return afterwards(stage);
  },
};

/** Postgres stands still for half a minute with its connections open: nobody says no, and nobody answers. */
export const postgresHangs: Scenario = {
  name: 'postgres-hangs',
  title: 'Postgres stands still for 30 s (SIGSTOP), its connections half open',
  backends: bothBackends,
  short: [],
  async run(stage) {
    await postgresUnderLoad(stage);
    await stage.postgres.pause();
    const paused = performance.now();
    try {
      await stage.pass(5);
      await expectUnavailable(stage);
      await stage.pass(30 - (performance.now() - paused) / 1_000);
    } finally {
      await stage.postgres.resume();
    }
    return afterwards(stage);
  },
};

/** Postgres is back: changes are accepted again, deliveries go on, and nothing is missing. */
async function afterwards(stage: FaultStage): Promise<Count> {
  const begun = performance.now();
  const accepted = stage.load.tally.accepted.size;
  await stage.untilDelivering();
  stage.note(`deliveries went on ${((performance.now() - begun) / 1_000).toFixed(1)} s after it was back`);
  await stage.pass(3);
  stage.expect(stage.load.tally.accepted.size > accepted, 'changes are accepted again once it is back');
  expectOnlyUnavailable(stage);
  return stage.prove();
}
