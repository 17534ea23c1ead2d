import { targetKinds } from '../../../src/targets/target.js';
import type { FaultStage } from '../environment/fault-stage.js';
import { untilWarm } from '../environment/warm-up.js';
import { bothBackends, type Scenario } from '../scenario.js';

/**
 * Three of ten records fail while a few resources change all the time. Firehose and Kinesis answer for each record, and may take a
 * later change and refuse the one before it; the others fail whole calls.
 */
export const targetsPartial: Scenario = {
  name: 'targets-partial',
  title: '30 % of the records fail, with hot resources',
  backends: bothBackends,
  short: ['postgres'],
  breaksDestinationOrder: ['delivery_stream', 'data_stream'],
  async run(stage) {
    const { crew, sandbox } = stage;
    await crew.start('api');
    // Long enough for a batch of many changes, soon enough again to show many of them.
    await crew.start('worker', {
      settings: { DELIVERY_BACKOFF_BASE_MS: '100', DELIVERY_BACKOFF_CAP_MS: '500' },
    });
    await stage.subscribe(targetKinds);
    await stage.startLoad(stage.pick(100, 60), 3);
    // The vendors' clients take their time to load.
    await untilWarm(stage);
    await sandbox.script({ kind: 'slow', delayMs: 100 });
    await sandbox.script({ kind: 'partial', ratio: 0.3 });
    await stage.pass(stage.pick(20, 6));
    const wanted = stage.pick(20, 5);
    let partial = await takenInPart(stage);
    for (let tries = 0; partial.attempts < wanted && tries < 30; tries += 1) {
      await stage.pass(1);
      partial = await takenInPart(stage);
    }
    stage.expect(partial.attempts >= wanted, `${wanted} attempts were taken in part: ${partial.attempts}`);
    stage.note(`${partial.attempts} attempts were taken in part, ${partial.records} records left over`);
    await sandbox.clearFaults();
    return stage.prove();
  },
};

/** Attempts of which the vendor took a part, and the records that it left over. */
async function takenInPart(
  stage: FaultStage,
): Promise<{ readonly attempts: number; readonly records: number }> {
  const [row] = await stage.query<{ attempts: number; records: number }>(
    `select count(*)::int as attempts, coalesce(sum(retried), 0)::int as records
     from delivery_attempts where delivered > 0 and retried > 0`,
  );
  return row ?? { attempts: 0, records: 0 };
}
