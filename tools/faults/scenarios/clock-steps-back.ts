import { fileURLToPath } from 'node:url';
import { bothBackends, type Scenario } from '../scenario.js';

const steppingClock = fileURLToPath(new URL('../processes/stepping-clock.js', import.meta.url));
const HOUR_MS = 3_600_000;

/**
 * The wall clocks of the api and of the worker step an hour back, one after the other, while destinations are in backoff. What
 * could break: retries that the worker put into the queue store for an hour from now, as its clock says; identifiers, which
 * begin with the time, so that later events have lower ones; windows of idempotency and rate. Postgres and Redis keep their clocks.
 */
export const clockStepsBack: Scenario = {
  name: 'clock-steps-back',
  title: 'the clocks of api and worker step back by an hour, twice',
  backends: bothBackends,
  short: [],
  async run(stage) {
    const { crew, sandbox } = stage;
    const options = {
      settings: { CLOCK_STEP_MS: String(-HOUR_MS) },
      nodeOptions: [`--import=${steppingClock}`],
    };
    await crew.start('api', options);
    await crew.start('worker', options);
    await stage.subscribe(['delivery_stream', 'data_stream', 'log_group', 'monitoring', 'log_ingestion']);
    await stage.startLoad(stage.pick(50, 30));
    const steps = stage.pick(2, 1);
    for (let step = 1; step <= steps; step += 1) {
      await stage.untilDelivering();
      await sandbox.script({ kind: 'unavailable', ratio: 0.7 });
      await stage.pass(4);
      crew.signal('worker', 'SIGUSR2');
      stage.say('the clock of the worker is an hour back');
      await stage.pass(2);
      crew.signal('api', 'SIGUSR2');
      stage.say('the clock of the api is an hour back');
      await stage.pass(2);
      await sandbox.clearFaults();
      await stage.pass(4);
    }
    const count = await stage.prove();
    const [stamps] = await stage.query<{ backwards: number }>(
      `select count(*)::int as backwards from (
         select e.created_at < lag(e.created_at) over (order by d.id) - interval '30 minutes' as back
         from deliveries d join events e on e.id = d.event_id
         where d.destination_id = '${stage.destinations[0]?.id}') stepped where back`,
    );
    stage.expect((stamps?.backwards ?? 0) >= steps, 'the times of events show the steps');
    return count;
  },
};
