import { describe, expect, it } from 'vitest';
import { canBeCompared, holdsAll } from './held-events.js';

const delivery = (event_id: string, event_type = 'ip_policy_created.v0') => ({ event_id, event_type });
const counted = { types: ['ip_policy_created.v0'], events_total: 2 };

describe('a destination has all events of a count', () => {
  it('when it has a delivery of each', () => {
    expect(holdsAll(counted, [delivery('evt_1'), delivery('evt_2')])).toBe(true);
  });

  it('not when a delivery is of another type, or a second one of the same event', () => {
    expect(holdsAll(counted, [delivery('evt_1'), delivery('evt_2', 'bot_user_created.v0')])).toBe(false);
    expect(holdsAll(counted, [delivery('evt_1'), delivery('evt_1')])).toBe(false);
  });
});

describe('a count is compared with deliveries', () => {
  const count = { state: 'finished', events_total: 100, filter: null } as const;
  it.each([
    ['it is done', {}, true],
    ['it is under way', { state: 'counting', events_total: null }, false],
    ['it was cancelled', { state: 'cancelled' }, false],
    ['nothing matches', { events_total: 0 }, false],
    ['it is more than a page', { events_total: 101 }, false],
    ['a filter left events out', { filter: 'object.action == "deny"' }, false],
  ] as const)('when %s: %o is %s', (_, change, expected) => {
    expect(canBeCompared({ ...count, ...change })).toBe(expected);
  });
});
