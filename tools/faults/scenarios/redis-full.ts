import { expectAllAccepted } from '../environment/api-probe.js';
import type { Scenario } from '../scenario.js';
import { pendingDeliveries } from './redis-away.js';
import { underLoad } from './redis-emptied.js';

/** Redis has no memory left and, as it is told to (noeviction), refuses every write. */
export const redisFull: Scenario = {
  name: 'redis-full',
  title: 'Redis is out of memory (noeviction) for 15 s',
  backends: ['redis'],
  short: [],
  async run(stage) {
    const redis = await underLoad(stage);
    await redis.client.config('SET', 'maxmemory', '1');
    await stage.pass(15);
    const refused = /errorstat_OOM:count=(\d+)/.exec(await redis.client.info('errorstats'))?.[1] ?? '0';
    const waiting = await pendingDeliveries(stage);
    stage.expect(Number(refused) > 0, 'Redis refused writes for want of memory');
    stage.expect(waiting > 0, 'events wait while Redis refuses');
    expectAllAccepted(stage);
    await redis.client.config('SET', 'maxmemory', '0');
    const begun = performance.now();
    await stage.untilDelivering();
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    stage.note(
      `${refused} commands refused, ${waiting} deliveries waited, ${seconds} s until the first went out`,
    );
    return stage.prove();
  },
};
