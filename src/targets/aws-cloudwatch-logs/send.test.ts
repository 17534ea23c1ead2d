import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleEvent, exampleEvents } from '../../../test/targets/conformance/events.js';
import { sendBatch } from '../aws/batch-sender.js';
import { Session } from '../aws/session.js';
import type { LogStreamClient } from './client.js';
import type { LogRecord } from './encode.js';
import { logGroupSender, refusedIndexes } from './send.js';

const calm = new AbortController().signal;
const HOUR = 3_600_000;

/** A log stream that responds to each call with the next of `responses`, and records the calls. */
function stream(responses: readonly (object | Error)[]): {
  session: Session<LogStreamClient>;
  puts: LogRecord[][];
} {
  const puts: LogRecord[][] = [];
  const client: LogStreamClient = {
    put: async (records) => {
      const response = responses[puts.length] ?? {};
      puts.push([...records]);
      if (response instanceof Error) throw response;
      return { $metadata: {}, ...response };
    },
    create: () => Promise.reject(new Error('Nothing is missing here.')),
  };
  return { session: new Session(() => Promise.resolve(client)), puts };
}

/** A log stream whose group has a retention, by a clock that is ahead, and what has arrived in it. */
function retainingStream(
  retentionMs: number,
  clockAheadMs = 0,
): { session: Session<LogStreamClient>; arrived: string[]; calls: () => number } {
  const arrived: string[] = [];
  let calls = 0;
  const client: LogStreamClient = {
    put: async (records) => {
      calls += 1;
      const oldest = Date.now() + clockAheadMs - retentionMs;
      const accepted = records.filter(({ timestamp }) => timestamp >= oldest);
      arrived.push(...accepted.map(({ message }) => message));
      const expired = records.length - accepted.length;
      return {
        $metadata: {},
        ...(expired > 0 && { rejectedLogEventsInfo: { expiredLogEventEndIndex: expired - 1 } }),
      };
    },
    create: () => Promise.reject(new Error('Nothing is missing here.')),
  };
  return { session: new Session(() => Promise.resolve(client)), arrived, calls: () => calls };
}

const kinds = (outcomes: readonly { kind: string }[]): string[] => outcomes.map(({ kind }) => kind);

describe('refusedIndexes', () => {
  it('finds none without information', () => {
    expect(refusedIndexes(3, undefined).size).toBe(0);
    expect(refusedIndexes(3, {}).size).toBe(0);
  });

  it('treats index 0 as an index', () => {
    expect([...refusedIndexes(3, { tooNewLogEventStartIndex: 0 })]).toEqual([0, 1, 2]);
    expect([...refusedIndexes(3, { tooOldLogEventEndIndex: 0 })]).toEqual([0]);
    expect([...refusedIndexes(3, { expiredLogEventEndIndex: 0 })]).toEqual([0]);
  });

  it('finds too old and too new records', () => {
    const refused = refusedIndexes(6, {
      expiredLogEventEndIndex: 0,
      tooOldLogEventEndIndex: 1,
      tooNewLogEventStartIndex: 5,
    });
    expect([...refused]).toEqual([0, 1, 5]);
  });
});

