import { setTimeout as sleep } from 'node:timers/promises';
import { expectAllAccepted } from '../environment/api-probe.js';
import type { FaultRedis } from '../environment/fault-redis.js';
import type { FaultStage } from '../environment/fault-stage.js';
import type { Scenario } from '../scenario.js';

/** The queue store loses everything under load, again and again, is restarted, and dies. */
export const redisEmptied: Scenario = {
  name: 'redis-emptied',
  title: 'Redis: FLUSHALL under load, repeatedly; restart; kill -9',
  backends: ['redis'],
  short: ['redis'],
  async run(stage) {
    const redis = await underLoad(stage);
    let lost = 0;
    const flushes = stage.pick(5, 2);
    for (let flush = 1; flush <= flushes; flush += 1) {
      await stage.untilDelivering();
      await sleep(Math.random() * 1_000);
      const jobs = await untilJobs(redis);
      await redis.client.flushall();
      lost += jobs;
      stage.expect(jobs > 0, `FLUSHALL ${flush} took jobs that were not done: ${jobs}`);
      stage.say(`FLUSHALL ${flush} of ${flushes}: ${jobs} jobs that were not done`);
    }
    await stage.untilDelivering();
    await redis.stop();
    await redis.start();
    stage.say('Redis was restarted');
    await stage.untilDelivering();
    await redis.kill();
    await redis.start();
    stage.say('Redis was killed and started again');
    await stage.untilDelivering();
    expectAllAccepted(stage);
    stage.note(`${flushes} FLUSHALL of ${lost} jobs that were not done together, a restart and a kill`);
    return stage.prove();
  },
};

/** Where BullMQ keeps the ids of jobs that are not done, under `prefix:queue:`; the first two are lists, the others sorted sets. */
const lists = [':wait', ':active'];
const sortedSets = [':delayed', ':prioritized'];

/** Waits, ten seconds at most, until the queues hold a job that is not done; gives how many they hold. */
async function untilJobs({ client }: FaultRedis): Promise<number> {
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

/** The start of every scenario about Redis. */
export async function underLoad(stage: FaultStage): Promise<FaultRedis> {
  if (!stage.redis) throw new Error('This scenario is about Redis.');
  await stage.crew.start('api');
  await stage.crew.start('worker');
  await stage.subscribe(['data_stream', 'log_group', 'monitoring']);
  // Calls that take a while: jobs are under way when their store goes.
  await stage.sandbox.script({ kind: 'slow', delayMs: 100 });
  await stage.startLoad(stage.pick(60, 40));
  await stage.untilDelivering();
  return stage.redis;
}
