import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/targets/target.js';
import { exampleEvent, exampleEvents, PAYLOAD_MARKER } from './events.js';
import type { Harness } from './harness.js';
import type { ExpectedFault, Subject } from './subject.js';

/** Expects the outcome, and neither secrets nor payloads in it. */
function expectFault<Config>(outcomes: readonly Outcome[], expected: ExpectedFault, subject: Subject<Config>): void {
  for (const outcome of outcomes) {
    expect(outcome.kind).toBe(expected.outcome);
    if (!('reason' in outcome)) continue;
    expect(outcome.reason.code).toMatch(
      expected.code instanceof RegExp ? expected.code : new RegExp(`^${expected.code}$`),
    );
    expect(outcome.reason.message).toMatch(/^[A-Z].{20,}\.$/);
  }
  const text = JSON.stringify(outcomes);
  for (const hidden of [...subject.secrets, PAYLOAD_MARKER]) expect(text).not.toContain(hidden);
}

/** Cases with a failing vendor or network: every fault of the sandbox that the subject lists. */
export function faultCases<Config>(subject: Subject<Config>, bench: Harness): void {
  const { faults } = subject;

  describe('with a vendor or a network that fails', () => {
    const lasting = ['throttle', 'unavailable', 'reset', 'deny', 'not_found', 'expired', 'redirect'] as const;
    for (const fault of lasting) {
      const expected = faults[fault];
      if (!expected) continue;
      it(`returns ${expected.outcome} for every record on ${fault}, and delivers over the same connection afterwards`, async () => {
        const connection = bench.connect();
        const events = exampleEvents(4);
        const end = bench.script({ kind: fault });
        const outcomes = await connection.send(events, AbortSignal.timeout(200_000));
        expect(outcomes).toHaveLength(events.length);
        expectFault(outcomes, expected, subject);
        expect(bench.receivedIds()).toEqual([]);
        end();
        const again = await connection.send(events, AbortSignal.timeout(200_000));
        expect(again.map((outcome) => outcome.kind)).toEqual(events.map(() => 'delivered'));
      });
    }

    const { throttle, unavailable, timeout, partial, too_large: tooLarge, malformed, expired, slow } = faults;

    it.runIf(throttle)('returns the wait that the vendor asks for, and none otherwise', async () => {
      bench.script({ kind: 'throttle', retryAfterSeconds: 7, times: 1 });
      const [withWait] = await bench.send([exampleEvent(1)]);
      expect(withWait?.kind === 'retry' ? withWait.afterMs : 'not a retry').toBe(subject.retryAfter ? 7000 : undefined);
      bench.script({ kind: 'throttle', times: 1 });
      const [withoutWait] = await bench.send([exampleEvent(1)]);
      expect(withoutWait?.kind === 'retry' ? withoutWait.afterMs : 'not a retry').toBeUndefined();
    });

    it.runIf(throttle)('makes one call however it fails: delivery retries', async () => {
      await bench.send([exampleEvent(1)]);
      const before = bench.calls();
      bench.script({ kind: 'throttle' });
      await bench.send([exampleEvent(2)]);
      expect(bench.calls() - before).toBe(1);
    });

    it.runIf(unavailable)('keeps the status of a response that is not JSON', async () => {
      bench.script({ kind: 'unavailable', times: 1 });
      expect(await bench.send([exampleEvent(1)])).toMatchObject([{ kind: 'retry', reason: { httpStatus: 503 } }]);
    });

    it.runIf(tooLarge)('asks before each call whether the lease has ended', async () => {
      const events = exampleEvents(4);
      const before = bench.calls();
      bench.script({ kind: 'too_large' });
      const call = new AbortController();
      const { signal } = call;
      // As after a pause of the process: no timer and no event has aborted the call yet.
      Object.defineProperty(signal, 'aborted', {
        get: () => {
          if (bench.calls() > before) call.abort();
          return Reflect.get(AbortSignal.prototype, 'aborted', signal);
        },
      });
      const outcomes = await bench.send(events, signal);
      expect(outcomes.map(({ kind }) => kind)).not.toContain('delivered');
      expect(outcomes.map(({ kind }) => kind)).toContain('interrupted');
      expect(bench.calls() - before).toBe(1);
    });

    it.runIf(timeout)('ends a call without a response when the signal aborts', async () => {
      bench.script({ kind: 'timeout' });
      const started = performance.now();
      const outcomes = await bench.send(exampleEvents(3), AbortSignal.timeout(400));
      expect(performance.now() - started).toBeLessThan(100_000);
      expect(outcomes).toHaveLength(3);
      if (timeout) expectFault(outcomes, timeout, subject);
    });

    it.runIf(slow)('waits for a slow response', async () => {
      bench.script({ kind: 'slow', delayMs: 600 });
      expect(await bench.send([exampleEvent(1)])).toMatchObject([{ kind: 'delivered' }]);
    });

    it.runIf(partial)('returns the outcome of each record', async () => {
      bench.script({ kind: 'partial', ratio: 0.5 });
      const events = exampleEvents(60);
      const outcomes = await bench.send(events);
      expect(outcomes).toHaveLength(events.length);
      const arrived = events.filter((_, index) => outcomes[index]?.kind === 'delivered').map((event) => event.id);
      expect(bench.receivedIds()).toEqual(arrived);
      const failed = outcomes.filter((outcome) => outcome.kind !== 'delivered');
      if (partial) expectFault(failed, partial, subject);
      // Packed by line, all of them are one record.
      const atLeast = subject.responds === 'per record' && subject.packing !== 'by_line' ? 1 : 0;
      expect(arrived.length).toBeGreaterThanOrEqual(atLeast);
      expect(failed.length).toBeGreaterThanOrEqual(atLeast);
    });

    it.runIf(partial && subject.responds === 'per record')(
      'keeps the order of each resource, however often a part of a call fails',
      async () => {
        bench.script({ kind: 'partial', ratio: 0.3 });
        const connection = bench.connect();
        const resourceOf = (sequence: number): number => Math.ceil(sequence / 2) % 3;
        let waiting = Array.from({ length: 48 }, (_, index) =>
          exampleEvent(index + 1, { resource: resourceOf(index + 1) }),
        );
        const all = waiting.map(({ id }) => id);
        for (let sends = 0; waiting.length > 0; sends += 1) {
          expect(sends).toBeLessThan(500);
          const outcomes = await connection.send(waiting, AbortSignal.timeout(200_000));
          const firstHeld = outcomes.findIndex(({ kind }) => kind === 'postponed');
          const held = firstHeld === -1 ? [] : outcomes.slice(firstHeld);
          expect(held.every(({ kind }) => kind === 'postponed')).toBe(true);
          waiting = waiting.filter((_, index) => outcomes[index]?.kind !== 'delivered');
        }
        const received = bench.receivedIds();
        expect(received.toSorted()).toEqual(all);
        for (const resource of [0, 1, 2]) {
          const its = received.filter((id) => resourceOf(all.indexOf(id) + 1) === resource);
          expect(its).toEqual(its.toSorted());
        }
      },
    );

    it.runIf(subject.responds === 'per record' && !subject.packing)(
      'never puts two events of one resource into a call, in the fewest calls',
      async () => {
        const connection = bench.connect();
        await connection.send([exampleEvent(1)], AbortSignal.timeout(200_000));
        const before = bench.calls();
        const resources = [1, 2, 1, 3, 2, 2, 4];
        const events = resources.map((resource, index) => exampleEvent(index + 2, { resource }));
        const outcomes = await connection.send(events, AbortSignal.timeout(200_000));
        expect(outcomes.map(({ kind }) => kind)).toEqual(events.map(() => 'delivered'));
        // 1 2 | 1 3 2 | 2 4
        expect(bench.calls() - before).toBe(3);
        expect(bench.receivedIds().slice(1)).toEqual(events.map(({ id }) => id));
      },
    );

    it.runIf(tooLarge)(
      'bisects a call that the vendor finds too large, and rejects a single record that is too large',
      async () => {
        const events = exampleEvents(8);
        bench.script({ kind: 'too_large', times: 1 });
        expect(await bench.send(events)).toMatchObject(events.map(() => ({ kind: 'delivered' })));
        expect(bench.receivedIds()).toEqual(events.map((event) => event.id));
        bench.script({ kind: 'too_large' });
        const outcomes = await bench.send([exampleEvent(9)]);
        if (tooLarge) expectFault(outcomes, tooLarge, subject);
      },
    );

    it.runIf(malformed)('rejects the record that the vendor cannot parse, and delivers the others', async () => {
      const events = exampleEvents(9);
      const poison = events[4]?.id ?? '';
      bench.script({ kind: 'malformed', contains: poison });
      const outcomes = await bench.send(events);
      expect(outcomes.map((outcome) => outcome.kind)).toEqual(
        events.map(({ id }) => (id === poison ? 'rejected' : 'delivered')),
      );
      if (malformed) expectFault(outcomes.slice(4, 5), malformed, subject);
      expect(bench.receivedIds()).toEqual(events.map(({ id }) => id).filter((id) => id !== poison));
    });

    it.runIf(expired)('renews expired credentials once within the same send', async () => {
      const connection = bench.connect();
      await connection.send([exampleEvent(1)], AbortSignal.timeout(200_000));
      const before = bench.calls();
      bench.script({ kind: 'expired', times: 1 });
      expect(await connection.send([exampleEvent(2)], AbortSignal.timeout(200_000))).toMatchObject([
        { kind: 'delivered' },
      ]);
      expect(bench.calls() - before).toBe(2);
      bench.script({ kind: 'expired' });
      await connection.send([exampleEvent(3)], AbortSignal.timeout(200_000));
      expect(bench.calls() - before).toBe(4);
    });
  });
}
