import { setTimeout as sleep } from 'node:timers/promises';
import { expectAllAccepted } from '../environment/api-probe.js';
import type { FaultRedis } from '../environment/fault-redis.js';
import type { ScenarioEnvironment } from '../environment/scenario-environment.js';
import type { Scenario } from '../scenario.js';

/** Empties Redis repeatedly under load, restarts it, and kills it. */
export const redisEmptied: Scenario = {
  name: 'redis-emptied',
  title: 'Redis: FLUSHALL under load, repeatedly; restart; kill -9',
  backends: ['redis'],
  short: ['redis'],
  async run(environment) {
    const redis = await underLoad(environment);
    let lost = 0;
    const flushes = environment.pick(5, 2);
    for (let flush = 1; flush <= flushes; flush += 1) {
      await environment.waitForDelivery();
      await sleep(Math.random() * 1_000);
      const jobs = await waitForJobs(redis);
      await redis.client.flushall();
      lost += jobs;
      environment.expect(jobs > 0, `FLUSHALL ${flush} removed unfinished jobs: ${jobs}`);
      environment.log(`FLUSHALL ${flush} of ${flushes}: ${jobs} unfinished jobs`);
    }
    await environment.waitForDelivery();
    await redis.stop();
    await redis.start();
    environment.log('Redis was restarted');
    await environment.waitForDelivery();
    await redis.kill();
    await redis.start();
    environment.log('Redis was killed and started again');
    await environment.waitForDelivery();
    expectAllAccepted(environment);
    environment.note(`${flushes} FLUSHALL with ${lost} unfinished jobs in total, a restart and a kill`);
    return environment.verify();
  },
};

/** Keys of BullMQ's unfinished jobs, below `prefix:queue`. */
const lists = [':wait', ':active'];
const sortedSets = [':delayed', ':prioritized'];

/** Waits up to ten seconds until the queues hold an unfinished job. Returns the number of jobs. */
async function waitForJobs({ client }: FaultRedis): Promise<number> {
  for (let tries = 0; tries < 500; tries += 1) {
    const keys = await client.keys('waybill:*');
    const sizes = await Promise.all([
      ...keys.filter((key) => lists.some((end) => key.endsWith(end))).map((key) => client.llen(key)),
      ...keys.filter((key) => sortedSets.some((end) => key.endsWith(end))).map((key) => client.zcard(key)),
    ]);
    const jobs = sizes.reduce((sum, size) => sum + size, 0);
    if (jobs > 0) return jobs;
    await sleep(20);
  }
  return 0;
}

/** Starts every scenario about Redis. */
export async function underLoad(environment: ScenarioEnvironment): Promise<FaultRedis> {
  if (!environment.redis) throw new Error('This scenario needs the Redis backend.');
  await environment.beginWithOpenAttempts(['data_stream', 'log_group', 'monitoring']);
  return environment.redis;
}
