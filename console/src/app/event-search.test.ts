import { expect, it } from 'vitest';
import { countFilters, readEventSearch, selectionOf } from './event-search.js';

it('reads what an address has, and ignores the rest', () => {
  const search = readEventSearch({ type: ['a.v0', 'b.v0', 'a.v0'], object_id: 'ipp_1', order: 'sideways', other: 'x' });
  expect(search).toEqual({ type: ['a.v0', 'b.v0'], object_id: 'ipp_1' });
  expect(readEventSearch({ type: 'a.v0', changed: '' }).type).toEqual(['a.v0']);
});

it('takes a range in place of a period, and no unknown period', () => {
  expect(readEventSearch({ from: '2026-11-01T00:00:00Z', last: '24h' }).last).toBeUndefined();
  expect(readEventSearch({ last: '5y' }).last).toBeUndefined();
});

it('selects the events of a period that ends now', () => {
  const now = Date.parse('2026-11-23T04:00:00Z');
  expect(selectionOf(readEventSearch({ last: '1h', changed: 'cidr' }), now)).toEqual({
    filter: { changed: 'cidr', from: '2026-11-23T03:00:00.000Z' },
    order: 'newest_first',
  });
});

it('gives equal selections equal members', () => {
  expect(Object.keys(selectionOf(readEventSearch({}), 0).filter)).toEqual([]);
  expect(selectionOf(readEventSearch({ order: 'oldest_first' }), 0).order).toBe('oldest_first');
});

it('counts filters without the order', () => {
  expect(countFilters(readEventSearch({ order: 'oldest_first', to: '2026-11-01T00:00:00Z' }))).toBe(1);
});
