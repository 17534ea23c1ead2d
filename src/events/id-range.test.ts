import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { timeOfId } from '../ids/id-time.js';
import { newId } from '../ids/id.js';
import { idsBefore, idsFrom } from './id-range.js';

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
        furthestAhead = Math.max(furthestAhead, timeOfId(id).getTime() - createdAt.getTime());
      }
    }),
  );
  // As far as ids are ahead of a clock.
  expect(furthestAhead).toBeGreaterThan(8_000);
});
