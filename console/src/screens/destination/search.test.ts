import { describe, expect, it } from 'vitest';
import { filtersOf, noFilters, readSearch } from './search.js';

describe('the parameters of a destination', () => {
  it('are read as texts', () => {
    const search = readSearch({
      tab: 'deliveries',
      state: 'rejected',
      sequence_from: '7',
      from: '2026-11-23T00:00:00Z',
      delivery: 'dlv_1042',
    });
    expect(search).toMatchObject({ tab: 'deliveries', state: 'rejected', sequence_from: '7', delivery: 'dlv_1042' });
    expect(filtersOf(search)).toEqual({ state: 'rejected', sequence_from: '7', from: '2026-11-23T00:00:00Z' });
  });

  it.each([
    ['tab', 'elsewhere'],
    ['range', '2y'],
    ['state', 'lost'],
    ['sequence_from', '0'],
    ['sequence_to', '1.5'],
    ['number', '-3'],
    ['from', 'yesterday'],
    ['edit', 'all'],
  ])('ignore a %s of "%s"', (name, value) => {
    expect(Object.values(readSearch({ [name]: value })).filter((one) => one !== undefined)).toEqual([]);
  });

  it('can be removed, filter by filter', () => {
    const search = { ...readSearch({ tab: 'deliveries', state: 'expired', type: 'a.v0' }), ...noFilters() };
    expect(filtersOf(search)).toEqual({});
    expect(search.tab).toBe('deliveries');
  });
});
