import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEndpointUrl } from './endpoint-url.js';

describe('the URL of an endpoint', () => {
  it.each([
    ['https://app.example.com', 'https://app.example.com', 443],
    ['https://app.example.com:443', 'https://app.example.com', 443],
    ['HTTPS://App.Example.COM/', 'https://app.example.com', 443],
    ['https://app.example.com:8443', 'https://app.example.com:8443', 8443],
    ['http://app.example.com', 'http://app.example.com', 80],
    ['http://app.example.com:443', 'http://app.example.com:443', 443],
    ['tls://app.example.com', 'tls://app.example.com', 443],
    ['tcp://1.tcp.example.com:20001', 'tcp://1.tcp.example.com:20001', 20_001],
    ['https://*.example.com', 'https://*.example.com', 443],
    ['https://bücher.example.com', 'https://xn--bcher-kva.example.com', 443],
  ])('is read from %s as %s', (given, url, port) => {
    const host = new URL(url.replace('*', 'wild')).hostname.replace('wild', '*');
    expect(parseEndpointUrl(given)).toEqual({
      url,
      port,
      host,
      scheme: url.split(':')[0],
      hostport: `${host}:${port}`,
    });
  });

  it.each([
    ['', 'must begin with'],
    ['app.example.com', 'must begin with'],
    ['ftp://app.example.com', 'must begin with'],
    ['constructor://app.example.com', 'must begin with'],
    ['https://user:pass@app.example.com', 'user info'],
    ['https://app.example.com/path', 'a path'],
    ['https://app.example.com?query', 'a path'],
    ['https://app.example.com#fragment', 'a path'],
    ['https://app.example.com\\@evil.example.org', 'user info'],
    ['https://app.example.com\\evil', 'a path'],
    ['https://', 'host name'],
    ['https://localhost', 'host name'],
    ['https://192.0.2.1', 'not an address'],
    ['https://0x7f.1', 'not an address'],
    ['https://[2001:db8::1]', 'host name'],
    ['https://a_b.example.com', 'host name'],
    ['https://app.example.com.', 'host name'],
    ['https://app.*.example.com', 'wildcard'],
    [`https://${'a'.repeat(64)}.example.com`, 'longer than 63'],
    ['tcp://*.example.com:80', 'wildcard'],
    ['tcp://app.example.com', 'must have a port'],
    ['https://app.example.com:0', 'port from 1'],
    ['https://app.example.com:65536', 'port from 1'],
    ['https://app.example.com:', 'host name'],
    ['https://app.example.com:https', 'host name'],
    ['https://app.example.com\nx', 'host name'],
  ])('is refused when it is %j', (given, words) => {
    expect(parseEndpointUrl(given)).toEqual({ fault: expect.stringContaining(words) as string });
  });

  it('is normalized: parsing the result returns the same result', () => {
    const label = fc.stringMatching(/^[a-zA-Z]([a-zA-Z0-9-]{0,20}[a-zA-Z0-9])?$/);
    const scheme = fc.constantFrom('https', 'http', 'tls', 'tcp', 'HTTPS');
    fc.assert(
      fc.property(scheme, label, fc.integer({ min: 1, max: 65_535 }), (protocol, name, port) => {
        const parsed = parseEndpointUrl(`${protocol}://${name}.example:${port}`);
        fc.pre('url' in parsed);
        expect(parseEndpointUrl(parsed.url)).toEqual(parsed);
      }),
    );
  });

  it('is parsed without an exception, whatever the input', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseEndpointUrl(`https://${text}`)));
  });
});
