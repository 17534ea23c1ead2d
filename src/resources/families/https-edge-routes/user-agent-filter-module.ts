import { RE2JS } from 're2js';
import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import { defineModule } from '../../framework/definition/modules.js';

const MAX_PATTERNS = 32;
const MAX_LENGTH = 256;
/**
 * Longest pattern, and longest list, after expansion of the counted repetitions: a compiler expands them. It takes some
 * milliseconds for the longest list.
 */
const MAX_EXPANDED_LENGTH = 4096;
const MAX_EXPANDED_TOTAL = 16_384;
/** Most Unicode classes (`\pL`) of a list: each has hundreds of ranges. */
const MAX_UNICODE_CLASSES = 64;

/** An upper bound for the length of a pattern after expansion of its counted repetitions. */
function expandedLength(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) => Number(most || least));
  return counts.reduce((length, count) => length * Math.max(count, 1), pattern.length);
}

function unicodeClassesIn(pattern: string): number {
  return pattern.match(/\\p/gi)?.length ?? 0;
}

/** Whether a pattern ignores case. */
const ignoresCase = /\(\?[A-Za-z]*i/;
/** A character outside of ASCII, a character by its number, or a Unicode class. */
// oxlint-disable-next-line no-control-regex
const beyondAscii = /[^\u0000-\u007f]|\\[px0-7]/i;

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
  if (expandedLength(pattern) > MAX_EXPANDED_LENGTH)
    return `must not be longer than ${MAX_EXPANDED_LENGTH} characters after expansion of its repetitions`;
  // A compiler looks up each character of a range beyond ASCII: one short list would take seconds.
  if (ignoresCase.test(pattern) && beyondAscii.test(pattern))
    return 'must have ASCII characters only, without \\x and \\p, to ignore case';
  return null;
}

/** Checks what all patterns of a list cost to compile. */
function listError(list: readonly string[]): string | null {
  const sum = (of: (pattern: string) => number) => list.reduce((total, pattern) => total + of(pattern), 0);
  if (sum(expandedLength) > MAX_EXPANDED_TOTAL)
    return `must not have more than ${MAX_EXPANDED_TOTAL} characters after expansion of all repetitions`;
  if (sum(unicodeClassesIn) > MAX_UNICODE_CLASSES)
    return `must not have more than ${MAX_UNICODE_CLASSES} Unicode classes such as \\pL`;
  return null;
}

function patterns(effect: string, example: string) {
  return z
    .array(boundedString(MAX_LENGTH).meta({ minLength: 1 }))
    .max(MAX_PATTERNS)
    .superRefine((list, context) => {
      const refuse = (path: number[], message: string) => context.addIssue({ code: 'custom', path, message });
      const errors = list.map(patternError);
      for (const [index, error] of errors.entries()) if (error !== null) refuse([index], error);
      if (errors.some((error) => error !== null)) return;
      const expensive = listError(list);
      if (expensive !== null) return refuse([], expensive);
      for (const [index, pattern] of list.entries()) {
        if (!isRe2(pattern))
          refuse([index], 'must be an RE2 regular expression, without look-around and back-references');
      }
    })
    .default([])
    .meta({
      description: `Regular expressions (RE2) of ${effect}. At most 32, each of at most 256 characters.`,
      example: [example],
    });
}

/** Allows or denies requests by user agent. */
export const userAgentFilterModule = defineModule({
  name: 'user_agent_filter',
  title: 'user agent filter',
  description: 'Allows or denies requests by user agent. A request that matches no list is allowed.',
  input: {
    allow: patterns('allowed user agents, even if `deny` matches too', '(?i)friendlybot'),
    deny: patterns('denied user agents', '(?i)bot'),
  },
});
