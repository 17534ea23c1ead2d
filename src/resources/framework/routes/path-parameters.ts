import { boundedString } from '../../../bounds/bounded.js';
import { echoed } from '../../../bounds/storable.js';
import { invalidInput } from '../../../problems/problem.js';
import type { Attributes, ResourceDefinition } from '../definition/definition.js';
import { pointerOf } from '../definition/paths.js';

/**
 * A body field that may repeat a path parameter. The OpenAPI document does not have the field: no schema can say that
 * it must equal the path.
 */
export const repeatedParameter = boundedString(255).optional().meta({ undocumented: true });

/** The parameters of a path, by name. */
export type PathParameters = Readonly<Record<string, string>>;

/** Returns the id of the parent that the path names; null where the family has no parent. */
export function parentIdIn({ parent }: ResourceDefinition, parameters: PathParameters): string | null {
  return parent ? (parameters[parent.parameter] ?? null) : null;
}

/**
 * Returns a body without the fields that repeat path parameters.
 * @throws Problem `invalid_input` when such a field differs from the path
 */
export function withoutRepeated(body: Attributes, parameters: PathParameters): Attributes {
  const errors = Object.entries(parameters)
    .filter(([name, value]) => body[name] !== undefined && body[name] !== value)
    .map(([name, value]) => ({
      pointer: pointerOf(name),
      detail: `must be ${JSON.stringify(echoed(value))} as in the path, or left out`,
    }));
  if (errors.length > 0) throw invalidInput(errors);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !(name in parameters)));
}
