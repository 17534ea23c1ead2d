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

  it.each(['env:prod', 'env:prod,team:network', 'a/b.c-d_e:x:y/z.1', 'büro:köln,k2:v2', `k:${'v'.repeat(99)}`])(
    'takes the tags %j',
    (tags) => {
      expect(accepts({ tags })).toBe(true);
    },
  );

  it.each([
    '',
    'env',
    'env:',
    ':prod',
    '1env:prod',
    'env:prod,',
    ',env:prod',
    'env:prod, team:x',
    'env:"prod"',
    'env:prod\n',
    `k:${'v'.repeat(100)}`,
    `k:${'v'.repeat(90)},`.repeat(12).slice(0, -1),
    `k:${'字'.repeat(90)},`.repeat(5).slice(0, -1),
  ])('refuses the tags %j', (tags) => {
    expect(accepts({ tags })).toBe(false);
  });

  it('bounds and anchors the service', () => {
    expect(accepts({ service: 'waybill-audit.eu:1' })).toBe(true);
    expect(accepts({ service: 'x'.repeat(100) })).toBe(true);
    for (const service of ['', 'x'.repeat(101), 'two words', '"', 'x\n', '-x']) {
      expect(accepts({ service })).toBe(false);
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
