import { publishingLimits } from './generated/publishing-limits.js';

/** A value that JSON does not carry unchanged. */
export class UnfitValueError extends Error {
  /** @param pointer JSON pointer to the value */
  constructor(
    readonly pointer: string,
    readonly detail: string,
  ) {
    super(`${pointer} ${detail}`);
  }
}

/** Most nested objects and lists that Waybill accepts in an object. */
export const DEEPEST_OBJECT = publishingLimits.deepestObject;

const unstorable = /\0|\p{Surrogate}/u;

/**
 * Returns what `JSON.stringify` would write, as plain values. Members that are undefined or functions are left out.
 * @throws UnfitValueError where `JSON.stringify` would change a value or fail, and for what Postgres cannot store
 */
export function jsonValue(value: unknown, pointer: string, depth = 1): unknown {
  switch (typeof value) {
    case 'string':
      if (unstorable.test(value)) throw new UnfitValueError(pointer, 'has a NUL character or half a surrogate pair');
      return value;
    case 'number':
      return jsonNumber(value, pointer);
    case 'bigint':
      throw new UnfitValueError(pointer, 'is a bigint, which JSON does not have: pass a number or text');
    case 'object':
      return value === null ? null : jsonContainer(value, pointer, depth);
    case 'boolean':
      return value;
    default:
      return undefined;
  }
}

function jsonNumber(value: number, pointer: string): number {
  if (!Number.isFinite(value)) throw new UnfitValueError(pointer, 'is not a finite number');
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new UnfitValueError(pointer, 'is a whole number that JSON parsers round: pass it as text');
  return value;
}

function jsonContainer(value: object, pointer: string, depth: number): unknown {
  if (depth > DEEPEST_OBJECT) throw new UnfitValueError(pointer, `is nested deeper than ${DEEPEST_OBJECT} levels`);
  if (value instanceof Map || value instanceof Set)
    throw new UnfitValueError(pointer, 'is a Map or a Set, which JSON does not have: pass an object or a list');
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    throw new UnfitValueError(pointer, 'is binary data, which JSON does not have: pass text, such as base64');
  if (value instanceof Date && Number.isNaN(value.getTime())) throw new UnfitValueError(pointer, 'is an invalid date');
  if ('toJSON' in value && typeof value.toJSON === 'function') return jsonValue(value.toJSON(), pointer, depth + 1);
  if (Array.isArray(value))
    return value.map((item: unknown, index) => jsonValue(item, `${pointer}/${index}`, depth + 1) ?? null);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
      const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (name === '__proto__') throw new UnfitValueError(at, 'has a reserved name');
      if (unstorable.test(name)) throw new UnfitValueError(pointer, 'has a member whose name cannot be stored');
      const json = jsonValue(member, at, depth + 1);
      return json === undefined ? [] : [[name, json]];
    }),
  );
}
