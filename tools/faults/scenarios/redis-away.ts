import { expectAllAccepted } from '../environment/api-probe.js';
import type { FaultStage } from '../environment/fault-stage.js';
import { untilWarm } from '../environment/warm-up.js';
import type { Scenario } from '../scenario.js';
import { underLoad } from './redis-emptied.js';

/** How long Redis is away, and how long after its end what was in hand may still be sent and recorded. */
const AWAY_SECONDS = 30;
const SETTLE_SECONDS = 10;

/** Redis is stopped for half a minute. Who makes changes must not notice. */
export const redisAway: Scenario = {
  name: 'redis-away',
  title: 'Redis is stopped for 30 s',
  backends: ['redis'],
  short: [],
  async run(stage) {
    const redis = await underLoad(stage);
    // A vendor's client that is still loading would send what it holds long after the store has gone.
    await untilWarm(stage);
    await redis.stop();
    // What a worker had in hand ends, with the batches behind it that its job goes on with.
    await stage.pass(SETTLE_SECONDS);
    const before = await attempts(stage);
    const accepted = stage.load.tally.accepted.size;
    await stage.pass(AWAY_SECONDS - SETTLE_SECONDS);
    const changes = stage.load.tally.accepted.size - accepted;
    const waiting = await pendingDeliveries(stage);
    const during = (await attempts(stage)) - before;
    stage.expect(during === 0, `no attempt is recorded while Redis is away: ${during}`);
    const due = stage.pick(60, 40) * (AWAY_SECONDS - SETTLE_SECONDS);
    stage.expect(
      changes >= due / 2,
      `the load went on while Redis was away: ${changes} changes of some ${due}`,
    );
    const least = changes * stage.destinations.length;
    stage.expect(
      waiting >= least,
      `each of ${changes} changes waits at each destination: ${waiting} of ${least}`,
    );
    expectAllAccepted(stage);
    await redis.start();
    const begun = performance.now();
    await stage.untilDelivering();
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    stage.note(`${waiting} deliveries waited; the first went out ${seconds} s after Redis was back`);
    return stage.prove();
  },
};

/** Attempts that were recorded. */
async function attempts(stage: FaultStage): Promise<number> {
  const [row] = await stage.query<{ attempts: number }>(
    'select count(*)::int as attempts from delivery_attempts',
  );
  return row?.attempts ?? 0;
}

/** Deliveries that have not come to an end, as the database knows. */
export async function pendingDeliveries(stage: FaultStage): Promise<number> {
  const [row] = await stage.query<{ pending: number }>(
    `select count(*)::int as pending from deliveries where state = 'pending'`,
  );
  return row?.pending ?? 0;
}
