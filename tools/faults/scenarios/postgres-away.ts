import type { Count } from '../count/count.js';
import { expectOnlyUnavailable, expectUnavailable } from '../environment/api-probe.js';
import type { ScenarioEnvironment } from '../environment/scenario-environment.js';
import type { Scenario } from '../scenario.js';

/** Stops Postgres for 30 seconds: it refuses connections. */
export const postgresAway: Scenario = {
  name: 'postgres-away',
  title: 'Postgres is stopped for 30 s',
  async run(environment) {
    await environment.beginWithOpenAttempts(['data_stream', 'delivery_stream', 'log_ingestion']);
    await environment.postgres.stop();
    await environment.wait(5);
    await expectUnavailable(environment);
    await environment.wait(25);
    await environment.postgres.start();
    return verifyRecovery(environment);
  },
};

/** Pauses Postgres for 30 seconds with its connections open: it neither refuses nor responds. */
export const postgresHangs: Scenario = {
  name: 'postgres-hangs',
  title: 'Postgres is paused for 30 s (SIGSTOP), with open connections',
  async run(environment) {
    await environment.beginWithOpenAttempts(['data_stream', 'delivery_stream', 'log_ingestion']);
    await environment.postgres.pause();
    const paused = performance.now();
    try {
      await environment.wait(5);
      await expectUnavailable(environment);
      await environment.wait(30 - (performance.now() - paused) / 1_000);
    } finally {
      await environment.postgres.resume();
    }
    return verifyRecovery(environment);
  },
};

/** Checks that changes and deliveries continue, then verifies. */
async function verifyRecovery(environment: ScenarioEnvironment): Promise<Count> {
  const begun = performance.now();
  const accepted = environment.load.counts.accepted.size;
  await environment.waitForDelivery();
  environment.note(`deliveries continued ${((performance.now() - begun) / 1_000).toFixed(1)} s after the outage`);
  await environment.wait(3);
  environment.expect(environment.load.counts.accepted.size > accepted, 'changes are accepted after the outage');
  expectOnlyUnavailable(environment);
  return environment.verify();
}
