import { describe, expect, it } from 'vitest';
import { hostports } from './hostports.js';

const plain = hostports({ wildcards: false });
const wild = hostports({ wildcards: true });

describe('hostports', () => {
  it.each([
    '1.tcp.example.com:20001',
    'localhost:1',
    'EXAMPLE.com:65535',
    'xn--mnchen-3ya.example:443',
    '192.0.2.7:22',
    '[2001:db8::1]:443',
    `${'a'.repeat(63)}.example:80`,
  ])('accept %s', (value) => {
    expect(plain.parse([value])).toEqual([value]);
  });

  it.each([
    '',
    ':',
    ':80',
    'example.com',
    'example.com:',
    'example.com:0',
    'example.com:65536',
    'example.com:080',
    'example.com:80a',
    'example.com:-1',
    'http://example.com:80',
    'exa mple.com:80',
    'example..com:80',
    '.example.com:80',
    'example.com.:80',
    '-a.example:80',
    'a-.example:80',
    'a_b.example:80',
    'münchen.example:80',
    '*.example.com:80',
    '256.1.1.1:80',
    '1.2.3:80',
    '0x7f.1:80',
    'foo.1:80',
    'foo.0X7F:80',
    '2001:db8::1:443',
    '[2001:db8::1]',
    '[fe80::1%eth0]:80',
    '[192.0.2.1]:80',
    `${'a'.repeat(64)}.example:80`,
    `${'a.'.repeat(127)}aa:80`,
    'a:80\n',
  ])('refuse %j', (value) => {
    expect(plain.safeParse([value]).error?.issues).toMatchObject([{ path: [0] }]);
  });

  it('accept a wildcard as the first label only if wildcards are allowed', () => {
    expect(wild.parse(['*.example.com:443'])).toEqual(['*.example.com:443']);
    for (const value of ['a.*.example.com:443', '**.example.com:443', '*:443', 'a*.example.com:443']) {
      expect(wild.safeParse([value]).success).toBe(false);
    }
  });

  it('are unique, ignoring case, and limited in number', () => {
    expect(plain.safeParse(['a.example:1', 'A.example:1']).success).toBe(false);
    expect(plain.safeParse(Array.from({ length: 51 }, (_, i) => `a.example:${i + 1}`)).success).toBe(false);
  });
});

describe('two hostports of an edge', () => {
  it.each([
    ['app.example.com:443', 'APP.example.com:443'],
    ['[2001:db8::1]:443', '[2001:DB8:0:0::1]:443'],
    ['[2001:db8::c000:201]:443', '[2001:db8::192.0.2.1]:443'],
    ['192.0.2.1:443', '[::ffff:192.0.2.1]:443'],
    ['[::ffff:c000:201]:443', '[::ffff:192.0.2.1]:443'],
  ])('are refused when they are spellings of one: %s and %s', (one, other) => {
    expect(plain.safeParse(['a.example:1', one, other]).error?.issues).toMatchObject([
      { path: [2], message: 'must not name the same host and port twice' },
    ]);
  });

  it('are accepted when host or port differ', () => {
    const list = ['a.example:1', 'a.example:2', 'b.example:1', '[::1]:1', '127.0.0.1:1', '[::7f00:1]:1'];
    expect(plain.parse(list)).toEqual(list);
  });
});
