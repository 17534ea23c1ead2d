import { expect, it } from 'vitest';
import { cursorOf } from './pages.js';

it('finds the cursor in the address of the next page', () => {
  expect(cursorOf('http://localhost:4700/event_destinations/ed_1/deliveries?limit=2&before_id=dlv_9')).toBe('dlv_9');
  expect(cursorOf('/event_destinations/ed_1/deliveries?before_id=evt_3&limit=2')).toBe('evt_3');
  expect(cursorOf('/events?order=oldest_first&after_id=evt_3')).toBe('evt_3');
  expect(cursorOf(null)).toBeUndefined();
});
