import { isJson, mapMembers, type Json } from './json.js';

/** Largest integer of the format `int32`. */
const MAX_INT32 = 2_147_483_647;

/**
 * Returns a copy of a JSON Schema in the words that generators of clients understand:
 *
 * - an integer has the format `int32` or `int64`;
 * - a boolean has no constant value, which some take for a text;
 * - a simple value or null is one schema with two types, not a union of two schemas;
 * - a secret has the format `password`, and nothing is `writeOnly` or `readOnly`. Bodies and responses have schemas of
 *   their own, and generators would make a second type of each, without these members.
 */
export function forGenerators(value: Json): Json {
  const { writeOnly, readOnly: _readOnly, ...schema } = value;
  const copy = mapMembers(schema, forGenerators);
  if (writeOnly === true) copy.format = 'password';
  if (copy.type === 'integer') copy.format ??= integerFormat(copy);
  if (copy.type === 'boolean') delete copy.const;
  return withNullableType(copy);
}

function withNullableType({ anyOf, ...schema }: Json): Json {
  if (!Array.isArray(anyOf)) return schema;
  const [value, none]: readonly unknown[] = anyOf;
  const isNullable = anyOf.length === 2 && isJson(none) && none.type === 'null';
  if (!isNullable || !isJson(value) || !isSimple(value)) return { ...schema, anyOf };
  const descriptions = [schema.description, value.description].filter((text) => typeof text === 'string');
  const [description, limit = ''] = descriptions;
  const described = description?.includes(limit) ? description : descriptions.join(' ');
  return { ...value, ...schema, ...(described && { description: described }), type: [value.type, 'null'] };
}

function isSimple({ type, enum: values, const: constant }: Json): boolean {
  return ['string', 'integer', 'boolean'].includes(String(type)) && values === undefined && constant === undefined;
}

function integerFormat({ minimum, maximum }: Json): 'int32' | 'int64' {
  const fits = [minimum, maximum].every((bound) => typeof bound === 'number' && Math.abs(bound) <= MAX_INT32);
  return fits ? 'int32' : 'int64';
}
