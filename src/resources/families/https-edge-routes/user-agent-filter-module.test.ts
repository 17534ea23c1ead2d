import { describe, expect, it } from 'vitest';
import { userAgentFilterModule } from './user-agent-filter-module.js';

const { input } = userAgentFilterModule;

describe('a pattern of the user agent filter', () => {
  it.each([
    'bot',
    '(?i)googlebot/\\d+',
    '^Mozilla/5\\.0 \\(',
    '(?P<name>curl|wget)',
    '[[:alpha:]]+',
    '^\\d{1,3}(\\.\\d{1,3}){3}$',
  ])('may be %j', (pattern) => {
    expect(input.parse({ allow: [pattern] }).allow).toEqual([pattern]);
  });

  it.each([
    '',
    '(',
    '*',
    '[a',
    '(?=x)',
    '(?<!x)y',
    '(a)\\1',
    '(a{1000}){1000}',
    `(${'a'.repeat(200)}){30}`,
    'a'.repeat(257),
  ])('must not be %j', (pattern) => {
    expect(input.safeParse({ deny: [pattern] }).error?.issues).toMatchObject([{ path: ['deny', 0] }]);
  });

  it('is refused quickly, however many and however large the patterns are', () => {
    const deny = Array.from({ length: 5000 }, (_, index) => `(${'.'.repeat(240)}){16}${index}`);
    const started = performance.now();
    expect(input.safeParse({ deny }).success).toBe(false);
    expect(performance.now() - started).toBeLessThan(1500);
  });

  it('is refused in a list of more than 32', () => {
    expect(input.safeParse({ deny: Array.from({ length: 32 }, () => 'a') }).success).toBe(true);
    expect(input.safeParse({ deny: Array.from({ length: 33 }, () => 'a') }).success).toBe(false);
  });
});
