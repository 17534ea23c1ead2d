import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Dispatcher } from '../../src/delivery/dispatch/dispatcher.js';
import { LaneStore, type ClaimedBatch } from '../../src/delivery/lanes/lane-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { Pipeline, until } from './support/pipeline.js';

/** Checks lanes in the given order, and holds the claims of a lane until its gate opens. */
class GatedLanes extends LaneStore {
  readonly gates = new Map<string, Promise<void>>();
  readonly claims: string[] = [];
  ended = 0;

  override async claimable(destinationIds: readonly string[]): Promise<readonly string[]> {
    const claimable = await super.claimable(destinationIds);
    return destinationIds.filter((id) => claimable.includes(id));
  }

  override async claim(destinationId: string, batchId: string): Promise<ClaimedBatch | null> {
    this.claims.push(destinationId);
    await this.gates.get(destinationId);
    const claimed = await super.claim(destinationId, batchId);
    this.ended += 1;
    return claimed;
  }
}

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await Pipeline.open({ name: 'postgres', redisUrl: undefined });
});
afterAll(() => pipeline.close());

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

it('checks a lane again that was notified during its check, while another claim of that check is pending', async () => {
  const lanes = new GatedLanes(pipeline.store.db, targetLimits);
  const dispatcher = new Dispatcher(lanes, pipeline.queues, pipeline.logger);
  // Two lanes for each concurrent check.
  const ids = (await Promise.all(Array.from({ length: 12 }, () => pipeline.destination()))).map(({ id }) => id);
  const [first = '', second = ''] = ids;
  const gates = { first: gate(), second: gate() };
  lanes.gates.set(first, gates.first.opened).set(second, gates.second.opened);
  dispatcher.notify(ids);
  // Every other check is over: only the end of the first lane's claim makes the dispatcher continue.
  await until(() => lanes.ended === 10 && lanes.claims.includes(first), 'only the first check is left');
  await setImmediate();
  dispatcher.notify([first]);
  gates.first.open();
  await until(() => lanes.claims.includes(second), 'the second lane is being claimed');
  await until(() => lanes.claims.filter((id) => id === first).length === 2, 'the first is claimed again', 5_000);
  gates.second.open();
  await dispatcher.idle();
  expect(lanes.claims.toSorted()).toEqual([...ids, first].toSorted());
});
