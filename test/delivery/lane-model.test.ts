import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { steps } from './support/lane-model/commands.js';
import { drain } from './support/lane-model/drain.js';
import { removeLanes } from './support/lane-model/lane-rows.js';
import { Ledger, ModelLane } from './support/lane-model/ledger.js';
import type { Session } from './support/lane-model/session.js';
import { LaneWorld, openSessions } from './support/lane-model/world.js';
import { seedAccount, seedDestination } from './support/seed.js';

/** Number of runs: `LANE_MODEL_RUNS=5000`. */
const RUNS = Number(process.env.LANE_MODEL_RUNS ?? 60);
/** Of the runs; printed by a run that fails. */
const SEED = process.env.LANE_MODEL_SEED;

let store: Store;
let sessions: readonly Session[];
let accountId: string;
const secrets = new SecretStore(testKeyRing());

beforeAll(async () => {
  store = await createTestStore();
  // Four operations, three writers, and one for whichever is about to begin.
  sessions = openSessions(store.connectionString, 8);
  accountId = await seedAccount(store);
});
afterAll(async () => {
  await Promise.all(sessions.map(({ db }) => db.destroy()));
  await store.close();
});

async function newLanes(count: number): Promise<readonly ModelLane[]> {
  const lanes = new LaneStore(store.db, targetLimits);
  const destinations = [];
  for (let lane = 1; lane <= count; lane += 1) {
    destinations.push(await seedDestination(store, secrets, lanes, accountId));
  }
  return destinations.map((destination) => new ModelLane(destination));
}

it(
  'keeps order, numbers and wake-ups whatever operations of several processes meet in a lane',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2 }), steps, async (count, commands) => {
        const ledger = new Ledger(await newLanes(count));
        const world = new LaneWorld(store.db, sessions, ledger);
        try {
          await fc.asyncModelRun(() => ({ model: ledger, real: world }), commands);
          await drain(ledger, world);
        } catch (error) {
          throw new Error(`after:\n${ledger.trace.join('\n')}\n${String(error)}`, { cause: error });
        } finally {
          await world.abandon();
          await removeLanes(
            store.db,
            ledger.lanes.map(({ id }) => id),
          );
        }
      }),
      { numRuns: RUNS, ...(SEED !== undefined && { seed: Number(SEED) }) },
    );
  },
  Math.max(120_000, RUNS * 2_000),
);
