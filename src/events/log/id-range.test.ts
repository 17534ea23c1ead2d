import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { idBound, timeOfId } from '../../ids/id-time.js';
import { newId } from '../../ids/id.js';
import { daysOfIdsBefore, daysOfIdsFrom, idsBefore, idsFrom } from './id-range.js';

/** How far a clock moves between two events, forth or back, in milliseconds. */
const steps = fc.array(fc.oneof(fc.integer({ min: -10_500, max: 10 }), fc.integer({ min: -40_000, max: 40_000 })), {
  minLength: 1,
  maxLength: 30,
});

it('contains each event that is recorded in a range, also after the clock was set back', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  let furthestAhead = 0;
  fc.assert(
    fc.property(steps, (moves) => {
      let now = Date.UTC(2031, 0, 1);
      for (const move of moves) {
        now += move;
        vi.setSystemTime(now);
        const id = newId('evt');
        const createdAt = new Date();
        expect(id > idsFrom(createdAt)).toBe(true);
        expect(id < idsBefore(new Date(createdAt.getTime() + 1))).toBe(true);
        // Partitions begin and end with days.
        expect(daysOfIdsFrom(createdAt) <= idsFrom(createdAt)).toBe(true);
        expect(daysOfIdsBefore(createdAt) >= idsBefore(createdAt)).toBe(true);
        furthestAhead = Math.max(furthestAhead, timeOfId(id).getTime() - createdAt.getTime());
      }
    }),
  );
  // As far as ids are ahead of a clock.
  expect(furthestAhead).toBeGreaterThan(8_000);
});

it('begins and ends with a day, where partitions do', () => {
  const day = (text: string) => idBound('evt', new Date(`${text}T00:00:00Z`));
  const noon = new Date('2026-11-08T12:00:00Z');
  expect([daysOfIdsFrom(noon), daysOfIdsBefore(noon)]).toEqual([day('2026-11-08'), day('2026-11-09')]);
  const midnight = new Date('2026-11-08T00:00:00Z');
  expect([daysOfIdsFrom(midnight), daysOfIdsBefore(midnight)]).toEqual([day('2026-11-07'), day('2026-11-09')]);
});
