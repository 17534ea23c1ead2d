import { pascalCase } from '../../../src/resources/framework/definition/definition.js';
import type { OperationObject, ParameterObject } from './openapi-types.js';

/** A parameter that at least this many operations have is a component. */
const LEAST_USES = 20;

/**
 * Replaces the parameters of the query that many operations have by references. Returns the components: `limit` is
 * `LimitParameter`, so that no header has the name. Of several parameters with the same name, the first one is a
 * component.
 */
export function shareQueryParameters(operations: readonly OperationObject[]): Record<string, ParameterObject> {
  const uses = new Map<string, number>();
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    const text = JSON.stringify(parameter);
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  const shared: Record<string, ParameterObject> = {};
  for (const operation of operations) {
    operation.parameters = (operation.parameters ?? []).map((parameter) => {
      const text = JSON.stringify(parameter);
      if ('$ref' in parameter || parameter.in !== 'query' || (uses.get(text) ?? 0) < LEAST_USES) return parameter;
      const name = `${pascalCase(parameter.name)}Parameter`;
      shared[name] ??= parameter;
      return JSON.stringify(shared[name]) === text ? { $ref: `#/components/parameters/${name}` } : parameter;
    });
  }
  return shared;
}
