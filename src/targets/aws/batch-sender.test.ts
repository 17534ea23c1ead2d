import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleEvent, exampleEvents } from '../../../test/targets/conformance/events.js';
import type { DeliverableEvent, Outcome } from '../target.js';
import { type BatchSender, sendBatch } from './batch-sender.js';
import { messagesFor } from './outcome.js';
import type { EncodedRecord } from './packing.js';

interface Plain extends EncodedRecord {
  readonly event: DeliverableEvent;
}

const delivered: Outcome = { kind: 'delivered' };
const limits = { records: 10, batchBytes: 1000, recordBytes: 400 };
const calm = new AbortController().signal;

/** A vendor whose outcomes `respond` returns; `calls` records the sequences of each call. */
function vendor(
  respond: (sequences: readonly number[]) => readonly Outcome[] = (sequences) => sequences.map(() => delivered),
  bytesOf: (event: DeliverableEvent) => number = () => 50,
): BatchSender<Plain> & { readonly calls: number[][] } {
  const calls: number[][] = [];
  return {
    calls,
    limits,
    messages: messagesFor({ resource: 'stream', service: 'Test', action: 'test:Put' }),
    errorNames: { Ambiguous: { kind: 'refused' } },
    encode: (event) => ({ event, recordBytes: bytesOf(event), callBytes: bytesOf(event) }),
    call: async (records) => {
      const sequences = records.map(({ event }) => event.sequence);
      calls.push(sequences);
      return respond(sequences);
    },
  };
}

const failing = (name: string, status = 400): Error =>
  Object.assign(new Error('no'), { name, $metadata: { httpStatusCode: status } });

describe('sendBatch', () => {
  it('makes one call for a batch within the limits', async () => {
    const sender = vendor();
    const events = exampleEvents(10);
    expect(await sendBatch(sender, events, calm, 20_000)).toEqual(events.map(() => delivered));
    expect(sender.calls).toHaveLength(1);
  });

  it('never exceeds the limits of a call, loses nothing and keeps the order, whatever the sizes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 60 }), async (sizes) => {
        const sizeOf = (sequence: number): number => sizes[sequence - 1] ?? 0;
        const sender = vendor(undefined, ({ sequence }) => sizeOf(sequence));
        const outcomes = await sendBatch(sender, exampleEvents(sizes.length), calm, 20_000);
        expect(outcomes.map(({ kind }) => kind)).toEqual(
          sizes.map((size) => (size > limits.recordBytes ? 'rejected' : 'delivered')),
        );
        for (const call of sender.calls) {
          expect(call.length).toBeLessThanOrEqual(limits.records);
          expect(call.reduce((sum, sequence) => sum + sizeOf(sequence), 0)).toBeLessThanOrEqual(limits.batchBytes);
        }
        const sent = sender.calls.flat();
        expect(sent).toEqual(sent.toSorted((left, right) => left - right));
      }),
    );
  });

  it('rejects only the records that the vendor finds malformed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: 10 }), { maxLength: 9 }), async (malformed) => {
        const sender = vendor((sequences) => {
          if (sequences.some((sequence) => malformed.includes(sequence))) throw failing('ValidationException');
          return sequences.map(() => delivered);
        });
        const outcomes = await sendBatch(sender, exampleEvents(10), calm, 20_000);
        expect(outcomes.map(({ kind }) => kind)).toEqual(
          exampleEvents(10).map(({ sequence }) => (malformed.includes(sequence) ? 'rejected' : 'delivered')),
        );
      }),
    );
  });

  it('postpones the rest after a call that failed as a whole', async () => {
    const sender = vendor((sequences) => {
      if (sequences.includes(1)) return sequences.map(() => delivered);
      throw failing('ThrottlingException');
    });
    const outcomes = await sendBatch(sender, exampleEvents(40), calm, 20_000);
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      ...Array(10).fill('delivered'),
      ...Array(10).fill('retry'),
      ...Array(20).fill('postponed'),
    ]);
    expect(sender.calls).toHaveLength(2);
  });

  it('takes an abort as the reason for whatever was thrown', async () => {
    for (const [name, kind] of [
      ['TimeoutError', 'retry'],
      ['AbortError', 'interrupted'],
    ] as const) {
      const call = new AbortController();
      const sender = vendor(() => {
        call.abort(new DOMException('over', name));
        throw failing('AccessDenied', 403);
      });
      expect(await sendBatch(sender, exampleEvents(1), call.signal, 20_000)).toMatchObject([{ kind }]);
    }
  });

  it('bases a refusal without a reason on the call, not on the record', async () => {
    const sender = vendor(() => {
      throw failing('Ambiguous');
    });
    const outcomes = await sendBatch(sender, exampleEvents(10), calm, 20_000);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'rejected', basis: 'call' });
  });

  it('never lets a call carry two events of one resource, loses nothing and keeps the order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 60 }), async (resources) => {
        const events = resources.map((resource, index) => exampleEvent(index + 1, { resource }));
        const sender = {
          ...vendor(),
          encode: (event: DeliverableEvent) => ({
            event,
            recordBytes: 1,
            callBytes: 1,
            orderingKeys: [event.resourceId],
          }),
        };
        await sendBatch(sender, events, calm, 20_000);
        for (const call of sender.calls) {
          const shared = call.map((sequence) => resources[sequence - 1]);
          expect(new Set(shared).size).toBe(shared.length);
        }
        expect(sender.calls.flat()).toEqual(events.map(({ sequence }) => sequence));
      }),
    );
  });

  it('rejects a record after an ambiguous refusal when others were delivered', async () => {
    const sender = vendor((sequences) => {
      if (sequences.includes(7)) throw failing('Ambiguous');
      return sequences.map(() => delivered);
    });
    const outcomes = await sendBatch(sender, exampleEvents(10), calm, 20_000);
    expect(outcomes.map(({ kind }) => kind)).toEqual(
      exampleEvents(10).map(({ sequence }) => (sequence === 7 ? 'rejected' : 'delivered')),
    );
  });

  it('retries records without an outcome', async () => {
    const sender = vendor(() => [delivered]);
    const outcomes = await sendBatch(sender, exampleEvents(3), calm, 20_000);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['delivered', 'retry', 'retry']);
  });

  it('sends the arranged records, and returns the outcomes in the order of the events', async () => {
    const sender = {
      ...vendor((sequences) =>
        sequences.map((sequence) =>
          sequence === 1
            ? { kind: 'rejected', basis: 'record', reason: { code: 'first', message: 'The first.' } }
            : delivered,
        ),
      ),
      arrange: (records: readonly Plain[]) => records.map((record) => ({ ...record })),
    };
    const outcomes = await sendBatch(sender, [exampleEvent(1), exampleEvent(2), exampleEvent(3)], calm, 20_000);
    expect(sender.calls).toEqual([[1, 2, 3]]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['rejected', 'delivered', 'delivered']);
  });
});
