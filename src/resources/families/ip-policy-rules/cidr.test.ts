import { describe, expect, it } from 'vitest';
import { cidr } from './cidr.js';

describe('cidr', () => {
  it.each([
    '0.0.0.0/0',
    '203.0.113.0/24',
    '203.0.113.7',
    '203.0.113.7/32',
    '::/0',
    '2001:db8::/32',
    '2001:db8::1',
    '2001:DB8::/32',
  ])('accepts %s', (value) => {
    expect(cidr.parse(value)).toBe(value);
  });

  it.each([
    '',
    '1',
    '1.2.3',
    '1.2.3.4/33',
    '01.2.3.4',
    '1.2.3.4/-1',
    '2001:db8::/129',
    'example.com',
    '10.0.0.0/8 ',
    '0x7f.0.0.1',
  ])('refuses %j', (value) => {
    expect(cidr.safeParse(value).success).toBe(false);
  });

  it.each([
    ['::ffff:192.0.2.1', 'write 192.0.2.1'],
    ['::ffff:c000:201/128', 'write 192.0.2.1/32'],
    ['::FFFF:10.0.0.0/104', 'write 10.0.0.0/8'],
  ])('refuses IPv4 in the notation of IPv6: %s', (value, hint) => {
    expect(cidr.safeParse(value).error?.issues[0]?.message).toBe(`is IPv4 in the notation of IPv6: ${hint}`);
  });

  it.each([
    ['10.0.0.1/8', '10.0.0.0/8'],
    ['2001:db8::1/32', '2001:db8::/32'],
  ])('refuses %s because of its host bits and names the range %s', (value, network) => {
    const result = cidr.safeParse(value);
    expect(result.error?.issues[0]?.message).toContain(network);
  });
});
