import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { sameOutcome } from './bisect.js';
import { sendWithinSize } from './size-filter.js';

const limits = { records: 5, batchBytes: 100, recordBytes: 60 };
const tooLarge = (bytes: number) => ({ code: 'record_too_large', message: `${bytes} bytes.` });

it('rejects what is too large without a call, and sends the rest in order in calls within the limits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 40 }), async (sizes) => {
      const records = sizes.map((bytes, index) => ({ bytes, index }));
      const sent: number[] = [];
      const outcomes = await sendWithinSize(records, {
        limits,
        tooLarge,
        timeoutMs: 20_000,
        send: (part) => {
          expect(part.length).toBeLessThanOrEqual(limits.records);
          expect(part.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(limits.batchBytes);
          sent.push(...part.map(({ index }) => index));
          return Promise.resolve(sameOutcome(part, { kind: 'delivered' }));
        },
      });
      const fitting = records.filter(({ bytes }) => bytes <= limits.recordBytes);
      expect(sent).toEqual(fitting.map(({ index }) => index));
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
