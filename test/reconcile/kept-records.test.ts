import { expect, it } from 'vitest';
import { isBeforeRecords } from '../../packages/reconcile/src/comparison/kept-records.js';
import { idBound } from '../../src/ids/id-time.js';

const idAt = (time: string) => `${idBound('evt', new Date(time))}${'0'.repeat(16)}`;
const SINCE = '2026-08-01T00:00:00.000Z';

it('is an event that was recorded before the first record, or about then', () => {
  expect(isBeforeRecords(idAt('2026-07-31T23:59:59Z'), SINCE)).toBe(true);
  expect(isBeforeRecords(idAt('2026-08-01T00:59:59Z'), SINCE)).toBe(true);
  expect(isBeforeRecords(idAt('2026-08-01T01:00:00Z'), SINCE)).toBe(false);
});

it('is no event while nothing was removed', () => {
  expect(isBeforeRecords(idAt('2026-07-01T00:00:00Z'), null)).toBe(false);
});

it('is no event with an id that Waybill has not made', () => {
  for (const id of ['evt_1', 'evt_zzzzzzzzzzzzzzzzzzzzzzzzzz', '', idAt('2026-07-01T00:00:00Z').slice(0, -1)])
    expect(isBeforeRecords(id, SINCE)).toBe(false);
});
