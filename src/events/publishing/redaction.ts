import { isJsonObject, type JsonObject } from '../envelope/json-object.js';
import { partsOf } from '../envelope/json-pointer.js';

/**
 * Returns an object with null in place of the values that JSON pointers (RFC 6901) name. In a pointer, `*` stands for
 * every item of a list and every member of an object. A pointer to an absent member changes nothing. A value that a
 * pointer leads through and that has no members of its kind, such as text, may hold what is to be hidden: it becomes
 * null as a whole.
 */
export function redacted(object: JsonObject, pointers: readonly string[]): JsonObject {
  let result = object;
  for (const pointer of pointers) {
    const changed = withNull(result, partsOf(pointer));
    if (isJsonObject(changed)) result = changed;
  }
  return result;
}

const index = /^(?:0|[1-9][0-9]*)$/;

/** Copies only the containers on the way to a value that changes. */
function withNull(value: unknown, [part, ...rest]: readonly string[]): unknown {
  if (part === undefined) return null;
  if (Array.isArray(value)) {
    if (part !== '*' && !index.test(part)) return null;
    return value.map((item: unknown, at) => (part === '*' || part === String(at) ? withNull(item, rest) : item));
  }
  if (!isJsonObject(value)) return null;
  const names = part === '*' ? Object.keys(value) : Object.hasOwn(value, part) ? [part] : [];
  if (names.length === 0) return value;
  return { ...value, ...Object.fromEntries(names.map((name) => [name, withNull(value[name], rest)])) };
}
