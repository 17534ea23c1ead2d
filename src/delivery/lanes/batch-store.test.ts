import fc from 'fast-check';
import { expect, it } from 'vitest';
import { appendNumber } from './batch-store.js';

it('appendNumber adds the members and keeps the rest of the payload', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
      fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      (payload, epoch, sequence) => {
        const json = JSON.stringify(payload);
        const appended = appendNumber(json, epoch, sequence);
        expect(JSON.parse(appended)).toEqual({ ...JSON.parse(json), epoch, sequence });
        expect(Buffer.byteLength(appended) - Buffer.byteLength(json)).toBeLessThanOrEqual(53);
      },
    ),
  );
});
