import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseArn } from './arn.js';

describe('the parsing of ARNs', () => {
  it.each([
    ['arn:aws:firehose:us-east-1:123456789012:deliverystream/a', 'us-east-1'],
    ['arn:aws:kinesis:ap-southeast-2:123456789012:stream/a', 'ap-southeast-2'],
    ['arn:aws-cn:kinesis:cn-northwest-1:123456789012:stream/a', 'cn-northwest-1'],
    ['arn:aws-us-gov:logs:us-gov-west-1:123456789012:log-group:a', 'us-gov-west-1'],
    ['arn:aws-iso:kinesis:us-iso-east-1:123456789012:stream/a', 'us-iso-east-1'],
    ['arn:aws-iso-b:kinesis:us-isob-east-1:123456789012:stream/a', 'us-isob-east-1'],
    ['arn:aws-iso-e:kinesis:eu-isoe-west-1:123456789012:stream/a', 'eu-isoe-west-1'],
    ['arn:aws-iso-f:kinesis:us-isof-south-1:123456789012:stream/a', 'us-isof-south-1'],
    ['arn:aws-eusc:kinesis:eusc-de-east-1:123456789012:stream/a', 'eusc-de-east-1'],
    ['arn:aws:iam::123456789012:role/a', ''],
  ])('reads the region of %s', (text, region) => {
    expect(parseArn(text)?.region).toBe(region);
  });

  it.each([
    ['a region of another partition', 'arn:aws:kinesis:cn-north-1:123456789012:stream/a'],
    ['a region of another partition', 'arn:aws:kinesis:us-gov-west-1:123456789012:stream/a'],
    ['a region of another partition', 'arn:aws-us-gov:kinesis:us-west-1:123456789012:stream/a'],
    ['a region of another partition', 'arn:aws-cn:kinesis:us-east-1:123456789012:stream/a'],
    ['a region of another partition', 'arn:aws:kinesis:eusc-de-east-1:123456789012:stream/a'],
    ['a partition that does not exist', 'arn:aws-moon:kinesis:us-east-1:123456789012:stream/a'],
    ['a region that would change the host', 'arn:aws:kinesis:us-east-1.evil.example/:123456789012:stream/a'],
    ['a region that would change the host', 'arn:aws:kinesis:us-east-1#:123456789012:stream/a'],
    ['a region that would change the host', 'arn:aws:kinesis:us-east-1@evil:123456789012:stream/a'],
    ['an account that is too short', 'arn:aws:kinesis:us-east-1:12345678901:stream/a'],
    ['no account', 'arn:aws:kinesis:us-east-1::stream/a'],
    ['something in front', ' arn:aws:kinesis:us-east-1:123456789012:stream/a'],
    ['a newline behind', 'arn:aws:kinesis:us-east-1:123456789012:stream/a\n'],
    ['a space within', 'arn:aws:kinesis:us-east-1:123456789012:stream/a b'],
    ['nothing', ''],
  ])('refuses %s: %s', (_, text) => {
    expect(parseArn(text)).toBeNull();
  });

  it('gives only regions that are safe as a part of a host name, whatever the text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string().map((region) => `arn:aws:kinesis:${region}:123456789012:stream/a`),
      fc.string({ maxLength: 3 }).map((extra) => `arn:aws:kinesis:us-east-1${extra}:123456789012:stream/a`),
    );
    fc.assert(
      fc.property(text, (given) => {
        expect(parseArn(given)?.region ?? '').toMatch(/^[a-z0-9-]*$/);
      }),
    );
  });
});
