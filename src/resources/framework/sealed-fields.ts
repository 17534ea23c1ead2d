import { isDeepStrictEqual } from 'node:util';
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

function holderOf(attributes: Attributes, path: string): Attributes | null {
  const parent = parentPath(path);
  const holder = parent === '' ? attributes : valueAt(attributes, parent);
  return typeof holder === 'object' && holder !== null ? { ...holder } : null;
}

/** The names that the secret goes with and whose values are not what they were. */
function movedFrom(
  { path, keptWhileUnchanged = [] }: SecretDefinition,
  holder: Attributes,
  before: Attributes,
) {
  const former = holderOf(before, path);
  return keptWhileUnchanged.filter(
    (name) => !isDeepStrictEqual(holder[name] ?? null, former?.[name] ?? null),
  );
}

/**
 * Takes the secrets out of attributes that are about to be written. A secret that is left out (or null, as answers show it)
 * keeps what is stored, unless what it goes with has changed; one whose holder is gone is removed; one that equals what is
 * stored is no change.
 * @param stored the secrets that the resource has now, by path
 * @param before the attributes that the resource has now
 * @throws Problem `invalid_input` when a required secret is neither given nor kept
 */
export function separateSecrets(
  definitions: readonly SecretDefinition[],
  attributes: Attributes,
  stored: ReadonlyMap<string, string>,
  before: Attributes = attributes,
): SecretChanges {
  const put = new Map<string, string>();
  const remove: string[] = [];
  const missing: InputError[] = [];
  let without = attributes;
  for (const definition of definitions) {
    const { path, required } = definition;
    const holder = holderOf(attributes, path);
    if (holder === null) {
      if (stored.has(path)) remove.push(path);
      continue;
    }
    const given = valueAt(attributes, path);
    without = withValueAt(without, path, null);
    if (typeof given === 'string') {
      if (stored.get(path) !== given) put.set(path, given);
      continue;
    }
    const moved = movedFrom(definition, holder, before);
    if (stored.has(path) && moved.length === 0) continue;
    if (typeof required === 'function' ? required(holder) : required) {
      const why = stored.has(path) ? `, since ${moved.join(' and ')} changed` : '';
      missing.push({ pointer: pointerOf(path), detail: `is required${why}` });
    } else if (stored.has(path)) {
      remove.push(path);
    }
  }
  if (missing.length > 0) throw invalidInput(missing);
  return { attributes: without, put, remove };
}

/** The top-level members in which a write changed a secret. */
export function membersOf(changes: SecretChanges): readonly string[] {
  return [...new Set([...changes.put.keys(), ...changes.remove].map((path) => path.split('.')[0] ?? path))];
}
