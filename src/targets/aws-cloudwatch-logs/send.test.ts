import { describe, expect, it } from 'vitest';
import { exampleEvent } from '../../../test/targets/conformance/events.js';
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
