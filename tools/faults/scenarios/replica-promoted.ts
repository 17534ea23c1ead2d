import { join } from 'node:path';
import { currentEpoch, expectUndoneEvents, waitForDeliveries, waitForEpoch } from '../environment/epoch.js';
import { warmUp } from '../environment/warm-up.js';
import type { Scenario } from '../scenario.js';

/** Loses the primary, and promotes a standby that has not received the last commits. No witness is needed. */
export const replicaPromoted: Scenario = {
  name: 'replica-promoted',
  title: 'Postgres: the primary is lost; a standby without its last commits is promoted',
  short: ['postgres'],
  async run(environment) {
    const { postgres, processes, folder } = environment;
    await processes.start('api');
    await processes.start('worker');
    await processes.start('worker-2');
    await environment.subscribe(['data_stream', 'monitoring', 'delivery_stream']);
    await environment.startLoad(40);
    await warmUp(environment);

    const before = await currentEpoch(environment);
    const standby = await postgres.startStandby(join(folder, 'standby'));
    await standby.caughtUp(postgres);
    environment.log('a standby streams');
    await environment.wait(environment.pick(10, 3));
    await standby.cutOff();
    environment.log('the standby is cut off');
    await waitForDeliveries(environment);
    await environment.wait(environment.pick(5, 3));
    await environment.load.stop();
    environment.log(`the primary is lost; ${environment.load.summary}`);
    await postgres.failOver(standby);

    await waitForEpoch(environment, before, 'other_timeline');
    await environment.startLoad(40);
    await environment.wait(environment.pick(15, 5));
    const count = await environment.verify();
    await expectUndoneEvents(environment, count);
    return count;
  },
};
