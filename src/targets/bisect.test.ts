import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forEvery, MOST_CALLS, MOST_CALLS_FOR_NOTHING, sendBisecting } from './bisect.js';
import type { CallAnswer } from './bisect.js';
import { capacityWithin } from './chunk.js';
import type { Outcome } from './target.js';

const refused = { code: 'http_400', message: 'Refused.' };

/** A vendor that refuses every call with a record below zero in it, and keeps the rest. */
function vendor(mostRecords = Number.POSITIVE_INFINITY) {
  const taken: number[] = [];
  const calls: number[][] = [];
  return {
    taken,
    calls,
    timeoutMs: 20_000,
    open: () =>
      capacityWithin({ records: mostRecords, bytes: 1 }, () => ({ bytes: 0, orderingKey: undefined })),
    send: (part: readonly number[]): Promise<CallAnswer> => {
      calls.push([...part]);
      if (part.some((record) => record < 0)) return Promise.resolve({ refused });
      taken.push(...part);
      return Promise.resolve(forEvery(part, { kind: 'delivered' }));
    },
  };
}

describe('sendBisecting', () => {
  it('makes one call where nothing is refused, and none for no records', async () => {
    const taking = vendor();
    expect(await sendBisecting([1, 2, 3], taking)).toHaveLength(3);
    expect(await sendBisecting([], taking)).toEqual([]);
    expect(taking.calls).toEqual([[1, 2, 3]]);
  });

  it('rejects exactly the records that the vendor refuses, and delivers the others once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -3, max: 40 }), { maxLength: 30 }), async (some) => {
        const records = some;
        const taking = vendor();
        const outcomes = await sendBisecting(records, taking);
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
    const outcomes = await sendBisecting(records, taking);
    expect(outcomes.filter(({ kind }) => kind === 'rejected')).toHaveLength(1);
    expect(taking.calls.length).toBeLessThanOrEqual(21);
  });

  it('makes no call with more than fits', async () => {
    const taking = vendor(4);
    const records = Array.from({ length: 30 }, (_, index) => index);
    expect(new Set((await sendBisecting(records, taking)).map(({ kind }) => kind))).toEqual(
      new Set(['delivered']),
    );
    expect(taking.taken).toEqual(records);
    expect(Math.max(...taking.calls.map((part) => part.length))).toBeLessThanOrEqual(4);
  });

  it.each<Outcome>([
    { kind: 'retry', reason: { code: 'http_429', message: 'Wait.' }, afterMs: 9 },
    { kind: 'misconfigured', reason: { code: 'http_403', message: 'Denied.' } },
    { kind: 'interrupted', reason: { code: 'interrupted', message: 'Stopping.' } },
  ])(
    'sends nothing more after a call with a record that was $kind, so that the order is kept',
    async (failed) => {
      const taking = vendor(2);
      const outcomes = await sendBisecting([1, 2, 3, 4], {
        ...taking,
        send: (part) => {
          taking.calls.push([...part]);
          return Promise.resolve({ outcomes: [failed, { kind: 'delivered' }] });
        },
      });
      expect(taking.calls).toEqual([[1, 2]]);
      expect(outcomes).toEqual([failed, { kind: 'delivered' }, { kind: 'postponed' }, { kind: 'postponed' }]);
    },
  );

  it('goes on after a record that is refused for good', async () => {
    const taking = vendor(2);
    const outcomes = await sendBisecting([-1, 2, 3], taking);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['rejected', 'delivered', 'delivered']);
  });

  it('says of a refused record that the call was refused, and of one that is too large that it is the record', async () => {
    expect(await sendBisecting([-1], vendor())).toEqual([
      { kind: 'rejected', grounds: 'call', reason: refused },
    ]);
    const tooLarge = { code: 'http_413', message: 'Too large.', httpStatus: 413 };
    const small = { ...vendor(), send: () => Promise.resolve({ refused: tooLarge }) };
    expect(await sendBisecting([1], small)).toEqual([
      { kind: 'rejected', grounds: 'record', reason: tooLarge },
    ]);
  });

  it('leaves the rest for the next attempt when very much is refused, having settled some of it', async () => {
    const taking = vendor();
    const outcomes = await sendBisecting([1, ...Array<number>(999).fill(-1)], taking);
    expect(taking.calls).toHaveLength(MOST_CALLS);
    const kinds = outcomes.map(({ kind }) => kind);
    expect(kinds[0]).toBe('delivered');
    expect(kinds.filter((kind) => kind === 'rejected').length).toBeGreaterThan(20);
    expect(kinds.lastIndexOf('rejected')).toBeLessThan(kinds.indexOf('postponed'));
  });

  it.each([29, 63, 400])(
    'gets behind %i refused records at the head of a batch in one attempt',
    async (head) => {
      const taking = vendor();
      const records = Array.from({ length: 1000 }, (_, index) => (index < head ? -1 : index));
      const outcomes = await sendBisecting(records, taking);
      const kinds = outcomes.map(({ kind }) => kind);
      expect(kinds.slice(0, head)).toEqual(Array(head).fill('rejected'));
      expect(kinds[head]).toBe('delivered');
      expect(taking.taken).toEqual(records.slice(head, head + taking.taken.length));
      // One for each, and the halving down to the first and up from the last.
      expect(taking.calls.length).toBeLessThanOrEqual(head + 30);
    },
  );

  it('sends what is left together once one is taken behind a run of refused records', async () => {
    const taking = vendor();
    const records = [...Array<number>(12).fill(-1), 1, 2, 3, 4, -2, 5, 6, 7];
    const outcomes = await sendBisecting(records, taking);
    expect(outcomes.map(({ kind }) => kind)).toEqual(
      records.map((record) => (record < 0 ? 'rejected' : 'delivered')),
    );
    expect(taking.taken).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(taking.calls).toContainEqual([2, 3, 4, -2, 5, 6, 7]);
  });

  it('gives up when the vendor refuses everything, and has then asked for each record alone, in order', async () => {
    const taking = vendor();
    const outcomes = await sendBisecting(Array<number>(1000).fill(-1), taking);
    expect(taking.calls).toHaveLength(MOST_CALLS_FOR_NOTHING);
    const kinds = outcomes.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'rejected').length).toBeGreaterThan(490);
    expect(kinds.lastIndexOf('rejected')).toBeLessThan(kinds.indexOf('postponed'));
  });

  it('asks for nothing behind a run of refused records once one has to be tried again', async () => {
    const taking = vendor();
    const wait: Outcome = { kind: 'retry', reason: { code: 'http_429', message: 'Wait.' } };
    const outcomes = await sendBisecting([...Array<number>(12).fill(-1), 99, 1, 2], {
      ...taking,
      send: (part) => (part[0] === 99 ? Promise.resolve(forEvery(part, wait)) : taking.send(part)),
    });
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      ...Array<string>(12).fill('rejected'),
      'retry',
      'postponed',
      'postponed',
    ]);
    expect(taking.taken).toEqual([]);
  });

  it('leaves the rest for the next attempt when it has made its calls, all of which were taken', async () => {
    const taking = vendor(1);
    const records = Array.from({ length: MOST_CALLS + 5 }, (_, index) => index);
    const outcomes = await sendBisecting(records, taking);
    expect(taking.taken).toEqual(records.slice(0, MOST_CALLS));
    expect(outcomes.slice(MOST_CALLS)).toEqual(Array.from({ length: 5 }, () => ({ kind: 'postponed' })));
  });

  it('begins no further call once half of its time is over, and makes one however little it has', async () => {
    const taking = vendor(1);
    const slow = {
      ...taking,
      timeoutMs: 10,
      send: async (part: readonly number[]) => {
        await sleep(15);
        return taking.send(part);
      },
    };
    const outcomes = await sendBisecting([1, 2, 3], slow);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['delivered', 'postponed', 'postponed']);
  });
});
