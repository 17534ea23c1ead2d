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
  expect([verdicts[0], verdicts.at(-1), verdicts.length]).toEqual(['acknowledged', 'arrived', 13]);
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
    ['intact', 7, 8],
    ['no_record', 9, 9],
    ['before_records', 10, 10],
  ]);
  expect(rows[2]?.lines).toEqual([{ place: 'a.ndjson, line 2', differences }]);
});
