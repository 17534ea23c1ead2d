import { invalidInput, type InputError } from '../../problems/problem.js';
import type { Attributes, SecretDefinition } from './definition.js';
import { parentPath, pointerOf, valueAt, withValueAt } from './paths.js';

/** What a write does to the secrets of a resource, by path. */
export interface SecretChanges {
  /** The attributes with null in place of every secret. */
  readonly attributes: Attributes;
  readonly put: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
}

function holderExists(attributes: Attributes, path: string): boolean {
  const parent = parentPath(path);
  return parent === '' || valueAt(attributes, parent) != null;
}

/**
 * Takes the secrets out of attributes that are about to be written. A secret that is left out (or null, as answers show it)
 * keeps what is stored; one whose holder is gone is removed; one that equals what is stored is no change.
 * @param stored the secrets that the resource has now, by path
 * @throws Problem `invalid_input` when a required secret is neither given nor stored
 */
export function separateSecrets(
  definitions: readonly SecretDefinition[],
  attributes: Attributes,
  stored: ReadonlyMap<string, string>,
): SecretChanges {
  const put = new Map<string, string>();
  const remove: string[] = [];
  const missing: InputError[] = [];
  let without = attributes;
  for (const { path, required } of definitions) {
    if (!holderExists(attributes, path)) {
      if (stored.has(path)) remove.push(path);
      continue;
    }
    const given = valueAt(attributes, path);
    without = withValueAt(without, path, null);
    if (typeof given === 'string') {
      if (stored.get(path) !== given) put.set(path, given);
    } else if (required && !stored.has(path)) {
      missing.push({ pointer: pointerOf(path), detail: 'is required' });
    }
  }
  if (missing.length > 0) throw invalidInput(missing);
  return { attributes: without, put, remove };
}

/** The top-level members in which a write changed a secret. */
export function membersOf(changes: SecretChanges): readonly string[] {
  return [...new Set([...changes.put.keys(), ...changes.remove].map((path) => path.split('.')[0] ?? path))];
}
