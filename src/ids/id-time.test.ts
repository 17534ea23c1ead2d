import fc from 'fast-check';
import { expect, it } from 'vitest';
import { idBound, timeOfId } from './id-time.js';
import { isId, newId } from './id.js';

/** Times of which a UUIDv7 holds the milliseconds. */
const times = fc.integer({ min: 0, max: 2 ** 48 - 1 }).map((ms) => new Date(ms));

it('finds the time of a bound, and orders bounds as their times', () => {
  fc.assert(
    fc.property(times, times, (one, other) => {
      expect(timeOfId(idBound('evt', one))).toEqual(one);
      expect(idBound('evt', one) < idBound('evt', other)).toBe(one < other);
    }),
  );
});

it('puts an id between the bounds of the times before and after it', () => {
  const before = Date.now();
  const id = newId('evt');
  const after = Date.now();
  expect(id >= idBound('evt', new Date(before))).toBe(true);
  expect(id < idBound('evt', new Date(after + 1))).toBe(true);
  expect(timeOfId(id).getTime()).toBeGreaterThanOrEqual(before);
  expect(timeOfId(id).getTime()).toBeLessThanOrEqual(after);
});

it('agrees with the ids of the TypeID specification', () => {
  // A valid example of the specification, and the time of its UUID 01890a5d-ac96-774b-bcce-b302099a8057.
  const id = 'prefix_01h455vb4pex5vsknk084sn02q';
  expect(isId('prefix', id)).toBe(true);
  expect(timeOfId(id).getTime()).toBe(0x01890a5dac96);
  expect(id.startsWith(idBound('prefix', new Date(0x01890a5dac96)))).toBe(true);
});

it('refuses times that no id holds', () => {
  for (const ms of [-1, 2 ** 48, Number.NaN]) expect(() => idBound('evt', new Date(ms))).toThrow(RangeError);
});
