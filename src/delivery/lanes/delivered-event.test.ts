import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newId } from '../../ids/id.js';
import { appendNumber, logOrigin, NUMBER_BYTES } from './delivered-event.js';

const integer = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

it('appendNumber adds the members and keeps the rest of the payload', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
      fc.record({ epoch: integer, sequence: integer, isBackfill: fc.boolean(), isErased: fc.boolean() }),
      (payload, { epoch, sequence, isBackfill, isErased }) => {
        const json = JSON.stringify(payload);
        const log = logOrigin('n'.repeat(100), newId('ed'), epoch);
        const integrity = { log, index: sequence, salt: '0123456789abcdef'.repeat(2) };
        const number = { epoch, sequence, isBackfill, integrity: isErased ? null : integrity };
        const appended = appendNumber(json, number);
        expect(JSON.parse(appended)).toEqual({
          ...JSON.parse(json),
          ...(isBackfill && { backfill: true }),
          epoch,
          sequence,
          ...(!isErased && { integrity }),
        });
        expect(Buffer.byteLength(appended) - Buffer.byteLength(json)).toBeLessThanOrEqual(NUMBER_BYTES);
      },
    ),
  );
});
