import { setTimeout as sleep } from 'node:timers/promises';
import { bothBackends, type Scenario } from '../scenario.js';

/** A worker is killed while its calls are under way, again and again; it is started again as a supervisor would. */
export const workerKilled: Scenario = {
  name: 'worker-killed',
  title: 'kill -9 of a worker mid-batch, repeatedly',
  backends: bothBackends,
  short: bothBackends,
  async run(stage) {
    const { crew, sandbox } = stage;
    await crew.start('api');
    await crew.start('worker');
    await stage.subscribe(['data_stream', 'monitoring', 'log_ingestion']);
    // Calls that take a while: whenever the worker is killed, some are under way, and the vendor has what they carried.
    await sandbox.script({ kind: 'slow', delayMs: 150 });
    await stage.startLoad(stage.pick(60, 40));
    const kills = stage.pick(6, 2);
    let inFlight = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      // The batches of a dead worker are free when their leases end, 15 s later: kills that come sooner would show no more.
      await stage.untilDelivering();
      await sleep(Math.random() * 1_500);
      await crew.kill('worker');
      const [busy] = await stage.query<{ lanes: number }>(
        'select count(*)::int as lanes from delivery_lanes where batch_id is not null',
      );
      inFlight += busy?.lanes ?? 0;
      stage.say(`kill ${kill} of ${kills}: ${busy?.lanes ?? 0} batches were under way`);
      await crew.start('worker');
    }
    stage.expect(inFlight > 0, 'a batch was under way when the worker was killed');
    stage.note(`${kills} kills with ${inFlight} batches under way`);
    return stage.prove();
  },
};
