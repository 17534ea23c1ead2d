import { expectAllAccepted } from '../ground/api-probe.js';
import type { FaultStage } from '../ground/fault-stage.js';
import type { Scenario } from '../scenario.js';
import { underLoad } from './redis-emptied.js';

/** Redis is stopped for half a minute. Who makes changes must not notice. */
export const redisAway: Scenario = {
  name: 'redis-away',
  title: 'Redis is stopped for 30 s',
  backends: ['redis'],
  short: [],
  async run(stage) {
    const redis = await underLoad(stage);
    await redis.stop();
    await stage.pass(30);
    const waiting = await pendingDeliveries(stage);
    stage.expect(waiting > 0, 'events wait while Redis is away');
    expectAllAccepted(stage);
    await redis.start();
    const begun = performance.now();
    await stage.untilDelivering();
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    stage.note(`${waiting} deliveries waited; the first went out ${seconds} s after Redis was back`);
    return stage.prove();
  },
};

/** Deliveries that have not come to an end, as the database knows. */
export async function pendingDeliveries(stage: FaultStage): Promise<number> {
  const [row] = await stage.query<{ pending: number }>(
    `select count(*)::int as pending from deliveries where state = 'pending'`,
  );
  return row?.pending ?? 0;
}
