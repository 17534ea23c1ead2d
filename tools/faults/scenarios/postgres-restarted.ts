import { setTimeout as sleep } from 'node:timers/promises';
import { expectOnlyUnavailable } from '../environment/api-probe.js';
import type { Scenario } from '../scenario.js';

/** Restarts Postgres, kills it, and repeatedly terminates all connections. */
export const postgresRestarted: Scenario = {
  name: 'postgres-restarted',
  title: 'Postgres: restart; kill -9; all connections terminated, repeatedly',
  short: ['postgres'],
  async run(environment) {
    const { postgres } = environment;
    await environment.beginWithOpenAttempts(['data_stream', 'delivery_stream', 'log_ingestion']);
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
