import { describe, expect, it } from 'vitest';
import { deliveryStreamAddress, deliveryStreamConfig } from './config.js';

const ARN = 'arn:aws:firehose:us-east-1:123456789012:deliverystream/audit';
const role = { role_arn: 'arn:aws:iam::123456789012:role/path/to/events' };
const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'a-secret' };
const paths = (input: unknown): string[] =>
  deliveryStreamConfig.safeParse(input).error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('the configuration of a delivery stream', () => {
  it.each([
    ['a role', { auth: { role }, delivery_stream_arn: ARN }],
    ['a key', { auth: { creds }, delivery_stream_arn: ARN }],
    ['the other member as null', { auth: { role: null, creds }, delivery_stream_arn: ARN }],
    [
      'the representation of a GET: a null secret and the external id',
      {
        auth: { role: { ...role, external_id: 'generated' }, creds: null },
        delivery_stream_arn: ARN,
      },
    ],
    [
      'a key whose secret is not shown',
      { auth: { role: null, creds: { ...creds, cloud_secret_access_key: null } }, delivery_stream_arn: ARN },
    ],
    [
      'a key without its secret',
      { auth: { creds: { cloud_access_key_id: creds.cloud_access_key_id } }, delivery_stream_arn: ARN },
    ],
  ])('takes %s', (_, input) => {
    expect(deliveryStreamConfig.safeParse(input).error).toBeUndefined();
  });

  it.each([
    ['neither role nor key', { auth: {}, delivery_stream_arn: ARN }, ['auth']],
    ['both null', { auth: { role: null, creds: null }, delivery_stream_arn: ARN }, ['auth']],
    ['both role and key', { auth: { role, creds }, delivery_stream_arn: ARN }, ['auth']],
    ['no auth', { delivery_stream_arn: ARN }, ['auth']],
    ['no ARN', { auth: { role } }, ['delivery_stream_arn']],
    ['a field that does not exist', { auth: { role, token: 'x' }, delivery_stream_arn: ARN }, ['auth']],
    ['an endpoint', { auth: { role }, delivery_stream_arn: ARN, endpoint: 'http://169.254.169.254' }, ['']],
    [
      'the ARN of something else',
      { auth: { role }, delivery_stream_arn: 'arn:aws:kinesis:us-east-1:123456789012:stream/audit' },
      ['delivery_stream_arn'],
    ],
    [
      'a stream without a name',
      { auth: { role }, delivery_stream_arn: ARN.replace('audit', '') },
      ['delivery_stream_arn'],
    ],
    ['a longer path', { auth: { role }, delivery_stream_arn: `${ARN}/more` }, ['delivery_stream_arn']],
    [
      'a user instead of a role',
      { auth: { role: { role_arn: 'arn:aws:iam::123456789012:user/a' } }, delivery_stream_arn: ARN },
      ['auth.role.role_arn'],
    ],
    [
      'a role of another account, where the stream’s namesake would be written to',
      { auth: { role: { role_arn: 'arn:aws:iam::210987654321:role/a' } }, delivery_stream_arn: ARN },
      ['auth.role.role_arn'],
    ],
    [
      'a role of another partition',
      { auth: { role: { role_arn: 'arn:aws-cn:iam::123456789012:role/a' } }, delivery_stream_arn: ARN },
      ['auth.role.role_arn'],
    ],
    [
      'a temporary key',
      {
        auth: { creds: { ...creds, cloud_access_key_id: 'ASIAIOSFODNN7EXAMPLE' } },
        delivery_stream_arn: ARN,
      },
      ['auth.creds.cloud_access_key_id'],
    ],
    [
      'a secret with a newline behind',
      { auth: { creds: { ...creds, cloud_secret_access_key: 'a-secret\n' } }, delivery_stream_arn: ARN },
      ['auth.creds.cloud_secret_access_key'],
    ],
  ])('refuses %s, and names the field', (_, input, where) => {
    expect(paths(input)).toEqual(where);
  });

  it('names the stream, its region and its account', () => {
    expect(deliveryStreamAddress(ARN)).toEqual({
      partition: 'aws',
      region: 'us-east-1',
      account: '123456789012',
      name: 'audit',
    });
  });
});
