import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isStorable, UNSTORABLE_DETAIL } from '../../bounds/storable.js';
import { Problem, invalidInput, type InputError } from '../../problems/problem.js';
import { Stretch } from '../../timing/stretch.js';
import { pointerTo } from '../problems/input-errors.js';

/** Maximum nesting of objects and lists in a body; the schemas need 6. */
export const DEEPEST_BODY = 32;

/**
 * Most values in a body: one for each 16 bytes of the largest batch of events. Each costs about a microsecond to parse,
 * to check and to store, in a turn of the event loop. An event of 64 KiB has fewer, so each can be sent alone.
 */
export const MOST_VALUES = 131_072;

/**
 * Parses a JSON body, and serves others after a large one. Returns undefined for an empty body, since clients send a
 * content type with DELETE too.
 * @throws Problem `malformed_json` when the body is not UTF-8, not JSON or nested too deeply; `body_too_large` for too
 * many values; `invalid_input` for text or names that cannot be stored
 */
export async function parseJsonBody(bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  const stretch = new Stretch();
  requireBounded(bytes);
  const body = parse(bytes);
  await stretch.pause();
  // Both checks are about what JSON has only in these forms.
  if (!bytes.includes(String.raw`\u`) && !bytes.includes('__proto__')) return body;
  const errors: InputError[] = [];
  inspect(body, [], errors);
  if (errors.length > 0) throw invalidInput(errors);
  return body;
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Reads the bytes of a body before its values are made, so that no body exhausts the stack or keeps the event loop. An
 * empty list or object counts as two values. Bytes that are not JSON may pass: the parser refuses them.
 */
function requireBounded(bytes: Buffer): void {
  let values = 1;
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1;
    } else if (byte === COMMA) values += 1;
    else if (byte === LIST || byte === OBJECT) {
      values += 1;
      depth += 1;
      if (depth > DEEPEST_BODY)
        throw new Problem('malformed_json', `The body is nested deeper than ${DEEPEST_BODY} levels.`);
    } else if (byte === LIST_END || byte === OBJECT_END) depth -= 1;
  }
  if (values <= MOST_VALUES) return;
  const detail = `The body has more than ${MOST_VALUES} values. An empty list or object counts as two.`;
  throw new Problem('body_too_large', detail);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Problem('malformed_json', 'The body is not valid JSON in UTF-8.', { cause: error });
  }
}

/**
 * Adds the unstorable text of a value to `errors`.
 * @param path leads to the value; changed during the call, and not copied for each member
 */
function inspect(value: unknown, path: string[], errors: InputError[]): void {
  if (errors.length >= 10) return;
  if (typeof value === 'string') {
    if (!isStorable(value)) errors.push({ pointer: pointerTo(path, 'body'), detail: UNSTORABLE_DETAIL });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (!isStorable(key)) {
      errors.push({ pointer: pointerTo(path, 'body'), detail: `has a field name that ${UNSTORABLE_DETAIL}` });
      continue;
    }
    path.push(key);
    if (key === '__proto__') errors.push({ pointer: pointerTo(path, 'body'), detail: 'is a reserved name' });
    else inspect(member, path, errors);
    path.pop();
  }
}

const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

/** Accepts only JSON bodies without a content encoding: any other body is a 415. */
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
          'Send the body as application/json in UTF-8, without a content encoding.',
        );
      }
      return parseJsonBody(bytes);
    },
  );
}

/**
 * Refuses a path or query with text that cannot be stored.
 * @throws Problem `invalid_input` that names each parameter
 */
export function refuseUnstorableText(request: FastifyRequest): void {
  const errors: InputError[] = [];
  for (const [name, value] of stringsIn(request.params)) {
    if (!isStorable(value)) errors.push({ pointer: `{${name}}`, detail: UNSTORABLE_DETAIL });
  }
  for (const [name, value] of stringsIn(request.query)) {
    if (!isStorable(value) || !isStorable(name)) {
      errors.push({ pointer: isStorable(name) ? pointerTo([name], 'query') : '?', detail: UNSTORABLE_DETAIL });
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
