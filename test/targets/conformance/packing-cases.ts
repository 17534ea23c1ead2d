import { describe, expect, it } from 'vitest';
import type { DeliverableEvent } from '../../../src/targets/target.js';
import { exampleEvent, exampleEvents } from './events.js';
import type { Harness } from './harness.js';
import type { Subject } from './subject.js';

/** Returns the ids of the events of each resource, in order. */
function idsByResource(events: readonly DeliverableEvent[]): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const { id, resourceId } of events) groups.set(resourceId, [...(groups.get(resourceId) ?? []), id]);
  return [...groups.values()];
}

/** Cases for a configuration that packs several events into a record. */
export function packingCases<Config>(subject: Subject<Config>, bench: Harness): void {
  if (!subject.packing) return;
  const signal = (): AbortSignal => AbortSignal.timeout(200_000);

  /** Expects that exactly these events have arrived, those of each resource in order. */
  const expectArrived = (events: readonly DeliverableEvent[]): void => {
    const received = bench.receivedIds();
    expect(received.toSorted()).toEqual(events.map(({ id }) => id).toSorted());
    for (const ids of idsByResource(events)) {
      const expected = new Set(ids);
      expect(received.filter((id) => expected.has(id))).toEqual(ids);
    }
  };

  describe('with several events in a record', () => {
    it('delivers a burst on one resource in one call', async () => {
      const connection = bench.connect();
      await connection.send([exampleEvent(1, { resource: 7 })], signal());
      const before = bench.calls();
      const burst = exampleEvents(401, { resource: 7, text: 'ü漢👩' }).slice(1);
      const outcomes = await connection.send(burst, signal());
      expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['delivered']));
      expect(bench.calls() - before).toBe(1);
      expect(bench.receivedJson().slice(1)).toEqual(burst.map(({ json }) => json));
    });

    it('delivers resources that change more than once in one call, each in order', async () => {
      const connection = bench.connect();
      const events = Array.from({ length: 300 }, (_, index) => exampleEvent(index + 1, { resource: index >> 1 }));
      const mixed = [...events, ...events.map((_, index) => exampleEvent(index + 301, { resource: index % 150 }))];
      await connection.send(mixed.slice(0, 100), signal());
      const before = bench.calls();
      await connection.send(mixed.slice(100, 500), signal());
      expect(bench.calls() - before).toBe(1);
      await connection.send(mixed.slice(500), signal());
      expectArrived(mixed);
      if (subject.packing === 'by_line') expect(bench.receivedIds()).toEqual(mixed.map(({ id }) => id));
    });

    it('returns the outcome of a record for each of its events', async () => {
      bench.script({ kind: 'partial', ratio: 0.5 });
      const connection = bench.connect();
      let waiting = Array.from({ length: 240 }, (_, index) => exampleEvent(index + 1, { resource: index % 12 }));
      const all = waiting;
      for (let sends = 0; waiting.length > 0; sends += 1) {
        expect(sends).toBeLessThan(200);
        const outcomes = await connection.send(waiting, signal());
        const kinds = new Map(waiting.map(({ id }, index) => [id, outcomes[index]?.kind]));
        for (const ids of idsByResource(waiting)) {
          expect(new Set(ids.map((id) => kinds.get(id))).size).toBe(1);
        }
        waiting = waiting.filter(({ id }) => kinds.get(id) !== 'delivered');
      }
      expectArrived(all);
    });

    it('rejects only the event that the vendor cannot parse', async () => {
      const events = Array.from({ length: 64 }, (_, index) => exampleEvent(index + 1, { resource: index % 2 }));
      const poison = events[37]?.id ?? '';
      bench.script({ kind: 'malformed', contains: poison });
      const outcomes = await bench.send(events);
      expect(outcomes.map(({ kind }) => kind)).toEqual(
        events.map(({ id }) => (id === poison ? 'rejected' : 'delivered')),
      );
      expectArrived(events.filter(({ id }) => id !== poison));
      // A division for each of the six halvings, and the whole.
      expect(bench.calls()).toBeLessThanOrEqual(1 + 2 * 6);
    });

    it('rejects an event that is too large, and packs the others', async () => {
      const events = [1, 2, 3].map((sequence) => exampleEvent(sequence, { resource: 1 }));
      const tooLarge = exampleEvent(4, { resource: 1, bytes: subject.target.limits.recordBytes + 1 });
      const outcomes = await bench.send([...events.slice(0, 1), tooLarge, ...events.slice(1)]);
      expect(outcomes.map(({ kind }) => kind)).toEqual(['delivered', 'rejected', 'delivered', 'delivered']);
      expectArrived(events);
      expect(bench.calls()).toBe(1);
    });
  });
}
