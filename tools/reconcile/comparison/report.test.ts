import { describe, expect, it } from 'vitest';
import type { Missing, Reconciliation } from './reconcile.js';
import { report } from './report.js';

const missing = (sequence: number, because: Missing['because']): Missing => ({
  epoch: 1,
  sequence,
  event_id: `evt_${sequence}`,
  because,
  detail: null,
});
const found = (differences: Partial<Reconciliation>): Reconciliation => ({
  destination_status: 'healthy',
  from: 1,
  last_sequence: 9,
  epoch: 1,
  held: 9,
  repeats: 0,
  out_of_order: 0,
  missing: [],
  ghosts: [],
  contradictions: [],
  accounted_for: true,
  not_delivered: 0,
  ...differences,
});
const lines = (differences: Partial<Reconciliation>) => report(found(differences)).split('\n');

describe('the report of a reconciliation', () => {
  it.each([
    [[], 'Every event arrived. Nothing was lost.'],
    [[missing(4, 'rejected')], 'Every number is accounted for: 8 arrived, 1 was not delivered (rejected).'],
    [
      [missing(4, 'expired'), missing(5, 'expired')],
      'Every number is accounted for: 7 arrived, 2 were not delivered (expired).',
    ],
    [
      [missing(3, 'rejected'), missing(4, 'expired'), missing(8, 'in_flight'), missing(9, 'pending')],
      'Every number is accounted for: 5 arrived, 2 were not delivered (1 rejected, 1 expired), 2 were not delivered yet.',
    ],
    [
      [missing(9, 'after_export')],
      'Every number is accounted for: 8 arrived, 1 was delivered after the export was made.',
    ],
  ])('distinguishes arrived events from those that are accounted for: %j', (those, verdict) => {
    expect(lines({ missing: those, held: 9 - those.length }).at(-1)).toBe(verdict);
  });

  it('does not count arrivals when a number is not accounted for', () => {
    expect(lines({ missing: [missing(4, 'unknown')], accounted_for: false }).at(-1)).toBe(
      'NOT every number is accounted for.',
    );
  });

  it('names ghosts, and does not say that nothing was lost', () => {
    const ghosts = [5, 6, 7].map((sequence) => ({ epoch: 1, sequence }));
    expect(lines({ epoch: 1_800_000_000, ghosts })).toEqual([
      'The destination is healthy in epoch 1800000000 and has given out the numbers 1 to 9: 9 events.',
      'The export holds 9 different events, 0 repeats, 0 that arrived after a later number.',
      '3 GHOSTs: delivered before the database was restored, and unknown to Waybill now',
      '  5 of epoch 1 to 7 of epoch 1',
      'Every event that Waybill knows arrived. Waybill itself has lost the ghosts.',
    ]);
  });

  it('uses singular and plural', () => {
    expect(lines({ last_sequence: 1, held: 1, repeats: 1 }).slice(0, 2)).toEqual([
      'The destination is healthy and has given out the numbers 1 to 1: 1 event.',
      'The export holds 1 different event, 1 repeat, 0 that arrived after a later number.',
    ]);
    expect(lines({ last_sequence: 0, held: 0 })).toEqual([
      'The destination is healthy and has given out no numbers yet: 0 events.',
      'The export holds 0 different events, 0 repeats, 0 that arrived after a later number.',
      'There is nothing to compare yet.',
    ]);
  });

  it('names the range when the comparison begins at a later number', () => {
    expect(lines({ from: 5, last_sequence: 13, held: 12, missing: [missing(7, 'rejected')] })).toEqual([
      'The destination is healthy and has given out the numbers 1 to 13. Looked at from 5 on: 9 events.',
      'The export holds 12 different events (8 of those), 0 repeats, 0 that arrived after a later number.',
      '1 missing: refused by the target for good; can be redelivered',
      '  7  evt_7',
      'Every number is accounted for: 8 arrived, 1 was not delivered (rejected).',
    ]);
  });
});
