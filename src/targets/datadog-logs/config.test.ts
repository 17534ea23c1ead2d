import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { intakeUrl, monitoringConfig, sites } from './config.js';

const KEY = '0123456789abcdef0123456789abcdef';
const accepts = (member: unknown) => monitoringConfig.safeParse(member).success;

describe('the monitoring member', () => {
  it('needs nothing but a key, and fills in the rest', () => {
    expect(monitoringConfig.parse({ api_key: KEY })).toEqual({
      api_key: KEY,
      tags: null,
      service: null,
      site: 'datadoghq.com',
    });
  });

  it('takes a key that is left out or null, which an update does to keep it', () => {
    expect(accepts({})).toBe(true);
    expect(accepts({ api_key: null, tags: null, service: null, site: null })).toBe(true);
    expect(monitoringConfig.parse({ site: null }).site).toBe('datadoghq.com');
  });

  it.each(sites)('takes the site %s and sends to its intake', (site) => {
    expect(monitoringConfig.parse({ site }).site).toBe(site);
    expect(intakeUrl(site)).toBe(`https://http-intake.logs.${site}`);
  });

  it.each([
    'datadoghq.com.evil.example',
    'evil.example',
    'DATADOGHQ.COM',
    'datadoghq.com\n',
    'datadoghq.com/',
    'x@evil.example',
    '',
  ])('refuses the site %j', (site) => {
    expect(accepts({ site })).toBe(false);
  });

  it.each(['', 'env', 'env:prod,team:network', 'env:prod, team:x', '1env:"prod"\n', ',', 'büro:köln', '\u0001'])(
    'takes the tags and the service %j, which Datadog normalizes',
    (text) => {
      expect(monitoringConfig.parse({ tags: text, service: text })).toMatchObject({ tags: text, service: text });
    },
  );

  it('bounds the tags and the service as JSON text', () => {
    for (const [name, most] of [
      ['tags', 1024],
      ['service', 300],
    ] as const) {
      for (const [character, size] of [
        ['x', 1],
        ['"', 2],
        ['ä', 2],
        ['\u0001', 6],
      ] as const) {
        const longest = Math.floor(most / size);
        expect(accepts({ [name]: character.repeat(longest) })).toBe(true);
        expect(accepts({ [name]: character.repeat(longest + 1) })).toBe(false);
      }
    }
  });

  it('refuses a key that is no header value', () => {
    for (const api_key of ['', 'a b', 'a\r\nx-evil: 1', 'ä', 'x'.repeat(201)]) {
      expect(accepts({ api_key })).toBe(false);
    }
  });

  it('refuses unknown fields, among them whatever might name a host', () => {
    expect(accepts({ api_key: KEY, endpoint: 'https://evil.example' })).toBe(false);
  });

  it('describes every field in JSON Schema', () => {
    const { properties } = z.toJSONSchema(monitoringConfig, { io: 'input' });
    expect(Object.keys(properties ?? {})).toEqual(['api_key', 'tags', 'service', 'site']);
    for (const field of Object.values(properties ?? {})) expect(field).toHaveProperty('description');
  });
});
