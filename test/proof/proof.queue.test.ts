import { commitmentOf, hashLeaf, leafData, openCheckpoint, TiledTree } from '@waybill/verify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../src/logging/logger.js';
import { openLogKeys } from '../../src/secrets/log-keys.js';
import { until } from '../../tools/harness/until.js';
import { Pipeline } from '../delivery/support/pipeline.js';
import { describeOnEveryBackend } from '../support/redis.js';

/** An event as it arrives. */
interface Arrived extends Readonly<Record<string, unknown>> {
  readonly event_type: string;
  readonly epoch: number;
  readonly sequence: number;
  readonly backfill?: true;
  readonly integrity: { readonly log: string; readonly index: number; readonly salt: string };
  readonly object: Readonly<Record<string, unknown>>;
}

const CHECKPOINT = 'event_destination_checkpoint_signed.v0';

describeOnEveryBackend('a log', (backend) => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await Pipeline.open(backend);
    await pipeline.startWorker({ PROOF_CHECKPOINT_SECONDS: 0.2 });
  });
  afterAll(() => pipeline.close());

  it('proves what a destination has received, with the checkpoints that it has received', async () => {
    const destination = await pipeline.destination();
    const arrived = () => pipeline.received(destination) as unknown as readonly Arrived[];
    const checkpoints = () => arrived().filter(({ event_type }) => event_type === CHECKPOINT);
    await pipeline.publish([destination], 300);
    await until(() => checkpoints().length > 0, 'the first checkpoint has arrived');
    await pipeline.publish([destination], 5);
    await until(() => checkpoints().length > 1, 'the next checkpoint has arrived');
    await pipeline.settled(destination);

    const keys = await openLogKeys(pipeline.store.db, pipeline.ring, pipeline.config, createLogger('silent'));
    const vkeys = await keys.all();
    const leaves = arrived().map(({ epoch: _epoch, sequence, integrity, backfill, ...payload }, index) => {
      const log = `${keys.logName}/${destination.id}/1`;
      expect(integrity).toEqual({ log, index: sequence - 1, salt: expect.stringMatching(/^[0-9a-f]{32}$/) });
      expect(sequence).toBe(index + 1);
      const commitment = commitmentOf(Buffer.from(integrity.salt, 'hex'), payload);
      return hashLeaf(leafData({ sequence, isBackfill: backfill === true, commitment }));
    });
    let last = 0;
    for (const { object } of checkpoints()) {
      const { origin, size, root } = openCheckpoint(String(object.checkpoint), vkeys);
      const tree = new TiledTree();
      for (const leaf of leaves.slice(0, size)) tree.append(leaf);
      expect({ origin, size, root: Buffer.from(root) }).toEqual({
        origin: object.log,
        size: object.size,
        root: Buffer.from(tree.root()),
      });
      expect(size).toBeGreaterThan(last);
      last = size;
    }
    expect(last).toBeGreaterThanOrEqual(305);
  });
});
