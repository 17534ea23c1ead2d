import { targetKinds } from '../../../src/targets/target.js';
import type { Fault } from '../../sandbox/sandbox-contract.js';
import { total } from '../count/count.js';
import type { FaultStage } from '../environment/fault-stage.js';
import { untilWarm } from '../environment/warm-up.js';
import { bothBackends, type Scenario } from '../scenario.js';

/** What the targets do to some of the calls, a while each. */
const faults: readonly (readonly [name: string, faults: readonly Omit<Fault, 'target'>[]])[] = [
  ['throttling with Retry-After', [{ kind: 'throttle', retryAfterSeconds: 2, ratio: 0.7 }]],
  [
    'timeouts, before and after the body was taken',
    [
      { kind: 'timeout', ratio: 0.2 },
      { kind: 'timeout', ratio: 0.2, accepts: true },
    ],
  ],
  [
    'resets, before and after the body was taken',
    [
      { kind: 'reset', ratio: 0.2 },
      { kind: 'reset', ratio: 0.2, accepts: true },
    ],
  ],
  [
    'slow answers, some of them too slow',
    [
      { kind: 'slow', delayMs: 1_200 },
      { kind: 'slow', delayMs: 1_500, ratio: 0.2 },
    ],
  ],
];

/** Waits that the vendors must have asked for, for their keeping to show anything. */
const LEAST_WAITS = 4;

/** Throttling, timeouts, resets and slow answers, one after another, at all five targets at once. */
export const targetsUnreliable: Scenario = {
  name: 'targets-unreliable',
  title: 'The targets throttle with Retry-After, time out, reset connections and answer slowly',
  backends: bothBackends,
  short: [],
  async run(stage) {
    const { crew, sandbox } = stage;
    await crew.start('api');
    await crew.start('worker', {
      settings: { DELIVERY_SEND_TIMEOUT_MS: '2000', DELIVERY_BACKOFF_CAP_MS: '2000' },
    });
    await stage.subscribe(targetKinds);
    await stage.startLoad(60);
    await untilWarm(stage);
    for (const [name, scripted] of faults) {
      await stage.untilDelivering();
      stage.say(name);
      for (const fault of scripted) await sandbox.script(fault);
      await stage.pass(stage.pick(10, 4));
      const waitsWanted = scripted.some(({ retryAfterSeconds }) => retryAfterSeconds !== undefined)
        ? LEAST_WAITS
        : 0;
      for (let tries = 0; tries < 20 && (await waits(stage)).asked < waitsWanted; tries += 1)
        await stage.pass(1);
      await sandbox.clearFaults();
    }
    const { asked, early } = await waits(stage);
    stage.expect(asked >= LEAST_WAITS, `${LEAST_WAITS} waits were asked for: ${asked}`);
    stage.expect(early === 0, `no call came earlier than it was told to: ${early} did`);
    const codes = await stage.query<{ code: string; attempts: number }>(
      `select coalesce(code, '') as code, count(*)::int as attempts from delivery_attempts
       where outcome <> 'healthy' group by 1 order by 2 desc`,
    );
    const expected = [
      /Throttl|Throughput|ServiceUnavailable|429|TooMany/,
      /timeout/i,
      /ECONNRESET|connection_failed|EPIPE|UND_ERR/,
    ];
    for (const pattern of expected)
      stage.expect(
        codes.some(({ code }) => pattern.test(code)),
        `attempts failed with ${pattern.source}`,
      );
    const count = await stage.prove();
    stage.expect(total(count, 'duplicates') > 0, 'calls that were taken and not answered were made again');
    stage.note(`${asked} waits asked for by Retry-After, ${early} calls too early`);
    stage.note(`failed attempts: ${codes.map(({ code, attempts }) => `${attempts} ${code}`).join(', ')}`);
    return count;
  },
};

/** Waits that were asked for, and calls that came before they were over, at all targets. */
async function waits({ sandbox }: FaultStage): Promise<{ readonly asked: number; readonly early: number }> {
  const all = await sandbox.earlyCalls();
  return {
    asked: all.reduce((sum, one) => sum + one.asked, 0),
    early: all.reduce((sum, one) => sum + one.early, 0),
  };
}
