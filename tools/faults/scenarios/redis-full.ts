import { expectAllAccepted } from '../environment/api-probe.js';
import type { Scenario } from '../scenario.js';
import { underLoad } from './redis-emptied.js';

/** Redis is out of memory and refuses every write (noeviction). */
export const redisFull: Scenario = {
  name: 'redis-full',
  title: 'Redis is out of memory (noeviction) for 15 s',
  backends: ['redis'],
  async run(environment) {
    const redis = await underLoad(environment);
    await redis.client.config('SET', 'maxmemory', '1');
    await environment.wait(15);
    const refused = /errorstat_OOM:count=(\d+)/.exec(await redis.client.info('errorstats'))?.[1] ?? '0';
    const waiting = await environment.count(`deliveries where state = 'pending'`);
    environment.expect(Number(refused) > 0, 'Redis refused writes without memory');
    environment.expect(waiting > 0, 'events wait while Redis refuses');
    expectAllAccepted(environment);
    await redis.client.config('SET', 'maxmemory', '0');
    const begun = performance.now();
    await environment.waitForDelivery();
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    environment.note(
      `${refused} commands refused, ${waiting} deliveries waited, the first was sent after ${seconds} s`,
    );
    return environment.verify();
  },
};
