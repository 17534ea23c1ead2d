import { describe, expect, it } from 'vitest';
import { deliveryStreamOutcomes } from './send.js';

describe('deliveryStreamOutcomes', () => {
  it('finds failed records by their index', () => {
    const outcomes = deliveryStreamOutcomes(4, 2, [
      { RecordId: 'a' },
      { ErrorCode: 'ServiceUnavailableException', ErrorMessage: 'text of the vendor' },
      { RecordId: 'b' },
      { ErrorCode: 'InternalFailure' },
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['delivered', 'retry', 'delivered', 'retry']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'ServiceUnavailableException' } });
    expect(JSON.stringify(outcomes)).not.toContain('text of the vendor');
  });

  it('reads an error in an entry even if the count of failures is zero', () => {
    expect(deliveryStreamOutcomes(1, 0, [{ ErrorCode: 'InternalFailure' }])).toMatchObject([{ kind: 'retry' }]);
  });

  it('retries a record without an entry when some failed', () => {
    expect(deliveryStreamOutcomes(2, 1, [{ RecordId: 'a' }]).map(({ kind }) => kind)).toEqual(['delivered', 'retry']);
  });

  it('retries a record whose error it does not know', () => {
    expect(deliveryStreamOutcomes(1, 1, [{ ErrorCode: 'Something New!' }])).toMatchObject([
      { kind: 'retry', reason: { code: 'unknown_error' } },
    ]);
  });
});
