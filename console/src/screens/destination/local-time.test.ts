import { expect, it } from 'vitest';
import { fieldOfTime, timeOfField } from './local-time.js';

it('keeps a time to the minute on the way to a field and back', () => {
  for (const at of ['2026-11-23T02:04:00.000Z', '2026-07-01T12:00:00.000Z']) {
    expect(timeOfField(fieldOfTime(at))).toBe(at);
  }
});

it('has no time for an empty field, and an empty field for no time', () => {
  expect(timeOfField('')).toBeUndefined();
  expect(timeOfField('soon')).toBeUndefined();
  expect(fieldOfTime(undefined)).toBe('');
  expect(fieldOfTime('soon')).toBe('');
});
