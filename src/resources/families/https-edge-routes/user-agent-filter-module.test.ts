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
    '\\p{Nothing}',
  ])('must not be %j', (pattern) => {
    expect(input.safeParse({ deny: [pattern] }).error?.issues).toMatchObject([{ path: ['deny', 0] }]);
  });

  it('that ignores case must have ASCII characters only', () => {
    const detail = 'must have ASCII characters only, without \\x and \\p, to ignore case';
    for (const pattern of ['(?i)\\pL', '(?si)[b-\\x{1e942}]', 'a(?i:[b-\u{1e942}])', '(?i)[\\1-z]']) {
      expect(input.safeParse({ deny: [pattern] }).error?.issues).toMatchObject([
        { path: ['deny', 0], message: detail },
      ]);
    }
    expect(input.safeParse({ deny: ['\\pL+[b-\u{1e942}]', '(?s-i)\\x{e4}', '(?P<i>ä)'] }).success).toBe(true);
  });

  it.each([
    ['expanded characters', Array.from({ length: 32 }, () => `(${'.'.repeat(200)}){16}`), 'after expansion of all'],
    ['Unicode classes', Array.from({ length: 32 }, () => '\\pL\\PL\\pN'), 'more than 64 Unicode classes'],
  ])('is not compiled in a list of too many %s', (_, deny, message) => {
    expect(input.safeParse({ deny }).error?.issues).toMatchObject([
      { path: ['deny'], message: expect.stringContaining(message) as string },
    ]);
  });

  it('is refused in a list of more than 32', () => {
    expect(input.safeParse({ deny: Array.from({ length: 32 }, () => 'a') }).success).toBe(true);
    expect(input.safeParse({ deny: Array.from({ length: 33 }, () => 'a') }).success).toBe(false);
  });
});
