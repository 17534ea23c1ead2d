import { describe, expect, it } from 'vitest';
import { coversName } from './covered-names.js';

describe('a certificate', () => {
  it.each([
    ['app.example.com', 'app.example.com'],
    ['App.Example.com', 'app.example.com'],
    ['*.example.com', 'app.example.com'],
    ['*.example.com', '*.example.com'],
  ])('for %s covers %s', (dnsName, name) => {
    expect(coversName(['other.example.org', dnsName], name)).toBe(true);
  });

  it.each([
    ['app.example.com', 'example.com'],
    ['app.example.com', '*.example.com'],
    ['*.example.com', 'example.com'],
    ['*.example.com', 'a.app.example.com'],
    ['*.app.example.com', '*.example.com'],
    ['a*.example.com', 'app.example.com'],
  ])('for %s does not cover %s', (dnsName, name) => {
    expect(coversName([dnsName], name)).toBe(false);
  });

  it('without DNS names covers nothing', () => {
    expect(coversName([], 'app.example.com')).toBe(false);
  });
});
