import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MAX_CALLS, MAX_SLOW_CALLS, sameOutcome, sendBisecting, type BisectedCall, type CallResult } from './bisect.js';
import { capacityWithin } from './chunk.js';
import type { Outcome } from './target.js';

const refused = { code: 'http_400', message: 'Refused.' };

/** A vendor that refuses every call with a negative record. */
function vendor(maxRecords = Number.POSITIVE_INFINITY) {
  const accepted: number[] = [];
  const calls: number[][] = [];
  return {
    accepted,
    calls,
    timeoutMs: 20_000,
    open: () => capacityWithin({ records: maxRecords, bytes: 1 }, () => ({ bytes: 0, orderingKeys: [] })),
    send: (part: readonly number[]): Promise<CallResult> => {
      calls.push([...part]);
      if (part.some((record) => record < 0)) return Promise.resolve({ refused });
      accepted.push(...part);
      return Promise.resolve(sameOutcome(part, { kind: 'delivered' }));
    },
  };
}

/** The vendor with calls that take so many milliseconds, by a clock that only they advance. */
function slowly<Item, Call extends BisectedCall<Item>>(fast: Call & BisectedCall<Item>, milliseconds: number): Call {
  vi.useFakeTimers({ toFake: ['performance'] });
  return {
    ...fast,
    send: (part) => {
      vi.advanceTimersByTime(milliseconds);
      return fast.send(part);
    },
  };
}
afterEach(() => {
  vi.useRealTimers();
});

