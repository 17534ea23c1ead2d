import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../envelope/json-object.js';

/** The changed top-level members of an object, before and after. */
export interface ObjectChanges {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Compares two objects member by member. A member that one of them lacks is absent on its side. */
export function objectChanges(before: JsonObject, after: JsonObject): ObjectChanges {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) =>
      Object.hasOwn(before, name) !== Object.hasOwn(after, name) ||
      // -0 and 0 are the same JSON.
      (!isDeepStrictEqual(before[name], after[name]) && JSON.stringify(before[name]) !== JSON.stringify(after[name])),
  );
  const pick = (object: JsonObject) =>
    Object.fromEntries(names.filter((name) => Object.hasOwn(object, name)).map((name) => [name, object[name]]));
  return { before: pick(before), after: pick(after) };
}
