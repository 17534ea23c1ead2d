import { describe, expect, it } from 'vitest';
import { deliveryStreamOutcomes } from './send.js';

const noReceipt = { kind: 'retry', reason: { code: 'no_receipt', httpStatus: 200 } };

describe('deliveryStreamOutcomes', () => {
  it('finds failed records by their index', () => {
    const outcomes = deliveryStreamOutcomes(4, [
      { RecordId: 'a' },
      { ErrorCode: 'ServiceUnavailableException', ErrorMessage: 'text of the vendor' },
      { RecordId: 'b' },
      { ErrorCode: 'InternalFailure' },
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['delivered', 'retry', 'delivered', 'retry']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'ServiceUnavailableException' } });
    expect(JSON.stringify(outcomes)).not.toContain('text of the vendor');
  });

  it('reads an error in an entry whatever the count of failures', () => {
    expect(deliveryStreamOutcomes(1, [{ ErrorCode: 'InternalFailure' }])).toMatchObject([{ kind: 'retry' }]);
  });

  it('retries a record without an entry', () => {
    expect(deliveryStreamOutcomes(2, [{ RecordId: 'a' }]).map(({ kind }) => kind)).toEqual(['delivered', 'retry']);
  });

  it.each([
    ['no entries', []],
    ['entries without a receipt', [{}, { RecordId: '' }]],
  ])('does not take a 200 with %s for a delivery', (_, entries) => {
    expect(deliveryStreamOutcomes(2, entries)).toMatchObject([noReceipt, noReceipt]);
  });

  it('retries a record whose error it does not know', () => {
    expect(deliveryStreamOutcomes(1, [{ ErrorCode: 'Something New!' }])).toMatchObject([
      { kind: 'retry', reason: { code: 'unknown_error' } },
    ]);
  });
});
