import { isObject } from '../../api/references.js';
import { changedValues, type ValueChange } from '../../components/value-changes.js';

/** Two states of a destination, or of the members that changed. */
interface ChangedStates {
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Returns the members that differ between two states of a destination, in the order of their paths. An absent member
 * and null are no difference: the kinds of target and the ways to sign in that are not used are null. So each member of
 * one that is used from now on is a change of its own.
 */
export function memberChanges({ before, after }: ChangedStates): readonly ValueChange[] {
  const changes = changedValues(leavesOf(before), leavesOf(after));
  return changes
    .map((change) => ({ ...change, before: change.before ?? null, after: change.after ?? null }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Returns the values of an object that are no objects, by their paths. A list is one value. Null is left out. */
function leavesOf(value: unknown, path = ''): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {};
  if (!isObject(value)) return { [path]: value };
  const members = Object.entries(value).map(([name, member]) =>
    leavesOf(member, path === '' ? name : `${path}.${name}`),
  );
  return Object.assign({}, ...members);
}
