import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { TrustedProxies } from '../../config/trusted-proxies.js';
import { originReader } from './request-origin.js';

/** A request on a connection with this peer. */
function requestFrom(peer: string | undefined, headers: Readonly<Record<string, string>>): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: peer });
  return Object.assign(new IncomingMessage(socket), { headers: { host: 'here.example', ...headers } });
}

function ipOf(trusted: TrustedProxies, peer: string | undefined, forwarded?: string): string | null {
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return originReader(trusted)(requestFrom(peer, headers)).ip;
}

const forged = {
  'x-forwarded-for': '198.51.100.9',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'https',
};
const direct = { ip: '203.0.113.7', host: 'here.example', hostHeader: 'Host', protocol: 'http' };

describe('the origin of a request', () => {
  test('is the connection without a trusted proxy, whatever the headers say', () => {
    expect(originReader(0)(requestFrom('203.0.113.7', forged))).toEqual(direct);
    expect(originReader(['10.0.0.0/8'])(requestFrom('203.0.113.7', forged))).toEqual(direct);
  });

  test('is what a trusted proxy says', () => {
    const said = { ip: '198.51.100.9', host: 'evil.example', hostHeader: 'X-Forwarded-Host', protocol: 'https' };
    expect(originReader(1)(requestFrom('203.0.113.7', forged))).toEqual(said);
    expect(originReader(['203.0.113.0/24'])(requestFrom('203.0.113.7', forged))).toEqual(said);
  });

  test('is the connection where a trusted proxy says nothing', () => {
    expect(originReader(1)(requestFrom('203.0.113.7', {}))).toEqual(direct);
    const blank = { 'x-forwarded-for': '', 'x-forwarded-host': '', 'x-forwarded-proto': '' };
    expect(originReader(1)(requestFrom('203.0.113.7', blank))).toEqual(direct);
  });

  test('has the host and scheme of the nearest proxy', () => {
    const headers = { 'x-forwarded-host': 'evil.example, edge.example', 'x-forwarded-proto': 'http, HTTPS' };
    const origin = originReader(1)(requestFrom('203.0.113.7', headers));
    expect(origin).toMatchObject({ host: 'edge.example', protocol: 'https' });
  });

  test('has no address when the connection has ended', () => {
    expect(ipOf(1, undefined, '198.51.100.9')).toBeNull();
  });
});

describe('the address of the client', () => {
  test('is the entry of the last trusted hop, never one that the client added in front', () => {
    const chain = '1.1.1.1, 198.51.100.9, 10.0.0.2';
    expect(ipOf(1, '10.0.0.1', chain)).toBe('10.0.0.2');
    expect(ipOf(2, '10.0.0.1', chain)).toBe('198.51.100.9');
    expect(ipOf(['10.0.0.0/8'], '10.0.0.1', chain)).toBe('198.51.100.9');
    expect(ipOf(['10.0.0.1', '10.0.0.2', '198.51.100.9'], '10.0.0.1', chain)).toBe('1.1.1.1');
  });

  test('is the last entry where there are fewer entries than trusted hops', () => {
    expect(ipOf(5, '10.0.0.1', '198.51.100.9')).toBe('198.51.100.9');
  });

  test.each([
    'unknown',
    'x'.repeat(14_000),
    `fe80::1%${'a'.repeat(14_000)}`,
    '198.51.100.9.1',
    '0x7f.1',
    '[::1',
    '1.2.3.4:123456',
    '"198.51.100.9"',
    'evil\u0000',
  ])('is the proxy where the entry is not an address: %.30s', (entry) => {
    expect(ipOf(1, '10.0.0.1', entry)).toBe('10.0.0.1');
    expect(ipOf(2, '10.0.0.1', `${entry}, 10.0.0.2`)).toBe('10.0.0.2');
  });

  test.each([
    ['198.51.100.9:4711', '198.51.100.9'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['::ffff:198.51.100.9', '198.51.100.9'],
  ])('of the entry %s is %s', (entry, address) => {
    expect(ipOf(1, '10.0.0.1', entry)).toBe(address);
  });

  test('of a connection is in its usual form', () => {
    expect(ipOf(0, '::ffff:203.0.113.7')).toBe('203.0.113.7');
    expect(ipOf(0, 'fe80::1%eth0')).toBe('fe80::1');
    expect(ipOf(['203.0.113.0/24'], '::ffff:203.0.113.7', '198.51.100.9')).toBe('198.51.100.9');
    for (const trusted of ['::ffff:203.0.113.7', '::ffff:203.0.113.0/120', '::FFFF:cb00:7107/128']) {
      expect(ipOf([trusted], '203.0.113.7', '198.51.100.9')).toBe('198.51.100.9');
      expect(ipOf([trusted], '::ffff:203.0.113.7', '198.51.100.9')).toBe('198.51.100.9');
      expect(ipOf([trusted], '203.0.114.7', '198.51.100.9')).toBe('203.0.114.7');
    }
  });

  test('is found in bounded time among thousands of trusted entries', () => {
    expect(ipOf(['10.0.0.0/8'], '10.0.0.1', Array(4_000).fill('10.0.0.2').join())).toBe('10.0.0.2');
  });
});
