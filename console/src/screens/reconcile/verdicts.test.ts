import type { Reconciliation } from '@waybill/reconcile';
import { expect, it } from 'vitest';
import { countVerdicts, matchingRows, verdictRows, verdicts } from './verdicts.js';

function missing(sequence: number, because: Reconciliation['missing'][number]['because']) {
  return { sequence, because, epoch: 1, event_id: `evt_${sequence}`, detail: null };
}

const found: Reconciliation = {
  destination_status: 'healthy',
  target_kind: 'data_stream',
  from: 1,
  last_sequence: 10,
  epoch: 1,
  held: 7,
  repeats: 0,
  out_of_order: 0,
  missing: [missing(1, 'rejected'), missing(5, 'pending'), missing(6, 'pending')],
  undone: [],
  contradictions: [],
  other_events: [],
  altered: [],
  content: { compared: false, reason: null },
  of_waybill: 0,
  accounted_for: true,
  not_delivered: 1,
};

it('has every number once, those that arrived in a row together', () => {
  expect(verdictRows(found).map(({ first, last, verdict }) => [verdict, first, last])).toEqual([
    ['rejected', 1, 1],
    ['arrived', 2, 4],
    ['pending', 5, 5],
    ['pending', 6, 6],
    ['arrived', 7, 10],
  ]);
});

it('begins where the export begins, and may be empty', () => {
  expect(verdictRows({ ...found, from: 9, missing: [] })).toMatchObject([{ first: 9, last: 10 }]);
  expect(verdictRows({ ...found, last_sequence: 0, missing: [] })).toEqual([]);
});

it('counts numbers, not rows', () => {
  expect(Object.fromEntries(countVerdicts(verdictRows(found)))).toEqual({ rejected: 1, arrived: 7, pending: 2 });
});

it('finds a number in the row that has it', () => {
  const rows = verdictRows(found);
  expect(matchingRows(rows, null, 3)).toMatchObject([{ verdict: 'arrived', first: 2 }]);
  expect(matchingRows(rows, ['pending'], null)).toHaveLength(2);
  expect(matchingRows(rows, ['pending'], 3)).toEqual([]);
});

it('names every verdict, the worst first', () => {
  expect([verdicts[0], verdicts.at(-1), verdicts.length]).toEqual(['acknowledged', 'arrived', 16]);
});

it('has a row for an altered number, and for each whose content was not compared', () => {
  const differences = [{ member: 'object.cidr', delivered: 'a', held: 'b' }];
  const altered = {
    epoch: 1,
    sequence: 3,
    event_id: 'evt_3',
    lines: [{ file: 'a.ndjson', line: 2, differences }],
    has_intact_line: false,
    delivered: null,
  };
  const uncertain = [
    { epoch: 1, sequence: 8, event_id: 'evt_8', because: 'erased', differences: null } as const,
    { epoch: 1, sequence: 9, event_id: 'evt_9', because: 'no_record', differences: null } as const,
    { epoch: 1, sequence: 10, event_id: 'evt_10', because: 'before_records', differences: null } as const,
  ];
  const rows = verdictRows({
    ...found,
    altered: [altered],
    content: { compared: true, events: 6, export: null, uncertain },
  });
  expect(rows.map(({ verdict, first, last }) => [verdict, first, last])).toEqual([
    ['rejected', 1, 1],
    ['intact', 2, 2],
    ['altered', 3, 3],
    ['intact', 4, 4],
    ['pending', 5, 5],
    ['pending', 6, 6],
    ['intact', 7, 7],
    ['erased', 8, 8],
    ['no_record', 9, 9],
    ['before_records', 10, 10],
  ]);
  expect(rows[7]?.detail).toBe('The file still holds it.');
  expect(rows[2]?.lines).toEqual([{ place: 'a.ndjson, line 2', differences }]);
});

it('has one row for a number that another event has, whatever else is uncertain about it', () => {
  const reason = 'Sequence 3 is of evt_3; the export holds evt_a with it.';
  const other = { epoch: 1, sequence: 3, event_id: 'evt_a', reason };
  const uncertain = [
    { epoch: 1, sequence: 3, event_id: 'evt_a', because: 'before_records', differences: null } as const,
  ];
  const content = { compared: true, events: 9, export: null, uncertain } as const;
  const rows = verdictRows({ ...found, missing: [], other_events: [other, { ...other, event_id: 'evt_b' }], content });
  expect(rows).toMatchObject([
    { verdict: 'intact', first: 1, last: 2 },
    { verdict: 'other_event', first: 3, last: 3, eventId: 'evt_a', detail: reason },
    { verdict: 'intact', first: 4, last: 10 },
  ]);
  expect(Object.fromEntries(countVerdicts(rows))).toEqual({ intact: 9, other_event: 1 });
  expect(matchingRows(rows, null, 3)).toMatchObject([{ verdict: 'other_event' }]);
});

it('has a row for what the signed log has otherwise, once, and also beyond the numbers that were compared', () => {
  const altered = { epoch: 1, sequence: 3, event_id: 'evt_3', lines: [], has_intact_line: false, delivered: null };
  const finding = { verdict: 'altered', reason: 'not what the log has' } as const;
  const findings = [
    { ...finding, sequence: 2 },
    { ...finding, sequence: 3 },
    { ...finding, sequence: 8, event_id: 'evt_8' },
    { ...finding, verdict: 'missing', sequence: 3, last_sequence: 6 } as const,
    { ...finding, verdict: 'cut_at_the_end', sequence: 11, last_sequence: 10_000_000 } as const,
    { ...finding, sequence: 13 },
    { ...finding, verdict: 'forked_log' } as const,
  ];
  const proof = { keys: [], read_at: '', logs: [], unsealed_epochs: [], findings, counts: {}, verified: false };
  const alteredOnes = [
    { ...altered, in_log: true },
    { ...altered, sequence: 5 },
  ];
  const rows = verdictRows({ ...found, from: 3, missing: [], altered: alteredOnes, proof });
  expect(rows.map(({ verdict, first, last }) => [verdict, first, last])).toEqual([
    ['not_signed', 2, 2],
    ['altered', 3, 3],
    ['not_signed', 4, 4],
    ['altered', 5, 5],
    ['not_signed', 6, 6],
    ['arrived', 7, 7],
    ['not_signed', 8, 8],
    ['arrived', 9, 10],
    ['not_signed', 11, 12],
    ['not_signed', 13, 13],
    ['not_signed', 14, 10_000_000],
  ]);
  expect(rows.map(({ detail }) => detail)).toMatchObject([
    'not what the log has',
    "The signed log has it as the file does: Waybill's own record was altered.",
    'not what the log has',
    null,
    'not what the log has',
    null,
    'not what the log has',
    null,
    'not what the log has',
    'not what the log has',
    'not what the log has',
  ]);
});
