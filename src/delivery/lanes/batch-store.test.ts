import fc from 'fast-check';
import { expect, it } from 'vitest';
import { appendSequence } from './batch-store.js';

it('appendSequence adds the member and keeps the rest of the payload', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
      fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      (payload, sequence) => {
        const json = JSON.stringify(payload);
        const appended = appendSequence(json, sequence);
        expect(JSON.parse(appended)).toEqual({ ...JSON.parse(json), sequence });
        expect(Buffer.byteLength(appended) - Buffer.byteLength(json)).toBeLessThanOrEqual(28);
      },
    ),
  );
});
