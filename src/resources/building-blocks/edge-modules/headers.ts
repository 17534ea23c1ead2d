import { z } from 'zod';
import { boundedMap, boundedString } from '../../../bounds/bounded.js';

/** Most headers in one map or list. With the lengths below, a map stays below the size limit of an event. */
const MAX_HEADERS = 50;
const MAX_NAME_LENGTH = 128;
const MAX_VALUE_LENGTH = 1024;

/** A token: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2 */
const namePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** A value without control characters and without white space of Latin-1 at its ends, for the OpenAPI document. */
const EDGE = '[^\\x00-\\x20\\x7f\\xa0]';
const VALUE = `^(?:${EDGE}(?:[^\\x00-\\x08\\x0a-\\x1f\\x7f]*${EDGE})?)?$`;
/**
 * Field values have no control characters except the tab: https://www.rfc-editor.org/rfc/rfc9110#section-5.5
 */
// oxlint-disable-next-line no-control-regex
const valuePattern = /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/;
/** Set by the sender of a message. A value from a client would allow request smuggling. */
const framing = ['content-length', 'transfer-encoding'];

/** The pattern of these words in upper and lower case: patterns of JSON Schema have no flags. */
function anyCase(words: readonly string[]): string {
  return `^(?:${words.join('|')})$`.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}

function wrongName(name: string): string | null {
  if (name === '') return 'must not be an empty header name';
  if (name.length > MAX_NAME_LENGTH) return `is a header name of more than ${MAX_NAME_LENGTH} characters`;
  return namePattern.test(name) ? null : 'is not a valid header name: it has characters that are not allowed';
}

function wrongValue(value: string): string | null {
  if (!valuePattern.test(value)) return 'must not hold control characters such as CR, LF or NUL';
  return value === value.trim() ? null : 'must not begin or end with white space';
}

/**
 * Headers as a map of name to value, at most 50. No entry can end a header or a message: names are tokens, values have
 * no CR, LF or NUL, and framing headers are refused. Names are unique, ignoring case.
 */
export const headers = boundedMap(boundedString(MAX_VALUE_LENGTH), MAX_HEADERS, 'headers')
  .superRefine((map, context) => {
    const seen = new Set<string>();
    for (const [name, value] of Object.entries(map)) {
      const lower = name.toLowerCase();
      const message =
        wrongName(name) ??
        (framing.includes(lower) ? 'must not be set: the sender of the message sets this header' : null) ??
        (seen.has(lower) ? 'occurs twice: header names are case-insensitive' : null) ??
        wrongValue(value);
      if (message !== null) context.addIssue({ code: 'custom', path: [name], message });
      seen.add(lower);
    }
  })
  .meta({
    description:
      'Map of header name to value. At most 50 headers. Names are RFC 9110 tokens; values have no control characters.',
    type: 'object',
    propertyNames: { pattern: namePattern.source, maxLength: MAX_NAME_LENGTH, not: { pattern: anyCase(framing) } },
    additionalProperties: { type: 'string', pattern: VALUE, maxLength: MAX_VALUE_LENGTH },
    maxProperties: MAX_HEADERS,
    example: { 'content-type': 'text/plain' },
  });

/** Header names, at most 50, unique, ignoring case. */
export const headerNames = z
  .array(boundedString(MAX_NAME_LENGTH))
  .max(MAX_HEADERS)
  .superRefine((names, context) => {
    const seen = new Set<string>();
    for (const [index, name] of names.entries()) {
      const lower = name.toLowerCase();
      const message = wrongName(name) ?? (seen.has(lower) ? 'occurs twice: header names are case-insensitive' : null);
      if (message !== null) context.addIssue({ code: 'custom', path: [index], message });
      seen.add(lower);
    }
  })
  .meta({
    description: 'Header names, at most 50.',
    items: { type: 'string', pattern: namePattern.source, maxLength: MAX_NAME_LENGTH },
    uniqueItems: true,
    example: ['cache-control'],
  });

/** Converts the names of a map of headers to lower case. */
export function inLowerCase(map: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name.toLowerCase(), value]));
}