describe('logGroupSender', () => {
  it('keeps the order of the events and raises the timestamps that would descend', async () => {
    const now = Date.now();
    const { session, puts } = stream([{}]);
    const events = [3, 1, 2].map((minutes) =>
      exampleEvent(minutes, { timestampMs: now - 10 * 60_000 + minutes * 60_000 }),
    );
    expect(kinds(await sendBatch(logGroupSender(session, 0), events, calm, 20_000))).toEqual(
      Array(3).fill('delivered'),
    );
    const [timestamps = []] = puts.map((put) => put.map(({ timestamp }) => timestamp));
    expect(timestamps.map((timestamp) => timestamp - now + 10 * 60_000)).toEqual([180_000, 180_000, 180_000]);
    expect(puts.flat().map(({ message }) => message)).toEqual(events.map(({ json }) => json));
  });

  it('raises a timestamp below that of an earlier batch, and reports each', async () => {
    const now = Date.now();
    const { session, puts } = stream([{}]);
    const events = [9_900, 500].map((ago, index) => exampleEvent(index + 1, { timestampMs: now - ago }));
    const outcomes = await sendBatch(logGroupSender(session, now - 1_000), events, calm, 20_000);
    expect(puts.flat().map(({ timestamp }) => timestamp)).toEqual([now - 1_000, now - 500]);
    expect(outcomes).toEqual([now - 1_000, now - 500].map((timestampMs) => ({ kind: 'delivered', timestampMs })));
  });

  it('sends nothing below refused records that it has sent with the current time', async () => {
    const before = Date.now();
    const { session, puts } = stream([{ rejectedLogEventsInfo: { expiredLogEventEndIndex: 0 } }, {}, {}]);
    const events = [30, 1].map((hours, index) => exampleEvent(index + 1, { timestampMs: before - hours * HOUR }));
    const outcomes = await sendBatch(logGroupSender(session, 0), events, calm, 20_000);
    const [, again = 0, next] = puts.flat().map(({ timestamp }) => timestamp);
    expect(again).toBeGreaterThanOrEqual(before);
    expect(next).toBe(again);
    expect(outcomes).toEqual([again, again].map((timestampMs) => ({ kind: 'delivered', timestampMs })));
  });

  it('starts another call for events a day apart', async () => {
    const now = Date.now();
    const { session, puts } = stream([{}, {}, {}]);
    const events = [50, 49, 26, 25, 1].map((hours, index) =>
      exampleEvent(index + 1, { timestampMs: now - hours * HOUR }),
    );
    expect(kinds(await sendBatch(logGroupSender(session, 0), events, calm, 20_000))).toEqual(
      Array(5).fill('delivered'),
    );
    for (const put of puts) {
      expect((put.at(-1)?.timestamp ?? 0) - (put[0]?.timestamp ?? 0)).toBeLessThan(24 * HOUR);
    }
    expect(puts.flat().map(({ message }) => message)).toEqual(events.map(({ json }) => json));
  });

  it('keeps the events of a resource in order where the group retains less than the oldest of them', async () => {
    const change = fc.record({
      minutesOlder: fc.oneof(fc.integer({ min: -15, max: 15 }), fc.integer({ min: -180, max: 180 })),
      resource: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 3, 5, 7),
        fc.integer({ min: -9, max: 9 }),
        fc.array(change, { maxLength: 20 }),
        async (retentionDays, minutesAhead, changes) => {
          const retentionMs = retentionDays * 24 * HOUR;
          const events = changes
            .toSorted((a, b) => b.minutesOlder - a.minutesOlder)
            .map(({ minutesOlder, resource }, index) =>
              exampleEvent(index + 1, { timestampMs: Date.now() - retentionMs - minutesOlder * 60_000, resource }),
            );
          const { session, arrived } = retainingStream(retentionMs, minutesAhead * 60_000);
          const outcomes = await sendBatch(logGroupSender(session, 0), events, calm, 20_000);
          expect(kinds(outcomes)).toEqual(events.map(() => 'delivered'));
          for (const resource of new Set(events.map(({ resourceId }) => resourceId))) {
            const own = events.filter(({ resourceId }) => resourceId === resource).map(({ json }) => json);
            expect(arrived.filter((message) => own.includes(message))).toEqual(own);
          }
        },
      ),
    );
  });

  it('sends old events of one resource in one call where no retention can end between them', async () => {
    const events = exampleEvents(500, { timestampMs: Date.now() - 30 * HOUR, resource: 1 });
    const { session, calls } = retainingStream(14 * 24 * HOUR);
    expect(kinds(await sendBatch(logGroupSender(session, 0), events, calm, 20_000))).toEqual(
      Array(500).fill('delivered'),
    );
    expect(calls()).toBe(1);
  });

  it('repeats refused records with the current time', async () => {
    const before = Date.now();
    const { session, puts } = stream([{ rejectedLogEventsInfo: { expiredLogEventEndIndex: 0 } }, {}]);
    const events = [
      exampleEvent(1, { timestampMs: before - 20 * HOUR }),
      exampleEvent(2, { timestampMs: before - HOUR }),
    ];
    expect(kinds(await sendBatch(logGroupSender(session, 0), events, calm, 20_000))).toEqual([
      'delivered',
      'delivered',
    ]);
    expect(puts[1]?.map(({ message }) => message)).toEqual([events[0]?.json]);
    expect(puts[1]?.[0]?.timestamp).toBeGreaterThanOrEqual(before);
  });

  it('retries the records that are refused with the current time too, because the clock is wrong', async () => {
    const rejected = { rejectedLogEventsInfo: { tooNewLogEventStartIndex: 1 } };
    const { session } = stream([rejected, { rejectedLogEventsInfo: { tooNewLogEventStartIndex: 0 } }]);
    const outcomes = await sendBatch(logGroupSender(session, 0), [exampleEvent(1), exampleEvent(2)], calm, 20_000);
    expect(outcomes).toMatchObject([{ kind: 'delivered' }, { kind: 'retry', reason: { code: 'rejected_log_events' } }]);
  });

  it('retries only the refused records when the second call fails', async () => {
    const throttled = Object.assign(new Error('no'), {
      name: 'ThrottlingException',
      $metadata: { httpStatusCode: 400 },
    });
    const { session } = stream([{ rejectedLogEventsInfo: { tooOldLogEventEndIndex: 0 } }, throttled]);
    const outcomes = await sendBatch(logGroupSender(session, 0), [exampleEvent(1), exampleEvent(2)], calm, 20_000);
    expect(kinds(outcomes)).toEqual(['retry', 'delivered']);
  });

  it.each([
    ['as interrupted when Waybill stops', undefined, { kind: 'interrupted' }],
    [
      'as out of time where its time was over',
      new DOMException('the call took too long', 'TimeoutError'),
      { kind: 'retry', reason: { code: 'timeout' } },
    ],
  ])('reports a second call that was aborted %s', async (_, reason, expected) => {
    const call = new AbortController();
    const client: LogStreamClient = {
      put: async (records) => {
        if (records.length === 2) return { $metadata: {}, rejectedLogEventsInfo: { tooOldLogEventEndIndex: 0 } };
        call.abort(reason);
        throw new DOMException('Request aborted', 'AbortError');
      },
      create: () => Promise.reject(new Error('Nothing is missing here.')),
    };
    const sender = logGroupSender(new Session(() => Promise.resolve(client)), 0);
    const outcomes = await sendBatch(sender, [exampleEvent(1), exampleEvent(2)], call.signal, 20_000);
    expect(outcomes).toMatchObject([expected, { kind: 'delivered' }]);
  });
});
