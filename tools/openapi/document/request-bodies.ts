import { withDefaultsInWords } from './defaults.js';
import type { OperationObject, Schemas } from './openapi-types.js';

/** An operation whose body refers to a component, and that component. */
export interface NamedBody {
  readonly operation: OperationObject;
  /** Empty if the operation has no body, or its body has a name already. */
  readonly schemas: Schemas;
}

/**
 * Makes the body of an operation a component named after the operation (`createIpPolicy`: `CreateIpPolicy`), so that
 * generated clients have a type for it.
 */
export function nameRequestBody(operation: OperationObject): NamedBody {
  const { operationId, requestBody } = operation;
  if (operationId === undefined || requestBody === undefined || '$ref' in requestBody) return unchanged(operation);
  const { 'application/json': json, ...others } = requestBody.content;
  if (json?.schema === undefined || '$ref' in json.schema) return unchanged(operation);
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
  const content = { ...others, 'application/json': { ...json, schema: { $ref: `#/components/schemas/${name}` } } };
  return {
    operation: { ...operation, requestBody: { ...requestBody, content } },
    schemas: { [name]: withDefaultsInWords({ ...json.schema }) },
  };
}

function unchanged(operation: OperationObject): NamedBody {
  return { operation, schemas: {} };
}
