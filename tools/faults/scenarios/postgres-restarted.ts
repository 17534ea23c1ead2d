import { setTimeout as sleep } from 'node:timers/promises';
import { expectOnlyUnavailable } from '../environment/api-probe.js';
import type { ScenarioEnvironment } from '../environment/scenario-environment.js';
import type { Scenario } from '../scenario.js';

/** Restarts Postgres, kills it, and repeatedly terminates all connections. */
export const postgresRestarted: Scenario = {
  name: 'postgres-restarted',
  title: 'Postgres: restart; kill -9; all connections terminated, repeatedly',
  short: ['postgres'],
  async run(environment) {
    const { postgres } = environment;
    await postgresUnderLoad(environment);
    await postgres.stop();
    await postgres.start();
    environment.log('Postgres was restarted');
    await environment.waitForDelivery();
    if (!environment.short) {
      await postgres.kill();
      await postgres.start();
      environment.log('Postgres recovered from a kill');
      await environment.waitForDelivery();
    }
    let cut = 0;
    const rounds = environment.pick(8, 3);
    for (let round = 1; round <= rounds; round += 1) {
      await sleep(300 + Math.random() * 1_000);
      cut += await postgres.terminateConnections(environment.databaseName);
    }
    environment.log(`terminated ${cut} connections in ${rounds} rounds`);
    environment.expect(cut > rounds, 'there were connections to terminate');
    await environment.waitForDelivery();
    expectOnlyUnavailable(environment);
    environment.note(`${cut} connections terminated in ${rounds} rounds`);
    return environment.verify();
  },
};

/** Starts every scenario about Postgres. */
export async function postgresUnderLoad(environment: ScenarioEnvironment): Promise<void> {
  await environment.processes.start('api');
  await environment.processes.start('worker');
  await environment.subscribe(['data_stream', 'delivery_stream', 'log_ingestion']);
  // Slow calls, so that attempts are open at the outage.
  await environment.sandbox.script({ kind: 'slow', delayMs: 100 });
  await environment.startLoad(environment.pick(60, 40));
  await environment.waitForDelivery();
}
