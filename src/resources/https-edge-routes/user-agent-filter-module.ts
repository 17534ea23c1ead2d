import { RE2JS } from 're2js';
import { z } from 'zod';
import { enabled } from '../edge-modules/enabled.js';
import { defineModule } from '../framework/modules.js';

const maxPatterns = 32;
const maxLength = 256;

/** Whether it is a regular expression of RE2: only such a one can be matched in a time that grows with the input alone. */
function isRe2(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}

const pattern = z
  .string()
  .min(1)
  .max(maxLength)
  .refine((value) => value.length > maxLength || isRe2(value), {
    error:
      'must be a regular expression in the syntax of RE2, which has no look-around and no back-references',
  });

function patterns(effect: string, example: string) {
  return z
    .array(pattern)
    .max(maxPatterns)
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
