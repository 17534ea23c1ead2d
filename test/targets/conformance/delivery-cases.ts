import { describe, expect, it } from 'vitest';
import type { BatchLimits } from '../../../src/targets/target.js';
import { claimedBytes, exampleEvent, exampleEvents, fullestBatch } from './events.js';
import type { Harness } from './harness.js';
import type { Subject } from './subject.js';

/** Returns the payload without the members that the target added. */
function payload(json: string, added: readonly string[]): unknown {
  const members: unknown = JSON.parse(json);
  if (typeof members !== 'object' || members === null)
    throw new Error('The target received something that is not an object.');
  return Object.fromEntries(Object.entries(members).filter(([name]) => !added.includes(name)));
}

/** Returns the number of small events that delivery claims in one batch. */
function mostSmallEvents(limits: BatchLimits): number {
  const fitting = Math.floor(limits.batchBytes / claimedBytes(exampleEvent(99_999), limits));
  return Math.min(limits.records, fitting);
}

/** Cases with a working vendor: whole batches, order, limits, sizes, and the life of a connection. */
export function deliveryCases<Config>(subject: Subject<Config>, bench: Harness): void {
  const { limits } = subject.target;
  const delivered = { kind: 'delivered' };

  describe('with a vendor that accepts everything', () => {
    it('delivers each event with its payload unchanged, in the order given', async () => {
      const events = exampleEvents(25);
      const outcomes = await bench.send(events);
      expect(outcomes).toMatchObject(events.map(() => delivered));
      const received = bench.receivedJson().map((json) => payload(json, subject.addedMembers ?? []));
      expect(received).toEqual(events.map((event): unknown => JSON.parse(event.json)));
    });

    it('delivers every character of Unicode as it is', async () => {
      const text = 'ä ß 漢字 עברית 👩‍👩‍👧‍👦 \u2028\u2029 \u0000\u001f \ud800 "\\ \t';
      const event = exampleEvent(1, { text });
      expect(await bench.send([event])).toMatchObject([delivered]);
      const [received = '{}'] = bench.receivedJson();
      expect(payload(received, subject.addedMembers ?? [])).toEqual(JSON.parse(event.json));
    });

    it('delivers the largest batch that delivery claims in one call', async () => {
      const connection = bench.connect();
      const signal = AbortSignal.timeout(200_000);
      // The first call may cost more than one: a token, a stream that is created.
      await connection.send([exampleEvent(1)], signal);
      const before = bench.calls();
      const batch = fullestBatch(limits);
      expect(batch.reduce((sum, event) => sum + claimedBytes(event, limits), 0)).toBeLessThanOrEqual(limits.batchBytes);
      expect(new Set((await connection.send(batch, signal)).map((outcome) => outcome.kind))).toEqual(
        new Set(['delivered']),
      );
      expect(bench.calls() - before).toBe(1);
      expect(bench.receivedIds().slice(1)).toEqual(batch.map((event) => event.id));
    });

    it('delivers the most small events that delivery claims in one call', async () => {
      const connection = bench.connect();
      const signal = AbortSignal.timeout(200_000);
      await connection.send([exampleEvent(1)], signal);
      const before = bench.calls();
      const batch = exampleEvents(mostSmallEvents(limits));
      expect(new Set((await connection.send(batch, signal)).map((outcome) => outcome.kind))).toEqual(
        new Set(['delivered']),
      );
      expect(bench.calls() - before).toBe(1);
    });

    it('splits a batch that is larger than the vendor accepts', async () => {
      const batch = [...fullestBatch(limits), ...fullestBatch(limits)].map((_, index) =>
        exampleEvent(index + 1, { bytes: 64 * 1024 }),
      );
      const outcomes = await bench.send(batch);
      expect(outcomes).toMatchObject(batch.map(() => delivered));
      expect(bench.receivedIds()).toEqual(batch.map((event) => event.id));
    });

    it.each([
      ['bytes', () => fullestBatch(limits)],
      ['records', () => exampleEvents(mostSmallEvents(limits))],
    ] as const)(
      'splits the %s of two batches, which a crash may leave in a lane, into calls that it accepts',
      async (_, oneBatch) => {
        const connection = bench.connect();
        const signal = AbortSignal.timeout(200_000);
        await connection.send([exampleEvent(0)], signal);
        const [before, refusedBefore] = [bench.calls(), bench.refusedCalls()];
        const one = oneBatch();
        const both = [...one, ...one].map(({ json }, index) =>
          exampleEvent(index + 1, { bytes: Buffer.byteLength(json) }),
        );
        const outcomes = await connection.send(both, signal);
        expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['delivered']));
        expect(bench.receivedIds().slice(1)).toEqual(both.map(({ id }) => id));
        expect(bench.refusedCalls() - refusedBefore).toBe(0);
        // One more than two: calls are filled in order. Fewer where records are packed.
        expect(bench.calls() - before).toBeLessThanOrEqual(3);
      },
    );

    it('rejects a record that is too large without a call, and delivers the rest', async () => {
      const tooLarge = exampleEvent(2, { bytes: limits.recordBytes + 1 });
      const alone = await bench.send([tooLarge]);
      expect(alone).toMatchObject([{ kind: 'rejected' }]);
      expect(bench.calls()).toBe(0);
      const outcomes = await bench.send([exampleEvent(1), tooLarge, exampleEvent(3)]);
      expect(outcomes.map((outcome) => outcome.kind)).toEqual(['delivered', 'rejected', 'delivered']);
      expect(bench.receivedIds()).toEqual([exampleEvent(1).id, exampleEvent(3).id]);
    });
  });

  describe('over the life of a connection', () => {
    it('makes no call for an empty batch or a new connection', async () => {
      expect(await bench.send([])).toEqual([]);
      expect(bench.calls()).toBe(0);
    });

    it('makes no call when the signal has already aborted, and retries only after a timeout', async () => {
      const stopped = await bench.send(exampleEvents(3), AbortSignal.abort());
      expect(stopped.map((outcome) => outcome.kind)).toEqual(Array(3).fill('interrupted'));
      const late = AbortSignal.abort(new DOMException('over', 'TimeoutError'));
      const timedOut = await bench.send(exampleEvents(3), late);
      expect(timedOut.map((outcome) => outcome.kind)).toEqual(Array(3).fill('retry'));
      expect(bench.calls()).toBe(0);
    });

    it('closes while idle, and again, and does not disturb other connections', async () => {
      const [first, second, unused] = [bench.connect(), bench.connect(), bench.connect()];
      const signal = AbortSignal.timeout(200_000);
      await Promise.all([first.send([exampleEvent(1)], signal), second.send([exampleEvent(2)], signal)]);
      await first.close();
      await first.close();
      await unused.close();
      expect(await second.send([exampleEvent(3)], signal)).toMatchObject([delivered]);
    });
  });
}
