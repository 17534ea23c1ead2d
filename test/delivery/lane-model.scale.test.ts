import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { createTestStore } from '../support/database.js';
import { steps } from './support/lane-model/commands.js';
import { drain } from './support/lane-model/drain.js';
import { createLanes, removeLanes } from './support/lane-model/lane-rows.js';
import { Ledger, ModelLane } from './support/lane-model/ledger.js';
import type { Session } from './support/lane-model/session.js';
import { LaneWorld, openSessions } from './support/lane-model/world.js';
import { seedAccount } from './support/seed.js';

/** Number of runs: `LANE_MODEL_RUNS=5000`. */
const RUNS = Number(process.env.LANE_MODEL_RUNS ?? 60);
/** Of the runs; printed by a run that fails. */
const SEED = Number(process.env.LANE_MODEL_SEED ?? Date.now() % 2 ** 31);

/** Runs that are under way at once: while one waits for Postgres, another one computes. */
const AT_ONCE = 3;

/** A database of the runs that follow one another: a sweep visits every lane of its database. */
interface Ground {
  readonly store: Store;
  readonly sessions: readonly Session[];
  readonly accountId: string;
}

let grounds: readonly Ground[];

async function openGround(): Promise<Ground> {
  const store = await createTestStore();
  // Four operations, three writers, and one for whichever is about to begin.
  return { store, sessions: openSessions(store.connectionString, 8), accountId: await seedAccount(store) };
}

async function closeGround({ store, sessions }: Ground): Promise<void> {
  await Promise.all(sessions.map(({ db }) => db.destroy()));
  await store.close();
}

beforeAll(async () => {
  grounds = await Promise.all(Array.from({ length: AT_ONCE }, openGround));
});
afterAll(() => Promise.all(grounds.map(closeGround)));

/** One run: operations of several processes, and then their end. */
const runOn = ({ store: { db }, sessions, accountId }: Ground) =>
  fc.asyncProperty(fc.integer({ min: 1, max: 2 }), steps, async (count, commands) => {
    const ledger = new Ledger((await createLanes(db, accountId, count)).map((lane) => new ModelLane(lane)));
    const world = new LaneWorld(db, sessions, ledger);
    try {
      await fc.asyncModelRun(() => ({ model: ledger, real: world }), commands);
      await drain(ledger, world);
    } catch (error) {
      throw new Error(`after:\n${ledger.trace.join('\n')}\n${String(error)}`, { cause: error });
    } finally {
      await world.abandon();
      await removeLanes(
        db,
        ledger.lanes.map(({ id }) => id),
      );
    }
  });

it(
  'keeps order, numbers and wake-ups whatever operations of several processes meet in a lane',
  async () => {
    const numRuns = Math.ceil(RUNS / AT_ONCE);
    const results = await Promise.allSettled(
      grounds.map((ground, index) => fc.assert(runOn(ground), { numRuns, seed: SEED + index })),
    );
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  },
  Math.max(120_000, RUNS * 2_000),
);
