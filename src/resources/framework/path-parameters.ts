import { invalidInput } from '../../problems/problem.js';
import type { Attributes, ResourceDefinition } from './definition.js';
import { pointerOf } from './paths.js';

/** The parameters of a path, by name. */
export type PathParameters = Readonly<Record<string, string>>;

/** Returns the id of the parent that the path names; null where the family has no parent. */
export function parentIdIn({ parent }: ResourceDefinition, parameters: PathParameters): string | null {
  return parent ? (parameters[parent.parameter] ?? null) : null;
}

/**
 * A body without the fields that only repeat parameters of the path.
 * @throws Problem `invalid_input` where such a field says something else than the path
 */
export function withoutRepeated(body: Attributes, parameters: PathParameters): Attributes {
  const errors = Object.entries(parameters)
    .filter(([name, value]) => body[name] !== undefined && body[name] !== value)
    .map(([name, value]) => ({
      pointer: pointerOf(name),
      detail: `must be left out or be ${JSON.stringify(value)}, as in the path`,
    }));
  if (errors.length > 0) throw invalidInput(errors);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !(name in parameters)));
}
