import type { Fault } from '@waybill/sandbox';
import { targetKinds } from '../../../src/targets/target.js';
import { total } from '../count/count.js';
import type { ScenarioEnvironment } from '../environment/scenario-environment.js';
import { warmUp } from '../environment/warm-up.js';
import type { Scenario } from '../scenario.js';

/** Faults in turn. */
const faults: readonly (readonly [name: string, faults: readonly Omit<Fault, 'target'>[]])[] = [
  ['throttling with Retry-After', [{ kind: 'throttle', retryAfterSeconds: 2, ratio: 0.7 }]],
  [
    'timeouts, before and after the call is stored',
    [
      { kind: 'timeout', ratio: 0.2 },
      { kind: 'timeout', ratio: 0.2, accepts: true },
    ],
  ],
  [
    'resets, before and after the call is stored',
    [
      { kind: 'reset', ratio: 0.2 },
      { kind: 'reset', ratio: 0.2, accepts: true },
    ],
  ],
  [
    'slow responses, some of them too slow',
    [
      { kind: 'slow', delayMs: 1_200 },
      { kind: 'slow', delayMs: 1_500, ratio: 0.2 },
    ],
  ],
];

/** Least number of Retry-After responses for a meaningful check. */
const LEAST_WAITS = 4;

/** Throttling, timeouts, resets and slow responses, in turn, at all five targets. */
export const targetsUnreliable: Scenario = {
  name: 'targets-unreliable',
  title: 'The targets throttle with Retry-After, time out, reset connections and respond slowly',
  async run(environment) {
    const { processes, sandbox } = environment;
    await processes.start('api');
    await processes.start('worker', {
      settings: { DELIVERY_SEND_TIMEOUT_MS: '2000', DELIVERY_BACKOFF_CAP_MS: '2000' },
    });
    await environment.subscribe(targetKinds);
    await environment.startLoad(60);
    await warmUp(environment);
    for (const [name, scripted] of faults) {
      await environment.waitForDelivery();
      environment.log(name);
      for (const fault of scripted) await sandbox.script(fault);
      await environment.wait(environment.pick(10, 4));
      const waitsWanted = scripted.some(({ retryAfterSeconds }) => retryAfterSeconds !== undefined) ? LEAST_WAITS : 0;
      for (let tries = 0; tries < 20 && (await waits(environment)).asked < waitsWanted; tries += 1)
        await environment.wait(1);
      await sandbox.clearFaults();
    }
    const { asked, early } = await waits(environment);
    environment.expect(asked >= LEAST_WAITS, `at least ${LEAST_WAITS} responses had a Retry-After: ${asked}`);
    environment.expect(early === 0, `no call came before its Retry-After: ${early} did`);
    const codes = await environment.query<{ code: string; attempts: number }>(
      `select coalesce(code, '') as code, count(*)::int as attempts from delivery_attempts
       where outcome <> 'healthy' group by 1 order by 2 desc`,
    );
    const expected = [
      /Throttl|Throughput|ServiceUnavailable|429|TooMany/,
      /timeout/i,
      /ECONNRESET|connection_failed|EPIPE|UND_ERR/,
    ];
    for (const pattern of expected)
      environment.expect(
        codes.some(({ code }) => pattern.test(code)),
        `attempts failed with ${pattern.source}`,
      );
    const count = await environment.verify();
    environment.expect(total(count, 'duplicates') > 0, 'calls that were stored without a response were repeated');
    environment.note(`${asked} responses with Retry-After, ${early} calls too early`);
    environment.note(`failed attempts: ${codes.map(({ code, attempts }) => `${attempts} ${code}`).join(', ')}`);
    return count;
  },
};

/** Counts the Retry-After responses and the calls that came too early. */
async function waits({ sandbox }: ScenarioEnvironment): Promise<{ readonly asked: number; readonly early: number }> {
  const all = await sandbox.earlyCalls();
  return {
    asked: all.reduce((sum, one) => sum + one.asked, 0),
    early: all.reduce((sum, one) => sum + one.early, 0),
  };
}