describe('sendBisecting', () => {
  it('makes one call when nothing is refused, and none without records', async () => {
    const accepting = vendor();
    expect(await sendBisecting([1, 2, 3], accepting)).toHaveLength(3);
    expect(await sendBisecting([], accepting)).toEqual([]);
    expect(accepting.calls).toEqual([[1, 2, 3]]);
  });

  it('rejects exactly the records that the vendor refuses, and delivers the others once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -3, max: 40 }), { maxLength: 30 }), async (some) => {
        const records = some;
        const accepting = vendor();
        const outcomes = await sendBisecting(records, accepting);
        expect(outcomes.map(({ kind }) => kind)).toEqual(
          records.map((record) => (record < 0 ? 'rejected' : 'delivered')),
        );
        expect(accepting.accepted).toEqual(records.filter((record) => record >= 0));
      }),
    );
  });

  it('finds one poison record among a thousand in at most 21 calls', async () => {
    const accepting = vendor();
    const records = Array.from({ length: 1000 }, (_, index) => (index === 617 ? -1 : index));
    const outcomes = await sendBisecting(records, accepting);
    expect(outcomes.filter(({ kind }) => kind === 'rejected')).toHaveLength(1);
    expect(accepting.calls.length).toBeLessThanOrEqual(21);
  });

  it('makes no call with more than fits', async () => {
    const accepting = vendor(4);
    const records = Array.from({ length: 30 }, (_, index) => index);
    expect(new Set((await sendBisecting(records, accepting)).map(({ kind }) => kind))).toEqual(new Set(['delivered']));
    expect(accepting.accepted).toEqual(records);
    expect(Math.max(...accepting.calls.map((part) => part.length))).toBeLessThanOrEqual(4);
  });

  it.each<Outcome>([
    { kind: 'retry', reason: { code: 'http_429', message: 'Wait.' }, afterMs: 9 },
    { kind: 'misconfigured', reason: { code: 'http_403', message: 'Denied.' } },
    { kind: 'interrupted', reason: { code: 'interrupted', message: 'Stopping.' } },
  ])('sends nothing more after a call with a record that was $kind, so that the order is kept', async (failed) => {
    const accepting = vendor(2);
    const outcomes = await sendBisecting([1, 2, 3, 4], {
      ...accepting,
      send: (part) => {
        accepting.calls.push([...part]);
        return Promise.resolve({ outcomes: [failed, { kind: 'delivered' }] });
      },
    });
    expect(accepting.calls).toEqual([[1, 2]]);
    expect(outcomes).toEqual([failed, { kind: 'delivered' }, { kind: 'postponed' }, { kind: 'postponed' }]);
  });

  it('continues after a rejected record', async () => {
    const accepting = vendor(2);
    const outcomes = await sendBisecting([-1, 2, 3], accepting);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['rejected', 'delivered', 'delivered']);
  });

  it('bases a rejection on the call, and on the record after a 413', async () => {
    expect(await sendBisecting([-1], vendor())).toEqual([{ kind: 'rejected', basis: 'call', reason: refused }]);
    const tooLarge = { code: 'http_413', message: 'Too large.', httpStatus: 413 };
    const small = { ...vendor(), send: () => Promise.resolve({ refused: tooLarge }) };
    expect(await sendBisecting([1], small)).toEqual([{ kind: 'rejected', basis: 'record', reason: tooLarge }]);
  });

  it('postpones the rest after the maximum of calls, and rejects the refused records found until then', async () => {
    const accepting = vendor();
    const outcomes = await sendBisecting([1, ...Array<number>(999).fill(-1)], slowly(accepting, 20));
    expect(accepting.calls).toHaveLength(MAX_SLOW_CALLS);
    const kinds = outcomes.map(({ kind }) => kind);
    expect(kinds[0]).toBe('delivered');
    expect(kinds.filter((kind) => kind === 'rejected').length).toBeGreaterThan(20);
    expect(kinds.lastIndexOf('rejected')).toBeLessThan(kinds.indexOf('postponed'));
  });

  it.each([29, 63, 400])(
    'delivers the records after %i refused ones at the head of a batch in one attempt',
    async (head) => {
      const accepting = vendor();
      const records = Array.from({ length: 1000 }, (_, index) => (index < head ? -1 : index));
      const outcomes = await sendBisecting(records, accepting);
      const kinds = outcomes.map(({ kind }) => kind);
      expect(kinds.slice(0, head)).toEqual(Array(head).fill('rejected'));
      expect(kinds[head]).toBe('delivered');
      expect(accepting.accepted).toEqual(records.slice(head, head + accepting.accepted.length));
      // One call for each refused record, and the halves before the first and after the last.
      expect(accepting.calls.length).toBeLessThanOrEqual(head + 30);
    },
  );

  it('sends the rest in one call again after a delivery behind a run of refused records', async () => {
    const accepting = vendor();
    const records = [...Array<number>(12).fill(-1), 1, 2, 3, 4, -2, 5, 6, 7];
    const outcomes = await sendBisecting(records, accepting);
    expect(outcomes.map(({ kind }) => kind)).toEqual(records.map((record) => (record < 0 ? 'rejected' : 'delivered')));
    expect(accepting.accepted).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(accepting.calls).toContainEqual([2, 3, 4, -2, 5, 6, 7]);
  });

  it('stops at the maximum of calls when the vendor refuses everything, record by record in order', async () => {
    const accepting = vendor();
    const outcomes = await sendBisecting(Array<number>(1000).fill(-1), accepting);
    expect(accepting.calls).toHaveLength(MAX_CALLS);
    const kinds = outcomes.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'rejected').length).toBeGreaterThan(490);
    expect(kinds.lastIndexOf('rejected')).toBeLessThan(kinds.indexOf('postponed'));
  });

  it('makes no call after a record that must be retried behind a run of refused records', async () => {
    const accepting = vendor();
    const wait: Outcome = { kind: 'retry', reason: { code: 'http_429', message: 'Wait.' } };
    const outcomes = await sendBisecting([...Array<number>(12).fill(-1), 99, 1, 2], {
      ...accepting,
      send: (part) => (part[0] === 99 ? Promise.resolve(sameOutcome(part, wait)) : accepting.send(part)),
    });
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      ...Array<string>(12).fill('rejected'),
      'retry',
      'postponed',
      'postponed',
    ]);
    expect(accepting.accepted).toEqual([]);
  });

  it('postpones the rest after the maximum of calls, all of them accepted', async () => {
    const accepting = vendor(1);
    const records = Array.from({ length: MAX_SLOW_CALLS + 5 }, (_, index) => index);
    const outcomes = await sendBisecting(records, slowly(accepting, 20));
    expect(accepting.accepted).toEqual(records.slice(0, MAX_SLOW_CALLS));
    expect(outcomes.slice(MAX_SLOW_CALLS)).toEqual(Array.from({ length: 5 }, () => ({ kind: 'postponed' })));
  });

  it.each([
    [1, MAX_CALLS],
    [4, 251],
    [10, 101],
    [100, MAX_SLOW_CALLS],
  ])('makes calls of %i ms for a second: %i, all of them accepted', async (milliseconds, calls) => {
    const accepting = vendor(1);
    const records = Array.from({ length: 600 }, (_, index) => index);
    const outcomes = await sendBisecting(records, slowly(accepting, milliseconds));
    expect(accepting.calls).toHaveLength(calls);
    expect(outcomes.filter(({ kind }) => kind === 'delivered')).toHaveLength(calls);
  });

  it.each([950, 1_066, 1_500, 3_000, 5_000])(
    'rejects a refused record at the head of a batch, and delivers one behind it, with calls of %i ms',
    async (milliseconds) => {
      const records = [-1, ...Array.from({ length: 999 }, (_, index) => index)];
      const outcomes = await sendBisecting(records, slowly(vendor(), milliseconds));
      expect(outcomes.slice(0, 2).map(({ kind }) => kind)).toEqual(['rejected', 'delivered']);
    },
  );

  it('rejects the records of a refused call as a whole when no time is left for another call', async () => {
    const rejected: Outcome = { kind: 'rejected', basis: 'call', reason: refused };
    expect(await sendBisecting([-1, 2, 3], slowly(vendor(2), 10_001))).toEqual([
      rejected,
      rejected,
      { kind: 'postponed' },
    ]);
    // After a delivery, they would be blamed: they wait without an outcome.
    const outcomes = await sendBisecting([1, 2, -3, 4], slowly(vendor(2), 5_001));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['delivered', 'delivered', 'postponed', 'postponed']);
  });

  it('begins no further call after half of the timeout, and always makes one', async () => {
    const accepting = vendor(1);
    const slow = {
      ...accepting,
      timeoutMs: 10,
      send: async (part: readonly number[]) => {
        await sleep(15);
        return accepting.send(part);
      },
    };
    const outcomes = await sendBisecting([1, 2, 3], slow);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['delivered', 'postponed', 'postponed']);
  });
});

