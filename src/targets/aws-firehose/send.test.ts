import { describe, expect, it } from 'vitest';
import { deliveryStreamOutcomes } from './send.js';

describe('the reading of a PutRecordBatch answer', () => {
  it('finds the records that failed by their place', () => {
    const outcomes = deliveryStreamOutcomes(4, 2, [
      { RecordId: 'a' },
      { ErrorCode: 'ServiceUnavailableException', ErrorMessage: 'the vendor’s own words' },
      { RecordId: 'b' },
      { ErrorCode: 'InternalFailure' },
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['delivered', 'retry', 'delivered', 'retry']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'ServiceUnavailableException' } });
    expect(JSON.stringify(outcomes)).not.toContain('own words');
  });

  it('believes an error in an entry over a count of none', () => {
    expect(deliveryStreamOutcomes(1, 0, [{ ErrorCode: 'InternalFailure' }])).toMatchObject([
      { kind: 'retry' },
    ]);
  });

  it('asks for a retry of a record that the answer leaves out while some failed', () => {
    expect(deliveryStreamOutcomes(2, 1, [{ RecordId: 'a' }]).map(({ kind }) => kind)).toEqual([
      'delivered',
      'retry',
    ]);
  });

  it('retries a record whose error it does not know', () => {
    expect(deliveryStreamOutcomes(1, 1, [{ ErrorCode: 'Something New!' }])).toMatchObject([
      { kind: 'retry', reason: { code: 'unknown_error' } },
    ]);
  });
});
