import { describe, expect, it } from 'vitest';
import { parseHostName } from './host-name.js';

const long = (...lengths: number[]): string => lengths.map((length) => 'a'.repeat(length)).join('.');

describe('a host name', () => {
  it.each([
    ['app.example.com', 'app.example.com'],
    ['APP.Example.COM', 'app.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['ａpp.example', 'app.example'],
    ['app。example', 'app.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['*.example.com', '*.example.com'],
    ['*.bücher.example', '*.xn--bcher-kva.example'],
    ['a-b.3com.example', 'a-b.3com.example'],
    [long(63, 63, 63, 61), long(63, 63, 63, 61)],
  ])('is accepted: %s', (text, name) => {
    expect(parseHostName(text, { wildcards: true })).toEqual({ name });
  });

  it.each([
    ['', 'host name'],
    ['localhost', 'host name'],
    ['*', 'wildcard'],
    ['*.com', 'host name'],
    ['a.*.example.com', 'wildcard'],
    ['*.*.example.com', 'wildcard'],
    ['a*.example.com', 'wildcard'],
    ['.example.com', 'host name'],
    ['app..example.com', 'host name'],
    ['app.example.com.', 'host name'],
    ['-app.example.com', 'host name'],
    ['app-.example.com', 'host name'],
    ['a_b.example.com', 'host name'],
    ['a b.example.com', 'host name'],
    ['a%2eb.example.com', 'host name'],
    ['app.example.com/path', 'host name'],
    ['app.example.com:443', 'host name'],
    ['user@app.example.com', 'host name'],
    ['https://app.example.com', 'host name'],
    ['app.example.com\n', 'host name'],
    ['app.example.com\u0000', 'host name'],
    ['a／b.example.com', 'host name'],
    ['xn--a.example', 'host name'],
    ['192.0.2.1', 'address'],
    ['*.192.0.2.1', 'address'],
    ['0x7f.1', 'address'],
    ['[::1]', 'host name'],
    [long(64, 10), '63 characters'],
    [long(63, 63, 63, 62), '253 characters'],
  ])('is refused: %j', (text, words) => {
    expect(parseHostName(text, { wildcards: true })).toEqual({
      fault: expect.stringContaining(words) as string,
    });
  });

  it('is refused as a wildcard if wildcards are not allowed', () => {
    expect(parseHostName('*.example.com', { wildcards: false })).toEqual({ fault: 'must not be a wildcard' });
  });
});
