import type { EventDestinationUpdatedV0Payload } from './last-change-query.js';

/** A member that a change gave another value. */
export interface MemberChange {
  /** Its path: `target.data_stream.stream_arn`. */
  readonly path: string;
  /** The values in JSON; null where the member was absent or null. */
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Returns the members that differ between two states of an object, in the order of their paths. The order of members is
 * no difference, and neither is an absent member and null.
 */
export function memberChanges({ before, after }: EventDestinationUpdatedV0Payload['changes']): readonly MemberChange[] {
  const [old, present] = [leavesOf(before), leavesOf(after)];
  const paths = [...new Set([...old.keys(), ...present.keys()])].toSorted();
  return paths
    .map((path) => ({ path, before: old.get(path) ?? null, after: present.get(path) ?? null }))
    .filter((change) => change.before !== change.after);
}

/** Returns the values of an object that are no objects, by path. Lists are one value each. Null is left out. */
function leavesOf(value: unknown, path: readonly string[] = []): Map<string, string> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object' || Array.isArray(value)) {
    return new Map([[path.join('.'), typeof value === 'string' ? value : JSON.stringify(value)]]);
  }
  return new Map(Object.entries(value).flatMap(([name, member]) => [...leavesOf(member, [...path, name])]));
}
