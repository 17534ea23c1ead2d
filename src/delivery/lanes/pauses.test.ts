import { expect, it } from 'vitest';
import { endedPauses, withoutPauses } from './pauses.js';

const pauses = [
  { from: 100, until: 200 },
  { from: 300, until: 350 },
];

it.each([
  ['before all pauses, later by both', 50, 200],
  ['in the first pause, later by its rest and the second one', 180, 250],
  ['between the pauses, later by the second one', 250, 300],
  ['after all pauses, unchanged', 400, 400],
])('counts the deadline of what was requested %s', (_, requestedAt, from) => {
  expect(withoutPauses(requestedAt, pauses)).toBe(from);
});

it('changes nothing without a pause', () => {
  expect(withoutPauses(50, null)).toBe(50);
  expect(endedPauses(null)).toBeNull();
});

it('turns ages into times of this process', () => {
  const before = performance.now();
  const [pause] = endedPauses([[1_000, 400]]) ?? [];
  expect(pause?.until).toBeGreaterThanOrEqual(before - 400);
  expect((pause?.until ?? 0) - (pause?.from ?? 0)).toBeCloseTo(600);
});
