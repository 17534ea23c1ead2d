import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forEvery, mostCalls, sendHalving } from './halving.js';
import type { CallAnswer } from './halving.js';
import type { Outcome } from './target.js';

const refused = { code: 'http_400', message: 'Refused.' };

/** A vendor that refuses every call with a record below zero in it, and keeps the rest. */
function vendor(mostRecords = Number.POSITIVE_INFINITY) {
  const taken: number[] = [];
  const calls: number[][] = [];
  return {
    taken,
    calls,
    fits: (part: readonly number[]) => part.length <= mostRecords,
    send: (part: readonly number[]): Promise<CallAnswer> => {
      calls.push([...part]);
      if (part.some((record) => record < 0)) return Promise.resolve({ refused });
      taken.push(...part);
      return Promise.resolve(forEvery(part, { kind: 'delivered' }));
    },
  };
}

describe('sendHalving', () => {
  it('makes one call where nothing is refused, and none for no records', async () => {
    const taking = vendor();
    expect(await sendHalving([1, 2, 3], taking)).toHaveLength(3);
    expect(await sendHalving([], taking)).toEqual([]);
    expect(taking.calls).toEqual([[1, 2, 3]]);
  });

  it('rejects exactly the records that the vendor refuses, and delivers the others once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -3, max: 40 }), { maxLength: 30 }), async (some) => {
        // One at least is taken: where none is, it is the destination that is blamed.
        const records = [...some, 7];
        const taking = vendor();
        const outcomes = await sendHalving(records, taking);
        expect(outcomes.map(({ kind }) => kind)).toEqual(
          records.map((record) => (record < 0 ? 'rejected' : 'delivered')),
        );
        expect(taking.taken).toEqual(records.filter((record) => record >= 0));
      }),
    );
  });

  it('finds one poison record among a thousand in at most 21 calls', async () => {
    const taking = vendor();
    const records = Array.from({ length: 1000 }, (_, index) => (index === 617 ? -1 : index));
    const outcomes = await sendHalving(records, taking);
    expect(outcomes.filter(({ kind }) => kind === 'rejected')).toHaveLength(1);
    expect(taking.calls.length).toBeLessThanOrEqual(21);
  });

  it('makes no call with more than fits', async () => {
    const taking = vendor(4);
    const records = Array.from({ length: 30 }, (_, index) => index);
    expect(new Set((await sendHalving(records, taking)).map(({ kind }) => kind))).toEqual(
      new Set(['delivered']),
    );
    expect(taking.taken).toEqual(records);
    expect(Math.max(...taking.calls.map((part) => part.length))).toBeLessThanOrEqual(4);
  });

  it('sends nothing more after a part that has to be retried, so that the order is kept', async () => {
    const retry: Outcome = { kind: 'retry', reason: { code: 'http_429', message: 'Wait.' }, afterMs: 9 };
    const calls: number[][] = [];
    const outcomes = await sendHalving([1, 2, 3, 4], {
      fits: (part) => part.length <= 2,
      send: (part) => {
        calls.push([...part]);
        return Promise.resolve(forEvery(part, retry));
      },
    });
    expect(calls).toEqual([[1, 2]]);
    expect(outcomes).toEqual([retry, retry, retry, retry]);
  });

  it('blames the destination, and rejects nothing, when everything that it asks about is refused', async () => {
    const taking = vendor();
    const outcomes = await sendHalving(Array<number>(1000).fill(-1), taking);
    expect(taking.calls).toHaveLength(mostCalls);
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['misconfigured']));
  });

  it('leaves the rest for the next attempt when very much is refused, having settled some of it', async () => {
    const taking = vendor();
    const outcomes = await sendHalving([1, ...Array<number>(999).fill(-1)], taking);
    expect(taking.calls).toHaveLength(mostCalls);
    const kinds = outcomes.map(({ kind }) => kind);
    expect(kinds[0]).toBe('delivered');
    expect(kinds.filter((kind) => kind === 'rejected').length).toBeGreaterThan(20);
    expect(kinds.lastIndexOf('rejected')).toBeLessThan(kinds.indexOf('retry'));
  });
});
