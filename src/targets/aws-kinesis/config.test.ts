import { describe, expect, it } from 'vitest';
import { dataStreamConfig } from './config.js';

const ARN = 'arn:aws:kinesis:us-east-1:123456789012:stream/audit';
const role = { role_arn: 'arn:aws:iam::123456789012:role/events' };
const paths = (input: unknown): string[] =>
  dataStreamConfig.safeParse(input).error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('the configuration of a data stream', () => {
  it('takes a stream in any partition, and a role of another account: the call names the stream’s own', () => {
    expect(paths({ auth: { role }, stream_arn: ARN })).toEqual([]);
    expect(paths({ auth: { role: { role_arn: 'arn:aws:iam::210987654321:role/a' } }, stream_arn: ARN })).toEqual([]);
    expect(
      paths({
        auth: { role: { role_arn: 'arn:aws-us-gov:iam::123456789012:role/a' } },
        stream_arn: 'arn:aws-us-gov:kinesis:us-gov-west-1:123456789012:stream/audit',
      }),
    ).toEqual([]);
  });

  it.each([
    ['a consumer of a stream', `${ARN}/consumer/a:1`, 'stream_arn'],
    ['a stream of another service', 'arn:aws:firehose:us-east-1:123456789012:stream/a', 'stream_arn'],
    ['a stream in a region of another partition', 'arn:aws:kinesis:cn-north-1:123456789012:stream/a', 'stream_arn'],
    [
      'a stream of another partition than the role',
      'arn:aws-cn:kinesis:cn-north-1:123456789012:stream/a',
      'auth.role.role_arn',
    ],
  ])('refuses %s', (_, streamArn, where) => {
    expect(paths({ auth: { role }, stream_arn: streamArn })).toEqual([where]);
  });
});
