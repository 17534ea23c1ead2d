import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { exampleEvents } from '../../test/targets/conformance/events.js';
import { sameOutcome } from './bisect.js';
import { wholeCallConnection } from './whole-calls.js';

const limits = { records: 5, batchBytes: 100, recordBytes: 60 };
const tooLarge = (bytes: number) => ({ code: 'record_too_large', message: `${bytes} bytes.` });

it('rejects what is too large without a call, and sends the rest in order in calls within the limits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 40 }), async (sizes) => {
      const sent: number[] = [];
      const connection = wholeCallConnection({
        limits,
        tooLarge,
        timeoutMs: 20_000,
        encode: ({ sequence }) => ({ bytes: sizes[sequence - 1] ?? 0, sequence }),
        send: (part) => {
          expect(part.length).toBeLessThanOrEqual(limits.records);
          expect(part.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(limits.batchBytes);
          sent.push(...part.map(({ sequence }) => sequence));
          return Promise.resolve(sameOutcome(part, { kind: 'delivered' }));
        },
      });
      const events = exampleEvents(sizes.length);
      const outcomes = await connection.send(events, new AbortController().signal);
      const sequences = events.map(({ sequence }) => sequence);
      expect(sent).toEqual(sequences.filter((_, index) => (sizes[index] ?? 0) <= limits.recordBytes));
      expect(outcomes).toEqual(
        sizes.map((bytes) =>
          bytes <= limits.recordBytes
            ? { kind: 'delivered' }
            : { kind: 'rejected', basis: 'size', reason: tooLarge(bytes) },
        ),
      );
    }),
  );
});