describe('sendBisecting with several events in a record', () => {
  const packed = {
    eventsIn: (record: readonly number[]) => record.length,
    divide: (record: readonly number[], at: number) => [record.slice(0, at), record.slice(at)] as const,
  };

  /** A vendor that judges each record, and names a record with a negative event. */
  function namingVendor(outcomeOf: (record: readonly number[]) => Outcome) {
    const calls: (readonly number[])[][] = [];
    return {
      calls,
      timeoutMs: 20_000,
      packed,
      open: () => capacityWithin<readonly number[]>({ records: 3, bytes: 1 }, () => ({ bytes: 0, orderingKeys: [] })),
      send: (part: readonly (readonly number[])[]): Promise<CallResult> => {
        calls.push([...part]);
        return Promise.resolve({ outcomes: part.map(outcomeOf) });
      },
    };
  }
  const delivered: Outcome = { kind: 'delivered' };
  const rejected: Outcome = { kind: 'rejected', basis: 'record', reason: refused };
  const retry: Outcome = { kind: 'retry', reason: refused };
  const recordsArbitrary = fc.array(fc.array(fc.integer({ min: -2, max: 30 }), { minLength: 1, maxLength: 9 }), {
    maxLength: 6,
  });

  it('rejects only the events for which a record or a call is refused, and keeps the order of the others', async () => {
    await fc.assert(
      fc.asyncProperty(recordsArbitrary, fc.boolean(), async (records, names) => {
        const naming = namingVendor((record) => (record.some((event) => event < 0) ? rejected : delivered));
        const send = names
          ? naming.send
          : (part: readonly (readonly number[])[]): Promise<CallResult> =>
              part.flat().some((event) => event < 0) ? Promise.resolve({ refused }) : naming.send(part);
        const outcomes = await sendBisecting(records, { ...naming, send });
        const events = records.flat();
        expect(outcomes.map(({ kind }) => kind)).toEqual(events.map((event) => (event < 0 ? 'rejected' : 'delivered')));
        const arrived = naming.calls.flat().filter((record) => record.every((event) => event >= 0));
        // A record that is named is sent again after the others of its call, so the order holds within a record.
        const order = (list: readonly number[]) => (names ? list.toSorted((a, b) => a - b) : list);
        expect(order(arrived.flat())).toEqual(order(events.filter((event) => event >= 0)));
      }),
    );
  });

  it('returns the outcome of a record for each of its events', async () => {
    const vendorOf = namingVendor((record) => (record.includes(3) ? retry : delivered));
    const outcomes = await sendBisecting([[1, 2], [3, 4, 5], [6], [7, 8]], vendorOf);
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      'delivered',
      'delivered',
      'retry',
      'retry',
      'retry',
      'delivered',
      'postponed',
      'postponed',
    ]);
  });

  it('does not repeat a rejected record beside a record that must be retried', async () => {
    const vendorOf = namingVendor((record) => (record.includes(-1) ? rejected : retry));
    const outcomes = await sendBisecting([[-1, 1], [2]], vendorOf);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['postponed', 'postponed', 'retry']);
    expect(vendorOf.calls).toHaveLength(1);
  });

  it('rejects the events of a rejected record by its call when no time is left for another call', async () => {
    const naming = slowly(
      namingVendor(() => rejected),
      10_001,
    );
    const call: Outcome = { kind: 'rejected', basis: 'call', reason: refused };
    expect(await sendBisecting([[1, 2], [3]], naming)).toEqual([call, call, rejected]);
    expect(naming.calls).toHaveLength(1);
  });

  it('finds one refused event among 500 of a record in at most 19 calls', async () => {
    const record = Array.from({ length: 500 }, (_, index) => (index === 311 ? -1 : index));
    const naming = namingVendor((part) => (part.includes(-1) ? rejected : delivered));
    const outcomes = await sendBisecting([record], naming);
    expect(outcomes.filter(({ kind }) => kind === 'rejected')).toHaveLength(1);
    expect(naming.calls.length).toBeLessThanOrEqual(19);
  });

  it('sends single events of a record once eight were refused and nothing was delivered', async () => {
    const record = Array.from({ length: 40 }, () => -1);
    const sizes: number[] = [];
    const send = (part: readonly (readonly number[])[]): Promise<CallResult> => {
      sizes.push(part.flat().length);
      return Promise.resolve({ refused });
    };
    const outcomes = await sendBisecting([record], { ...namingVendor(() => rejected), send });
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['rejected']));
    const eighth = sizes.flatMap((size, index) => (size === 1 ? [index] : [])).at(7) ?? 0;
    expect(sizes.slice(eighth + 1)).toEqual(Array(32).fill(1));
  });
});
