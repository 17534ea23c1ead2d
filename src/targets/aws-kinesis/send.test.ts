import { describe, expect, it } from 'vitest';
import { dataStreamOutcomes } from './send.js';

const noReceipt = { kind: 'retry', reason: { code: 'no_receipt', httpStatus: 200 } };

describe('dataStreamOutcomes', () => {
  it.each([
    ['ProvisionedThroughputExceededException', 'retry'],
    ['InternalFailure', 'retry'],
    ['KMSThrottlingException', 'retry'],
    ['ValidationException', 'rejected'],
    ['KMSDisabledException', 'misconfigured'],
    ['KMSAccessDeniedException', 'misconfigured'],
  ])('takes %s of one record as %s, and the others as delivered', (code, kind) => {
    const outcomes = dataStreamOutcomes(3, [
      { SequenceNumber: '1', ShardId: 'shardId-000000000000' },
      { ErrorCode: code, ErrorMessage: 'text of the vendor' },
      { SequenceNumber: '2', ShardId: 'shardId-000000000000' },
    ]);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['delivered', kind, 'delivered']);
    expect(outcomes[1]).toMatchObject({ reason: { code } });
    expect(JSON.stringify(outcomes)).not.toContain('text of the vendor');
  });
  it.each([
    ['no entries', []],
    ['entries without a receipt', [{}, { SequenceNumber: '', ShardId: 'shardId-000000000000' }]],
  ])('does not take a 200 with %s for a delivery', (_, entries) => {
    expect(dataStreamOutcomes(2, entries)).toMatchObject([noReceipt, noReceipt]);
  });
});
