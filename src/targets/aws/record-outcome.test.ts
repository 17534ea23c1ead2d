import { describe, expect, it } from 'vitest';
import { dataStreamVendor } from '../aws-kinesis/target.js';
import { recordOutcomes } from './record-outcome.js';

interface Entry {
  readonly SequenceNumber?: string;
  readonly ErrorCode?: string;
  readonly ErrorMessage?: string;
}

const outcomesOf = (records: number, entries: readonly Entry[]) =>
  recordOutcomes(records, entries, ({ SequenceNumber }) => SequenceNumber, dataStreamVendor);
const noReceipt = { kind: 'retry', reason: { code: 'no_receipt', httpStatus: 200 } };

describe('recordOutcomes', () => {
  it.each([
    ['ProvisionedThroughputExceededException', 'retry'],
    ['ServiceUnavailableException', 'retry'],
    ['InternalFailure', 'retry'],
    ['KMSThrottlingException', 'retry'],
    ['ValidationException', 'rejected'],
    ['KMSDisabledException', 'misconfigured'],
    ['KMSAccessDeniedException', 'misconfigured'],
  ])('takes %s of one record as %s, and the others as delivered', (code, kind) => {
    const outcomes = outcomesOf(3, [
      { SequenceNumber: '1' },
      { ErrorCode: code, ErrorMessage: 'text of the vendor' },
      { SequenceNumber: '2' },
    ]);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['delivered', kind, 'delivered']);
    expect(outcomes[1]).toMatchObject({ reason: { code } });
    expect(JSON.stringify(outcomes)).not.toContain('text of the vendor');
  });

  it('retries a record without an entry', () => {
    expect(outcomesOf(2, [{ SequenceNumber: '1' }])).toMatchObject([{ kind: 'delivered' }, noReceipt]);
  });

  it.each([
    ['no entries', []],
    ['entries without a receipt', [{}, { SequenceNumber: '' }]],
  ])('does not take a 200 with %s for a delivery', (_, entries) => {
    expect(outcomesOf(2, entries)).toMatchObject([noReceipt, noReceipt]);
  });

  it('retries a record whose error it does not know', () => {
    expect(outcomesOf(1, [{ ErrorCode: 'Something New!' }])).toMatchObject([
      { kind: 'retry', reason: { code: 'unknown_error' } },
    ]);
  });
});
