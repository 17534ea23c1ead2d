import { join } from 'node:path';
import { currentEpoch, expectUndoneEvents, waitForDeliveries, waitForEpoch } from '../environment/epoch.js';
import { warmUp } from '../environment/warm-up.js';
import type { Scenario } from '../scenario.js';

/**
 * Puts an older base backup back, while the processes run: the timeline is the same, so that only the witness can tell.
 * The witness is Redis, or a file where the queues are in the database.
 */
export const databaseRestored: Scenario = {
  name: 'database-restored',
  title: 'Postgres: an older base backup, taken under load, is put back',
  short: ['redis', 'postgres'],
  async run(environment) {
    const { postgres, processes, folder } = environment;
    const settings: Readonly<Record<string, string>> = environment.redis
      ? {}
      : { WITNESS_FILE: join(folder, 'witness.json') };
    await processes.start('api', { settings });
    await processes.start('worker', { settings });
    await processes.start('worker-2', { settings });
    await environment.subscribe(['data_stream', 'monitoring', 'delivery_stream']);
    await environment.startLoad(40);
    await warmUp(environment);

    const before = await currentEpoch(environment);
    const backup = join(folder, 'backup');
    await postgres.backup(backup);
    environment.log('a base backup was taken');
    await waitForDeliveries(environment);
    await environment.wait(environment.pick(15, 5));
    await environment.load.stop();
    environment.log(`the backup is put back; ${environment.load.summary}`);
    await postgres.restore(backup);

    await waitForEpoch(environment, before, 'numbers_lost');
    await environment.startLoad(40);
    await environment.wait(environment.pick(15, 5));
    const count = await environment.verify();
    await expectUndoneEvents(environment, count);
    return count;
  },
};
