import { fileURLToPath } from 'node:url';
import type { Scenario } from '../scenario.js';

const steppingClock = fileURLToPath(new URL('../processes/stepping-clock.js', import.meta.url));
const HOUR_MS = 3_600_000;

/**
 * Steps the wall clocks of the api and the worker back by an hour while destinations are in backoff. It could break
 * retries scheduled by the worker's clock, ids that begin with the time, and the windows of idempotency keys and rate
 * limits. Postgres and Redis keep their clocks.
 */
export const clockStepsBack: Scenario = {
  name: 'clock-steps-back',
  title: 'the clocks of api and worker step back by an hour, twice',
  async run(environment) {
    const { processes, sandbox } = environment;
    const options = {
      settings: { CLOCK_STEP_MS: String(-HOUR_MS) },
      nodeOptions: [`--import=${steppingClock}`],
    };
    await processes.start('api', options);
    await processes.start('worker', options);
    await environment.subscribe(['delivery_stream', 'data_stream', 'log_group', 'monitoring', 'log_ingestion']);
    await environment.startLoad(environment.pick(50, 30));
    const steps = environment.pick(2, 1);
    for (let step = 1; step <= steps; step += 1) {
      await environment.waitForDelivery();
      await sandbox.script({ kind: 'unavailable', ratio: 0.7 });
      await environment.wait(4);
      processes.signal('worker', 'SIGUSR2');
      environment.log('the clock of the worker stepped back by an hour');
      await environment.wait(2);
      processes.signal('api', 'SIGUSR2');
      environment.log('the clock of the api stepped back by an hour');
      await environment.wait(2);
      await sandbox.clearFaults();
      await environment.wait(4);
    }
    const count = await environment.verify();
    const backwards = await environment.count(
      `(select e.created_at < lag(e.created_at) over (order by d.id) - interval '30 minutes' as back
        from all_deliveries d join events e on e.id = d.event_id
        where d.destination_id = '${environment.destinations[0]?.id}') stepped where back`,
    );
    environment.expect(backwards >= steps, 'the times of events show the steps');
    return count;
  },
};
