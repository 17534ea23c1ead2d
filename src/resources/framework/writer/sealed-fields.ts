import { isDeepStrictEqual } from 'node:util';
import { invalidInput, type InputError } from '../../../problems/problem.js';
import type { Attributes, SecretDefinition } from '../definition/definition.js';
import { parentPath, pointerOf, valueAt, withValueAt } from '../definition/paths.js';

/** The changes of a write to the secrets of a resource, by path. */
export interface SecretChanges {
  /** The attributes, with null for every secret. */
  readonly attributes: Attributes;
  readonly put: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
}

function parentOf(attributes: Attributes, path: string): Attributes | null {
  const parent = parentPath(path);
  const value = parent === '' ? attributes : valueAt(attributes, parent);
  return typeof value === 'object' && value !== null ? { ...value } : null;
}

/** Returns the sibling fields of `keptWhileUnchanged` that changed. */
function changedSiblings({ path, keptWhileUnchanged = [] }: SecretDefinition, parent: Attributes, before: Attributes) {
  const former = parentOf(before, path);
  return keptWhileUnchanged.filter((name) => !isDeepStrictEqual(parent[name] ?? null, former?.[name] ?? null));
}

/**
 * Separates the secrets from attributes before they are written. An absent or null secret keeps its stored value,
 * unless a field of `keptWhileUnchanged` changed. A secret whose parent object is gone is removed. A secret that equals
 * its stored value is no change.
 * @param stored the stored secrets, by path; null for one that cannot be decrypted: any given secret replaces it
 * @param before the stored attributes
 * @throws Problem `invalid_input` when a required secret is neither given nor kept
 */
export function separateSecrets(
  definitions: readonly SecretDefinition[],
  attributes: Attributes,
  stored: ReadonlyMap<string, string | null>,
  before: Attributes = attributes,
): SecretChanges {
  const put = new Map<string, string>();
  const remove: string[] = [];
  const missing: InputError[] = [];
  let without = attributes;
  for (const definition of definitions) {
    const { path, required } = definition;
    const parent = parentOf(attributes, path);
    if (parent === null) {
      if (stored.has(path)) remove.push(path);
      continue;
    }
    const given = valueAt(attributes, path);
    without = withValueAt(without, path, null);
    if (typeof given === 'string') {
      if (stored.get(path) !== given) put.set(path, given);
      continue;
    }
    const changed = changedSiblings(definition, parent, before);
    if (stored.has(path) && changed.length === 0) continue;
    if (typeof required === 'function' ? required(parent) : required) {
      const why = stored.has(path) ? `, since ${changed.join(' and ')} changed` : '';
      missing.push({ pointer: pointerOf(path), detail: `is required${why}` });
    } else if (stored.has(path)) {
      remove.push(path);
    }
  }
  if (missing.length > 0) throw invalidInput(missing);
  return { attributes: without, put, remove };
}

/** Returns the top-level members with a changed secret. */
export function membersOf(changes: SecretChanges): readonly string[] {
  return [...new Set([...changes.put.keys(), ...changes.remove].map((path) => path.split('.')[0] ?? path))];
}
