import { expectAllAccepted } from '../environment/api-probe.js';
import { warmUp } from '../environment/warm-up.js';
import type { Scenario } from '../scenario.js';
import { underLoad } from './redis-emptied.js';

/** Length of the outage, and time in which open batches may still be sent and recorded. */
const DOWN_SECONDS = 30;
const SETTLE_SECONDS = 10;

/** Stops Redis for 30 seconds. Every change must be accepted. */
export const redisAway: Scenario = {
  name: 'redis-away',
  title: 'Redis is stopped for 30 s',
  backends: ['redis'],
  async run(environment) {
    const redis = await underLoad(environment);
    // A vendor's client that is still loading would send its batch long after the stop.
    await warmUp(environment);
    await redis.stop();
    // The worker finishes its batch and the next ones that the same job claims.
    await environment.wait(SETTLE_SECONDS);
    const before = await environment.count('delivery_attempts');
    const accepted = environment.load.counts.accepted.size;
    await environment.wait(DOWN_SECONDS - SETTLE_SECONDS);
    const changes = environment.load.counts.accepted.size - accepted;
    const waiting = await environment.count(`deliveries where state = 'pending'`);
    const during = (await environment.count('delivery_attempts')) - before;
    environment.expect(during === 0, `no attempt is recorded while Redis is down: ${during}`);
    const due = environment.pick(60, 40) * (DOWN_SECONDS - SETTLE_SECONDS);
    environment.expect(
      changes >= due / 2,
      `the load continued while Redis was down: ${changes} of about ${due} changes`,
    );
    const least = changes * environment.destinations.length;
    environment.expect(
      waiting >= least,
      `each of ${changes} changes waits at each destination: ${waiting} of ${least}`,
    );
    expectAllAccepted(environment);
    await redis.start();
    const begun = performance.now();
    await environment.waitForDelivery();
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    environment.note(`${waiting} deliveries waited; the first was sent ${seconds} s after the outage`);
    return environment.verify();
  },
};
