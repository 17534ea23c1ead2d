import { RE2JS } from 're2js';
import { z } from 'zod';
import { enabled } from '../../building-blocks/edge-modules/enabled.js';
import { defineModule } from '../../framework/modules.js';

const MAX_PATTERNS = 32;
const MAX_LENGTH = 256;
/** Longest that a pattern may be once its counted repetitions are written out, about; a compiler does write them out. */
const MAX_WRITTEN_OUT = 4096;

/** An upper bound for the length of a pattern with its counted repetitions written out. */
function writtenOut(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) =>
    Number(most || least),
  );
  return counts.reduce((length, count) => length * Math.max(count, 1), pattern.length);
}

/** Whether it is a regular expression of RE2: only such a one can be matched in a time that grows with the input alone. */
function isRe2(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}

function faultOf(pattern: string): string | null {
  if (pattern === '') return 'must not be empty';
  if (pattern.length > MAX_LENGTH) return `must not be longer than ${MAX_LENGTH} characters`;
  if (writtenOut(pattern) > MAX_WRITTEN_OUT)
    return `must not be longer than ${MAX_WRITTEN_OUT} characters once its repetitions are written out`;
  return isRe2(pattern)
    ? null
    : 'must be a regular expression in the syntax of RE2, which has no look-around and no back-references';
}

function patterns(effect: string, example: string) {
  return z
    .array(z.string().meta({ minLength: 1, maxLength: MAX_LENGTH }))
    .max(MAX_PATTERNS)
    .superRefine((list, context) => {
      // Beyond what is allowed nothing is compiled: a long list is refused as cheaply as a short one.
      for (const [index, pattern] of list.slice(0, MAX_PATTERNS).entries()) {
        const message = faultOf(pattern);
        if (message !== null) context.addIssue({ code: 'custom', path: [index], message });
      }
    })
    .default([])
    .meta({
      description: `Regular expressions (RE2) of user agents that are ${effect}. At most 32 of 256 characters.`,
      example: [example],
    });
}

const fields = {
  enabled,
  allow: patterns('let in, even where `deny` matches too', '(?i)friendlybot'),
  deny: patterns('refused', '(?i)bot'),
};

/** Visitors let in or refused by their user agent. */
export const userAgentFilterModule = defineModule({
  name: 'user_agent_filter',
  title: 'user agent filter',
  input: z.strictObject(fields),
  read: z.object(fields).meta({
    id: 'UserAgentFilterModule',
    description: 'Lets requests in or refuses them by their user agent; what no list matches is let in.',
  }),
});
