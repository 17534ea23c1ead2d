import fc from 'fast-check';
import { insertChange } from './lane-rows.js';
import type { Ledger, ModelLane, Writer } from './ledger.js';
import { at, index, Step, type Run } from './step.js';
import type { LaneWorld } from './world.js';

/** A writer opens a transaction and inserts changes of a resource. */
export const opened = fc.tuple(index, fc.integer({ min: 1, max: 3 }), fc.constantFrom(1, 1, 1, 2, 4)).map(
  ([resource, lanes, count]) =>
    new Step(
      `a writer changes resource ${resource % 3}`,
      // The row lock of a resource: one transaction at a time changes it.
      ({ writers }) => writers.length < 2 && writers.every((writer) => writer.resource !== `res_${resource % 3}`),
      ({ ledger, world }) =>
        open(ledger, world, {
          resource: `res_${resource % 3}`,
          lanes: ledger.lanes.filter((_, position) => ledger.lanes.length === 1 || (lanes >> position) % 2 === 1),
          count,
        }),
    ),
);

interface Opening {
  readonly resource: string;
  readonly lanes: readonly ModelLane[];
  readonly count: number;
}

async function open(ledger: Ledger, world: LaneWorld, { resource, lanes, count }: Opening): Promise<void> {
  const session = world.takeSession();
  if (!session) return;
  const trx = await session.db.startTransaction().execute();
  const destinations = lanes.map(({ destination }) => destination);
  const changes = [];
  for (let change = 0; change < count; change += 1) {
    changes.push({
      event: await insertChange(trx, destinations, `${destinations[0]?.id ?? ''}_${resource}`),
      resource,
    });
  }
  const end = async (commits: boolean): Promise<void> => {
    await (commits ? trx.commit() : trx.rollback()).execute();
    world.giveSession(session);
  };
  ledger.writers.push({ resource, lanes, changes, end });
  ledger.note(`a writer has inserted ${count} changes of ${resource} for ${lanes.length} lanes`);
}

/** Commits or rolls back a writer's transaction. After a commit its process notifies the dispatcher, unless it dies. */
export async function endWriter(ledger: Ledger, writer: Writer, how: 'commit' | 'rollback' | 'die'): Promise<void> {
  ledger.writers.splice(ledger.writers.indexOf(writer), 1);
  await writer.end(how !== 'rollback');
  ledger.note(`a writer of ${writer.resource}: ${how}`);
  if (how === 'rollback') return;
  for (const lane of writer.lanes) {
    lane.changes.push(...writer.changes);
    if (how === 'die') lane.needsSweeper = true;
    else lane.followUps.push('notify');
  }
}

/** A writer's transaction ends. */
export const ended = fc
  .tuple(
    index,
    fc.constantFrom('commit' as const, 'commit' as const, 'commit' as const, 'rollback' as const, 'die' as const),
  )
  .map(
    ([which, how]) =>
      new Step(
        `a writer ends: ${how}`,
        ({ writers }) => writers.length > 0,
        ({ ledger }) => endWriter(ledger, at(ledger.writers, which), how),
      ),
  );

/** While an operation holds its commit, a writer commits a change and notifies the dispatcher. Then all is released. */
export async function overtake(lane: ModelLane, { ledger, world, operations }: Run): Promise<void> {
  const resource = 'res_3';
  if (ledger.operations === 0 || ledger.writers.some((writer) => writer.resource === resource)) return;
  await open(ledger, world, { resource, lanes: [lane], count: 1 });
  const writer = ledger.writers.at(-1);
  if (writer?.resource !== resource) return;
  await endWriter(ledger, writer, 'commit');
  await operations.followUp(lane, lane.followUps.length - 1, 0);
  await world.releaseAll();
}
