import { RE2JS } from 're2js';
import { z } from 'zod';
import { enabled } from '../../building-blocks/edge-modules/enabled.js';
import { defineModule } from '../../framework/modules.js';

const MAX_PATTERNS = 32;
const MAX_LENGTH = 256;
/** Longest pattern after expansion of its counted repetitions, which a compiler does expand. */
const MAX_EXPANDED_LENGTH = 4096;

/** An upper bound for the length of a pattern after expansion of its counted repetitions. */
function expandedLength(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) => Number(most || least));
  return counts.reduce((length, count) => length * Math.max(count, 1), pattern.length);
}

/** Whether a pattern is an RE2 regular expression: only RE2 guarantees matching in linear time. */
function isRe2(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}

function patternError(pattern: string): string | null {
  if (pattern === '') return 'must not be empty';
  if (pattern.length > MAX_LENGTH) return `must not be longer than ${MAX_LENGTH} characters`;
  if (expandedLength(pattern) > MAX_EXPANDED_LENGTH)
    return `must not be longer than ${MAX_EXPANDED_LENGTH} characters after expansion of its repetitions`;
  return isRe2(pattern) ? null : 'must be an RE2 regular expression, without look-around and back-references';
}

function patterns(effect: string, example: string) {
  return z
    .array(z.string().meta({ minLength: 1, maxLength: MAX_LENGTH }))
    .max(MAX_PATTERNS)
    .superRefine((list, context) => {
      // Patterns above the limit are not compiled: refusing a long list must stay cheap.
      for (const [index, pattern] of list.slice(0, MAX_PATTERNS).entries()) {
        const message = patternError(pattern);
        if (message !== null) context.addIssue({ code: 'custom', path: [index], message });
      }
    })
    .default([])
    .meta({
      description: `Regular expressions (RE2) of ${effect}. At most 32, each of at most 256 characters.`,
      example: [example],
    });
}

const fields = {
  enabled,
  allow: patterns('allowed user agents, even if `deny` matches too', '(?i)friendlybot'),
  deny: patterns('denied user agents', '(?i)bot'),
};

/** Allows or denies requests by user agent. */
export const userAgentFilterModule = defineModule({
  name: 'user_agent_filter',
  title: 'user agent filter',
  input: z.strictObject(fields),
  read: z.object(fields).meta({
    id: 'UserAgentFilterModule',
    description: 'Allows or denies requests by user agent. A request that matches no list is allowed.',
  }),
});
