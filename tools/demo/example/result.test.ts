import { expect, test } from 'vitest';
import { targetKinds } from '../../../src/targets/target.js';
import type { CommittedChange } from './audit.js';
import type { ExampleCount } from './count.js';
import { exampleResult, exampleTable, isProof, type ExampleResult } from './result.js';

const change: CommittedChange = { table: 'orders', operation: 'INSERT', row: { id: 'o1' } };
const complete: ExampleCount = {
  delivered: 2,
  lost: 0,
  phantoms: 0,
  duplicates: 1,
  order_violations: 0,
  sequence_gaps: 0,
  leaks: 0,
};

function result(
  count: Partial<ExampleCount> = {},
  rest: Partial<Pick<ExampleResult, 'outbox_rows' | 'kills' | 'proof'>> = {},
  rolledBack = 3,
): ExampleResult {
  const entries = targetKinds.map((kind) => [kind, kind === 'log_group' ? { ...complete, ...count } : complete]);
  const targets = Object.fromEntries(entries) as ExampleResult['targets'];
  const kills = { api: 1, relay: 1, waybill: 1 };
  return exampleResult({ committed: [change, change], rolledBack }, targets, {
    outbox_rows: 0,
    kills,
    seconds: 1,
    proof: 'verified',
    ...rest,
  });
}

test('adds the counts of all destinations, and takes the smallest delivered one', () => {
  expect(result({ delivered: 1, lost: 1, phantoms: 2 })).toMatchObject({
    committed: 2,
    rolled_back: 3,
    delivered: 1,
    lost: 1,
    phantoms: 2,
    duplicates: 5,
  });
});

test('is a proof when everything arrived, with duplicates too', () => {
  expect(isProof(result())).toBe(true);
});

test.each([{ delivered: 1, lost: 1 }, { phantoms: 1 }, { order_violations: 1 }, { sequence_gaps: 1 }, { leaks: 1 }])(
  'is no proof when one destination has %j',
  (count) => {
    expect(isProof(result(count))).toBe(false);
  },
);

test('is no proof with a rest in the outbox, without a kill of each program, without a rollback, or with a finding of the verifier', () => {
  expect(isProof(result({}, { outbox_rows: 1 }))).toBe(false);
  expect(isProof(result({}, { kills: { api: 1, relay: 0, waybill: 1 } }))).toBe(false);
  expect(isProof(result({}, {}, 0))).toBe(false);
  expect(isProof(result({}, { proof: 'missing' }))).toBe(false);
});

test('has a row in the table for each destination', () => {
  expect(exampleTable(result()).split('\n')).toHaveLength(2 + targetKinds.length);
});
