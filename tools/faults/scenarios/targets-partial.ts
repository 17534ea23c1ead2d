import { targetKinds } from '../../../src/targets/target.js';
import type { ScenarioEnvironment } from '../environment/scenario-environment.js';
import { warmUp } from '../environment/warm-up.js';
import type { Scenario } from '../scenario.js';

/**
 * 30 % of the records fail while a few resources change all the time. Firehose and Kinesis respond for each record and
 * may accept a later change while they refuse an earlier one. The other targets fail whole calls.
 */
export const targetsPartial: Scenario = {
  name: 'targets-partial',
  title: '30 % of the records fail, with hot resources',
  short: ['postgres'],
  breaksDestinationOrder: ['delivery_stream', 'data_stream'],
  async run(environment) {
    const { processes, sandbox } = environment;
    await processes.start('api');
    // Long enough to gather a large batch, short enough for many attempts.
    await processes.start('worker', {
      settings: { DELIVERY_BACKOFF_BASE_MS: '100', DELIVERY_BACKOFF_CAP_MS: '500' },
    });
    await environment.subscribe(targetKinds);
    await environment.startLoad(environment.pick(100, 60), 3);
    await warmUp(environment);
    await sandbox.script({ kind: 'slow', delayMs: 100 });
    await sandbox.script({ kind: 'partial', ratio: 0.3 });
    await environment.wait(environment.pick(20, 6));
    const wanted = environment.pick(20, 5);
    let partial = await acceptedInPart(environment);
    for (let tries = 0; partial.attempts < wanted && tries < 30; tries += 1) {
      await environment.wait(1);
      partial = await acceptedInPart(environment);
    }
    environment.expect(partial.attempts >= wanted, `${wanted} attempts were accepted in part: ${partial.attempts}`);
    environment.note(`${partial.attempts} attempts were accepted in part, ${partial.records} records were retried`);
    await sandbox.clearFaults();
    return environment.verify();
  },
};

/** Counts the attempts that were accepted in part, and their retried records. */
async function acceptedInPart(
  environment: ScenarioEnvironment,
): Promise<{ readonly attempts: number; readonly records: number }> {
  const [row] = await environment.query<{ attempts: number; records: number }>(
    `select count(*)::int as attempts, coalesce(sum(retried), 0)::int as records
     from delivery_attempts where delivered > 0 and retried > 0`,
  );
  return row ?? { attempts: 0, records: 0 };
}
