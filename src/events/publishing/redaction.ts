import { isJsonObject, type JsonObject } from '../envelope/json-object.js';
import { Place } from '../rules/pointer-tree.js';

/**
 * Returns an object with null in place of the values that JSON pointers (RFC 6901) name. In a pointer, `*` stands for
 * every item of a list and every member of an object. A pointer to an absent member changes nothing. A value that a
 * pointer leads through and that has no members of its kind, such as text, may hold what is to be hidden: it becomes
 * null as a whole. The object is walked once, whatever the number of pointers.
 */
export function redacted(object: JsonObject, pointers: readonly string[]): JsonObject {
  return pointers.length === 0 ? object : redactedMembers(object, Place.ofObject(pointers));
}

function redactedMembers(object: JsonObject, place: Place): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, redactedValue(value, place.below(name))]),
  );
}

function redactedValue(value: unknown, place: Place): unknown {
  if (place.isAbsent || place.excludesBelow(value)) return null;
  if (place.isUntouched) return value;
  if (Array.isArray(value)) return value.map((item: unknown, at) => redactedValue(item, place.below(String(at))));
  return isJsonObject(value) ? redactedMembers(value, place) : value;
}
