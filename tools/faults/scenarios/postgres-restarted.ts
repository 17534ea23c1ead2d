import { setTimeout as sleep } from 'node:timers/promises';
import { expectOnlyUnavailable } from '../environment/api-probe.js';
import type { FaultStage } from '../environment/fault-stage.js';
import { bothBackends, type Scenario } from '../scenario.js';

/** The truth itself goes away for a moment: an orderly restart, a crash, and connections that are cut again and again. */
export const postgresRestarted: Scenario = {
  name: 'postgres-restarted',
  title: 'Postgres: restart; kill -9; all connections cut, repeatedly',
  backends: bothBackends,
  short: ['postgres'],
  async run(stage) {
    const { postgres } = stage;
    await postgresUnderLoad(stage);
    await postgres.stop();
    await postgres.start();
    stage.say('Postgres was restarted');
    await stage.untilDelivering();
    if (!stage.short) {
      await postgres.kill();
      await postgres.start();
      stage.say('Postgres was killed and has recovered');
      await stage.untilDelivering();
    }
    let cut = 0;
    const rounds = stage.pick(8, 3);
    for (let round = 1; round <= rounds; round += 1) {
      await sleep(300 + Math.random() * 1_000);
      cut += await postgres.terminateConnections(stage.databaseName);
    }
    stage.say(`${cut} connections were cut in ${rounds} rounds`);
    stage.expect(cut > rounds, 'there were connections to cut');
    await stage.untilDelivering();
    expectOnlyUnavailable(stage);
    stage.note(`${cut} connections cut in ${rounds} rounds`);
    return stage.prove();
  },
};

/** The start of every scenario about Postgres. */
export async function postgresUnderLoad(stage: FaultStage): Promise<void> {
  await stage.crew.start('api');
  await stage.crew.start('worker');
  await stage.subscribe(['data_stream', 'delivery_stream', 'log_ingestion']);
  // Calls that take a while: attempts are to be recorded when the database goes.
  await stage.sandbox.script({ kind: 'slow', delayMs: 100 });
  await stage.startLoad(stage.pick(60, 40));
  await stage.untilDelivering();
}
