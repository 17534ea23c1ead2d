import { unionOfClosedForms } from './closed-forms.js';
import { isJson, mapMembers, type Json } from './json.js';

/** Largest integer of the format `int32`. */
const MAX_INT32 = 2_147_483_647;

/**
 * Returns a copy of a JSON Schema in the words that generators of clients understand:
 *
 * - an integer has the format `int32` or `int64`;
 * - an object of which exactly one member is set is a union of objects, each with that member. Generators would make an
 *   intersection of the shorter form, which the schemas here are written in, and no value has its type;
 * - a closed object with several forms is a union of closed objects (`unionOfClosedForms`);
 * - a secret has the format `password`, and nothing is `writeOnly` or `readOnly`. Bodies and responses have schemas of
 *   their own, and generators would make a second type of each, without these members.
 */
export function forGenerators(value: Json): Json {
  const { writeOnly, readOnly: _readOnly, ...schema } = value;
  const copy = mapMembers(schema, forGenerators);
  if (writeOnly === true) copy.format = 'password';
  if (copy.type === 'integer') copy.format ??= integerFormat(copy);
  const names = exclusiveMembers(copy);
  return names.length === 0 ? (unionOfClosedForms(copy) ?? copy) : unionOfForms(copy, names);
}

function integerFormat({ minimum, maximum }: Json): 'int32' | 'int64' {
  const fits = [minimum, maximum].every((bound) => typeof bound === 'number' && Math.abs(bound) <= MAX_INT32);
  return fits ? 'int32' : 'int64';
}

/**
 * Returns the members of which exactly one is set: those of `oneOf` with one form for each, such as `{ "title": "role",
 * "type": "object", "required": ["role"], "properties": { "role": { "type": "object" } } }`.
 */
function exclusiveMembers({ properties, oneOf }: Json): readonly string[] {
  if (!isJson(properties) || !Array.isArray(oneOf)) return [];
  const names = oneOf.map((form: unknown) => exclusiveMember(form));
  return names.filter((name) => name !== null).length === names.length ? names.map(String) : [];
}

function exclusiveMember(form: unknown): string | null {
  if (!isJson(form) || !isJson(form.properties) || typeof form.title !== 'string') return null;
  const expected = { [form.title]: { type: 'object' } };
  return JSON.stringify(form.properties) === JSON.stringify(expected) ? form.title : null;
}

function unionOfForms(schema: Json, names: readonly string[]): Json {
  const { type, properties, required, additionalProperties, oneOf: _forms, ...annotations } = schema;
  const members = isJson(properties) ? properties : {};
  const always = Array.isArray(required) ? required.map(String) : [];
  const forms = names.map((name) => ({
    title: name,
    type,
    properties: Object.fromEntries(
      Object.entries(members).map(([each, member]) => {
        if (!names.includes(each)) return [each, member];
        return [each, each === name ? withoutNull(member) : { type: 'null' }];
      }),
    ),
    required: [...new Set([...always, name])],
    ...(additionalProperties !== undefined && { additionalProperties }),
  }));
  return { ...annotations, oneOf: forms };
}

/** Returns the schema of the values of a nullable one that are not null. */
function withoutNull(schema: unknown): unknown {
  if (!isJson(schema) || !Array.isArray(schema.anyOf)) return schema;
  const set: unknown = schema.anyOf.find((one: unknown) => !isJson(one) || one.type !== 'null');
  if (!isJson(set)) return schema;
  const { anyOf: _anyOf, default: _default, ...annotations } = schema;
  return { ...set, ...annotations };
}
