import { isJsonObject, type JsonObject } from '../json-object.js';
import { partsOf } from '../json-pointer.js';

/**
 * Returns an object with null in place of the values that JSON pointers (RFC 6901) name. In a pointer, `*` stands for
 * every item of a list and every member of an object. A pointer to an absent member changes nothing.
 */
export function redacted(object: JsonObject, pointers: readonly string[]): JsonObject {
  let result = object;
  for (const pointer of pointers) {
    const changed = withNull(result, partsOf(pointer));
    if (isJsonObject(changed)) result = changed;
  }
  return result;
}

/** Copies only the containers on the way to a value that changes. */
function withNull(value: unknown, [part, ...rest]: readonly string[]): unknown {
  if (part === undefined) return null;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (part === '*' || part === String(index) ? withNull(item, rest) : item));
  }
  if (!isJsonObject(value)) return value;
  const names = part === '*' ? Object.keys(value) : Object.hasOwn(value, part) ? [part] : [];
  if (names.length === 0) return value;
  return { ...value, ...Object.fromEntries(names.map((name) => [name, withNull(value[name], rest)])) };
}
