import { setTimeout as sleep } from 'node:timers/promises';
import { bothBackends, type Scenario } from '../scenario.js';

/**
 * Kills a worker repeatedly during its calls and restarts it. Each time a vendor has stored one call without a
 * response: its events must be delivered again.
 */
export const workerKilled: Scenario = {
  name: 'worker-killed',
  title: 'kill -9 of a worker mid-batch, repeatedly',
  backends: bothBackends,
  short: ['redis'],
  async run(environment) {
    const { processes, sandbox } = environment;
    await processes.start('api');
    await processes.start('worker');
    await environment.subscribe(['data_stream', 'monitoring', 'log_ingestion']);
    await environment.startLoad(environment.pick(60, 40));
    const kills = environment.pick(6, 1);
    let inFlight = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      // The leases of a dead worker end after 15 s. Earlier kills would add nothing.
      await environment.waitForDelivery();
      await sandbox.script({ target: 'data_stream', kind: 'timeout', accepts: true, times: 1 });
      await sandbox.script({ kind: 'slow', delayMs: 200 });
      while ((await sandbox.faults()).some(({ kind }) => kind === 'timeout')) await sleep(50);
      // Time for the vendor to store the call, and for other calls to start.
      await sleep(400 + Math.random() * 600);
      await processes.kill('worker');
      await sandbox.clearFaults();
      const [busy] = await environment.query<{ lanes: number }>(
        'select count(*)::int as lanes from delivery_lanes where batch_id is not null',
      );
      inFlight += busy?.lanes ?? 0;
      environment.log(`kill ${kill} of ${kills}: ${busy?.lanes ?? 0} open batches`);
      await processes.start('worker');
    }
    const count = await environment.verify();
    environment.expect(
      count.destinations.some(({ duplicates }) => duplicates > 0),
      'a call that a vendor had stored before the kill was repeated',
    );
    environment.note(`${kills} kills with ${inFlight} open batches`);
    return count;
  },
};
