import { describe, expect, test } from 'vitest';
import { BaseUrl, listeningUrl } from './base-url.js';

const address = { address: '::', family: 'IPv6', port: 49_152 };

describe('the URL of a listening server', () => {
  test.each([
    ['127.0.0.1', 'http://127.0.0.1:49152'],
    ['api.internal', 'http://api.internal:49152'],
    ['::1', 'http://[::1]:49152'],
    ['fe80::1%eth0', 'http://[fe80::1%eth0]:49152'],
    ['0.0.0.0', 'http://localhost:49152'],
    ['::', 'http://localhost:49152'],
    ['0:0:0:0:0:0:0:0', 'http://localhost:49152'],
  ])('of %s is %s', (host, url) => {
    expect(listeningUrl(host, address)).toBe(url);
  });

  test('does not exist before the server listens', () => {
    expect(() => listeningUrl('127.0.0.1', null)).toThrow('does not listen');
  });
});

describe('the base URL', () => {
  test('is PUBLIC_URL where that is set, also before the process listens', () => {
    const base = new BaseUrl({ PUBLIC_URL: 'https://waybill.example.com', HOST: '::' }, () => null);
    expect(base.value).toBe('https://waybill.example.com');
  });

  test('is the address of the listening socket otherwise', () => {
    const base = new BaseUrl({ PUBLIC_URL: undefined, HOST: '::' }, () => address);
    expect(base.value).toBe('http://localhost:49152');
  });
});

test('keeps the address of a server that has closed: work that is under way still needs it', () => {
  let current: { address: string; family: string; port: number } | null = {
    address: '127.0.0.1',
    family: 'IPv4',
    port: 4711,
  };
  const baseUrl = new BaseUrl({ PUBLIC_URL: undefined, HOST: '127.0.0.1' }, () => current);
  expect(baseUrl.value).toBe('http://127.0.0.1:4711');
  current = null;
  expect(baseUrl.value).toBe('http://127.0.0.1:4711');
});
