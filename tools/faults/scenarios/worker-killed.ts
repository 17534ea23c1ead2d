import { setTimeout as sleep } from 'node:timers/promises';
import { bothBackends, type Scenario } from '../scenario.js';

/**
 * A worker is killed while its calls are under way, again and again; it is started again as a supervisor would. Each time one of the
 * calls has been taken by its vendor and not been answered: what it carried must come again, and nothing else may change.
 */
export const workerKilled: Scenario = {
  name: 'worker-killed',
  title: 'kill -9 of a worker mid-batch, repeatedly',
  backends: bothBackends,
  short: ['redis'],
  async run(stage) {
    const { crew, sandbox } = stage;
    await crew.start('api');
    await crew.start('worker');
    await stage.subscribe(['data_stream', 'monitoring', 'log_ingestion']);
    await stage.startLoad(stage.pick(60, 40));
    const kills = stage.pick(6, 1);
    let inFlight = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      // The batches of a dead worker are free when their leases end, 15 s later: kills that come sooner would show no more.
      await stage.untilDelivering();
      await sandbox.script({ target: 'data_stream', kind: 'timeout', accepts: true, times: 1 });
      await sandbox.script({ kind: 'slow', delayMs: 200 });
      while ((await sandbox.faults()).some(({ kind }) => kind === 'timeout')) await sleep(50);
      // Time for the vendor to have taken it, and for others to be under way as well.
      await sleep(400 + Math.random() * 600);
      await crew.kill('worker');
      await sandbox.clearFaults();
      const [busy] = await stage.query<{ lanes: number }>(
        'select count(*)::int as lanes from delivery_lanes where batch_id is not null',
      );
      inFlight += busy?.lanes ?? 0;
      stage.say(`kill ${kill} of ${kills}: ${busy?.lanes ?? 0} batches were under way`);
      await crew.start('worker');
    }
    const count = await stage.prove();
    stage.expect(
      count.destinations.some(({ duplicates }) => duplicates > 0),
      'what a vendor had taken when the worker was killed came again',
    );
    stage.note(`${kills} kills with ${inFlight} batches under way`);
    return count;
  },
};
