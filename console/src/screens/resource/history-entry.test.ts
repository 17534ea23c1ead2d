import { expect, it } from 'vitest';
import { actionOf } from './history-entry.js';

it('says what an event type says of a resource, in one word or more', () => {
  expect(actionOf('ip_policy_updated.v0', 'ip_policy')).toBe('updated');
  expect(actionOf('event_destination_status_changed.v0', 'event_destination')).toBe('status changed');
});
