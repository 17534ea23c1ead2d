import fc from 'fast-check';
import { expect, it } from 'vitest';
import { appendNumber } from './batch-store.js';

it('appendNumber adds the members and keeps the rest of the payload', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
      fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      fc.boolean(),
      (payload, epoch, sequence, isBackfill) => {
        const json = JSON.stringify(payload);
        const appended = appendNumber(json, epoch, sequence, isBackfill);
        expect(JSON.parse(appended)).toEqual({
          ...JSON.parse(json),
          ...(isBackfill && { backfill: true }),
          epoch,
          sequence,
        });
        expect(Buffer.byteLength(appended) - Buffer.byteLength(json)).toBeLessThanOrEqual(69);
      },
    ),
  );
});
