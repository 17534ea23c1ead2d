import { z } from 'zod';

/** Most headers in one map or list; with the lengths below it keeps a map within what an event has room for. */
const MAX_HEADERS = 50;
const MAX_NAME_LENGTH = 128;
const MAX_VALUE_LENGTH = 1024;

/** A token: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2 */
const namePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Field values have no control characters but the tab: https://www.rfc-editor.org/rfc/rfc9110#section-5.5 */
// oxlint-disable-next-line no-control-regex
const valuePattern = /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/;
/** Written by whoever frames the message; one that a client chose would make two readers see two messages. */
const framing = ['content-length', 'transfer-encoding'];

function wrongName(name: string): string | null {
  if (name === '') return 'must not be an empty header name';
  if (name.length > MAX_NAME_LENGTH) return `is a header name of more than ${MAX_NAME_LENGTH} characters`;
  return namePattern.test(name) ? null : 'is not a header name: it has characters that none may have';
}

function wrongValue(value: string): string | null {
  if (value.length > MAX_VALUE_LENGTH) return `must not be longer than ${MAX_VALUE_LENGTH} characters`;
  if (!valuePattern.test(value)) return 'must not hold control characters such as CR, LF or NUL';
  return value === value.trim() ? null : 'must not begin or end with white space';
}

/**
 * Headers as a map of name to value, at most 50. Nothing in it can end a header or a message: no CR, LF or NUL, no name that is
 * not a token, and none of the headers that frame a message. No name stands there twice, whatever its case.
 */
export const headers = z
  .record(z.string(), z.string())
  .superRefine((map, context) => {
    const seen = new Set<string>();
    const names = Object.keys(map);
    if (names.length > MAX_HEADERS)
      context.addIssue({ code: 'custom', message: `must not have more than ${MAX_HEADERS} headers` });
    for (const [name, value] of Object.entries(map)) {
      const lower = name.toLowerCase();
      const message =
        wrongName(name) ??
        (framing.includes(lower) ? 'is set by whoever sends the message' : null) ??
        (seen.has(lower) ? 'is there twice, in another case' : null) ??
        wrongValue(value);
      if (message !== null) context.addIssue({ code: 'custom', path: [name], message });
      seen.add(lower);
    }
  })
  .meta({
    description: 'Header name to value. At most 50; names are tokens, values have no control characters.',
    example: { 'content-type': 'text/plain' },
  });

/** Names of headers, at most 50, none twice in whatever case. */
export const headerNames = z
  .array(z.string())
  .max(MAX_HEADERS)
  .superRefine((names, context) => {
    const seen = new Set<string>();
    for (const [index, name] of names.entries()) {
      const lower = name.toLowerCase();
      const message = wrongName(name) ?? (seen.has(lower) ? 'is there twice' : null);
      if (message !== null) context.addIssue({ code: 'custom', path: [index], message });
      seen.add(lower);
    }
  })
  .meta({ description: 'Header names, at most 50.', example: ['cache-control'] });

/** A map of headers with its names in lower case. */
export function inLowerCase(map: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name.toLowerCase(), value]));
}
