import { expect, it } from 'vitest';
import { tickText } from './tick-text.js';

it('shows the clock within a day, and the date beyond', () => {
  const at = Date.UTC(2026, 10, 23, 2, 5);
  expect(tickText(at, 'utc', 3_600_000)).toBe('02:05');
  expect(tickText(at, 'utc', 86_400_000)).toBe('02:05');
  expect(tickText(at, 'utc', 7 * 86_400_000)).toBe('23 Nov');
});
