import { expect, it } from 'vitest';
import { backfillInputOf, faultOfBackfill, type BackfillDraft } from './backfill-input.js';

const draft: BackfillDraft = { from: '2026-11-20T10:00', to: '', types: '', filter: '', rate: '' };

it.each([
  [{ from: '' }, 'Fill in “Events from”.'],
  [{ to: '2026-11-20T10:00' }, 'The end must be later than the start.'],
  [{ rate: '0' }, 'The rate must be a whole number from 1 to 1,000.'],
  [{ rate: '1001' }, 'The rate must be a whole number from 1 to 1,000.'],
  [{ rate: '2.5' }, 'The rate must be a whole number from 1 to 1,000.'],
  [{ to: '2026-11-20T10:01', rate: '1000' }, null],
])('finds the fault of %j', (change, fault) => {
  expect(faultOfBackfill({ ...draft, ...change }, 'utc')).toBe(fault);
});

it('leaves out what was not given', () => {
  expect(backfillInputOf(draft, 'utc')).toEqual({ from: '2026-11-20T10:00:00.000Z' });
});

it('names each type once', () => {
  const fields = { ...draft, types: 'a.v0, b.v0\na.v0 ', filter: ' object.action == "deny" ', rate: '50' };
  const input = backfillInputOf(fields, 'utc');
  expect(input).toEqual({
    from: '2026-11-20T10:00:00.000Z',
    types: ['a.v0', 'b.v0'],
    filter: 'object.action == "deny"',
    events_per_second: 50,
  });
});
