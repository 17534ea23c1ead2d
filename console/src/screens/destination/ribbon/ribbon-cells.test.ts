import type { Delivery } from '@waybill/client';
import { describe, expect, it } from 'vitest';
import { cellText, missingRanges, ribbonOf, totalsOf } from './ribbon-cells.js';

const OLD = '2026-08-01T00:00:00.000Z';
const NEW = '2026-11-20T00:00:00.000Z';

function delivery(sequence: number | null, state: Delivery['state'], createdAt = NEW) {
  return { sequence, state, created_at: createdAt };
}

describe('the cells of the ribbon', () => {
  it('have the state of each number, and find a missing one', () => {
    const deliveries = [
      delivery(1, 'delivered'),
      delivery(2, 'rejected'),
      delivery(4, 'expired'),
      delivery(5, 'in_flight'),
      delivery(6, 'pending'),
      delivery(null, 'pending'),
    ];
    const cells = ribbonOf({ from: 1, to: 6 }, { deliveries, isComplete: true });
    expect(cells.map(({ state }) => state)).toEqual([
      'delivered',
      'rejected',
      'missing',
      'expired',
      'waiting',
      'waiting',
    ]);
    expect(cells.map(cellText)[2]).toBe('Sequence 3: missing');
    expect(totalsOf(cells)).toEqual({ delivered: 1, rejected: 1, missing: 1, expired: 1, waiting: 2 });
  });

  it('show the worst of several numbers, and count them all', () => {
    const deliveries = Array.from({ length: 200 }, (_none, index) =>
      delivery(index + 1, index === 130 ? 'rejected' : 'delivered'),
    );
    const cells = ribbonOf({ from: 1, to: 200 }, { deliveries, isComplete: true });
    expect(cells).toHaveLength(100);
    expect(cells.filter(({ state }) => state === 'rejected').map(cellText)).toEqual([
      'Sequences 131 to 132: 1 rejected, 1 delivered',
    ]);
  });

  it('leave the missing numbers to a list of ranges', () => {
    const deliveries = [1, 3, 6, 7].map((sequence) => delivery(sequence, 'delivered'));
    expect(missingRanges({ from: 1, to: 8 }, { deliveries, isComplete: true })).toEqual([
      { from: 2, to: 2 },
      { from: 4, to: 5 },
      { from: 8, to: 8 },
    ]);
    expect(missingRanges({ from: 1, to: 8 }, { deliveries, isComplete: true, last: 5 })).toEqual([
      { from: 2, to: 2 },
      { from: 4, to: 5 },
    ]);
    expect(missingRanges({ from: 1, to: 8 }, { deliveries, isComplete: false })).toEqual([]);
  });

  it('do not call a number missing that retention removed', () => {
    const deliveries = [delivery(2, 'rejected', OLD), delivery(5, 'delivered'), delivery(7, 'delivered')];
    const completeSince = '2026-11-01T00:00:00.000Z';
    const cells = ribbonOf({ from: 1, to: 7 }, { deliveries, isComplete: true, completeSince });
    expect(cells.map(({ state }) => state)).toEqual([
      'removed',
      'rejected',
      'removed',
      'removed',
      'delivered',
      'missing',
      'delivered',
    ]);
  });

  it('say nothing of numbers that were not read', () => {
    const cells = ribbonOf({ from: 1, to: 100_000 }, { deliveries: [delivery(5_000, 'expired')], isComplete: false });
    expect(cells.filter(({ state }) => state !== null).map(cellText)).toEqual(['Sequences 4,001 to 5,000: 1 expired']);
    expect(cells.map(cellText)[0]).toBe('Sequences 1 to 1,000: no failure known');
  });
});
