import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem, invalidInput, type InputError } from '../problems/problem.js';
import { pointerTo } from './input-errors.js';

/** Levels of objects and lists in a body; the deepest that the interface has is 6. */
export const DEEPEST_BODY = 32;

/** What Postgres cannot store as text: NUL, and half of a surrogate pair. */
const unstorable = /[\0\p{Surrogate}]/u;

/** Whether a string can be stored and given back as it came. */
export function isStorable(text: string): boolean {
  return !unstorable.test(text);
}

/** What is said of a string that is not. */
export const UNSTORABLE_DETAIL = 'must not hold NUL characters or unpaired surrogates';

/**
 * Reads a JSON body. An empty one is undefined, as clients send a content type with a DELETE too.
 * @throws Problem `invalid`: not UTF-8, not JSON, too deep, or with text or names that no field may have.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const body = parse(bytes);
  const errors: InputError[] = [];
  inspect(body, [], errors);
  if (errors.length > 0) throw invalidInput(errors);
  return body;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Problem('invalid', 'malformed_json', 'The body is not JSON in UTF-8.', { cause: error });
  }
}

/** Walks the body. The depth is bounded before each step down, so that no body can exhaust the stack. */
function inspect(value: unknown, path: readonly string[], errors: InputError[]): void {
  if (errors.length >= 10) return;
  if (typeof value === 'string') {
    if (!isStorable(value)) errors.push({ pointer: pointerTo(path, 'body'), detail: UNSTORABLE_DETAIL });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= DEEPEST_BODY) {
    throw new Problem('invalid', 'malformed_json', `The body has more than ${DEEPEST_BODY} levels.`);
  }
  for (const [key, member] of Object.entries(value)) {
    if (!isStorable(key))
      errors.push({ pointer: pointerTo(path, 'body'), detail: `has a name that ${UNSTORABLE_DETAIL}` });
    else if (key === '__proto__')
      errors.push({ pointer: pointerTo([...path, key], 'body'), detail: 'is a name that is not accepted' });
    else inspect(member, [...path, key], errors);
  }
}

const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

/** Makes JSON the only kind of body: anything else is a 415. Of `Content-Encoding` only identity is known. */
export function acceptJsonOnly(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
      if (!jsonType.test(type) || encoding !== 'identity') {
        throw new Problem(
          'unsupported_media_type',
          'unsupported_media_type',
          'The body must be sent as application/json in UTF-8, without a content encoding.',
        );
      }
      return parseJsonBody(bytes);
    },
  );
}

/**
 * Holds the path and the query to the same rule as the body.
 * @throws Problem `invalid`
 */
export function refuseUnstorableText(request: FastifyRequest): void {
  const errors: InputError[] = [];
  for (const [name, value] of stringsIn(request.params)) {
    if (!isStorable(value)) errors.push({ pointer: `{${name}}`, detail: UNSTORABLE_DETAIL });
  }
  for (const [name, value] of stringsIn(request.query)) {
    if (!isStorable(value) || !isStorable(name)) {
      errors.push({ pointer: isStorable(name) ? `?${name}` : '?', detail: UNSTORABLE_DETAIL });
    }
  }
  if (errors.length > 0) throw invalidInput(errors);
}

function stringsIn(values: unknown): [string, string][] {
  if (typeof values !== 'object' || values === null) return [];
  return Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).map((text): [string, string] => [name, String(text)]),
  );
}
