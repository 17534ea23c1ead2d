import { expect, it } from 'vitest';
import { timeOfId } from './id-time.js';

it('reads the time of an id', () => {
  expect(timeOfId('evt_01jqz8y3s5e0kr6k4fvn0xw2ch')).toBe('2025-04-04T02:09:03.269Z');
});

it('reads no time from another text', () => {
  expect(timeOfId('order-41')).toBeNull();
  expect(timeOfId('evt_7zzzzzzzzzzzzzzzzzzzzzzzzz')).toBeNull();
});
