import { z } from 'zod';
import { formatOrPattern } from '../../../src/events/catalogue/event-catalogue.js';
import { withDefaultsInWords } from './defaults.js';
import { forGenerators } from './for-generators.js';
import { isJson, mapMembers, type Json } from './json.js';

type Mode = 'input' | 'output';

const COMPONENT_PREFIX = '#/components/schemas/';

/** Ids of schemas that only requests have, after the ids of their operations. */
const OF_REQUESTS = /^(?:Create|Update)[A-Z]/;

/** A schema in OpenAPI form, and the named schemas that it references. */
export interface ConvertedSchema {
  readonly schema: unknown;
  readonly components: Record<string, Json>;
}

/**
 * Converts zod schemas to JSON Schema 2020-12, the dialect of OpenAPI 3.1, for @nestjs/swagger. Schemas with an id
 * (`.meta({ id })`) become components. A schema that differs between request and response (defaults, for example)
 * becomes two components; the name of the request's ends with `Input`.
 */
export function convertSchema(schema: unknown, { schemaType }: { schemaType: Mode }): ConvertedSchema | undefined {
  if (!(schema instanceof z.ZodType)) return undefined;
  const wanted = expand(schema, schemaType);
  const other = expand(schema, schemaType === 'input' ? 'output' : 'input');
  const renamed = new Map<string, string>();
  if (schemaType === 'input') {
    for (const [id, definition] of Object.entries(wanted.definitions)) {
      if (!OF_REQUESTS.test(id) && !sameSchema(definition, other.definitions[id])) renamed.set(id, `${id}Input`);
    }
  }
  const components = Object.entries(wanted.definitions).map(([id, definition]): [string, Json] => [
    renamed.get(id) ?? id,
    withReferences(schemaType === 'input' ? withDefaultsInWords(definition) : definition, renamed),
  ]);
  return { schema: withReferences(wanted.root, renamed), components: Object.fromEntries(components) };
}

/** Returns the JSON Schema of a schema. The definitions include the schema itself if it has an id. */
function expand(schema: z.ZodType, io: Mode): { root: Json; definitions: Record<string, Json> } {
  // In a list every schema with an id is a reference, the schema itself included.
  const { items, $defs = {} } = z.toJSONSchema(z.array(schema), {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      formatOrPattern(jsonSchema);
      if (io === 'input') {
        omitUndocumented(zodSchema, jsonSchema);
        if (isAnyText(jsonSchema)) jsonSchema.pattern = STORABLE;
      }
      // Responses may gain fields, so clients must accept unknown fields, also in an object that requests have too.
      // Without a known field the keyword stays: generators would take the object for an empty one.
      // Beside a reference it would refuse the fields of the referenced schema.
      if (io === 'output' && zodSchema instanceof z.ZodObject && (hasFields(jsonSchema) || '$ref' in jsonSchema))
        delete jsonSchema.additionalProperties;
    },
  });
  return {
    root: forGenerators(objectOf(items)),
    definitions: Object.fromEntries(
      Object.entries($defs).map(([id, definition]) => [id, forGenerators(withoutId(definition))]),
    ),
  };
}

/** Text that Postgres can store. `json-body.ts` refuses other text, wherever it is in a body. */
const STORABLE = '^[^\\x00]*$';

function isAnyText({ type, pattern, format, enum: values, const: value }: z.core.JSONSchema.BaseSchema): boolean {
  return type === 'string' && [pattern, format, values, value].every((keyword) => keyword === undefined);
}

/**
 * Removes the fields with `.meta({ undocumented: true })`: fields that a body may repeat from the path. No schema can
 * say that they must equal the path.
 */
function omitUndocumented(schema: z.core.$ZodType, { properties }: z.core.JSONSchema.BaseSchema): void {
  if (!(schema instanceof z.ZodObject) || !properties) return;
  for (const [name, field] of Object.entries(schema.shape)) {
    if (field instanceof z.ZodType && field.meta()?.undocumented === true) Reflect.deleteProperty(properties, name);
  }
}

function hasFields({ properties = {} }: z.core.JSONSchema.BaseSchema): boolean {
  return Object.keys(properties).length > 0;
}

function withoutId(definition: object): Json {
  const { id: _id, $id: _dollarId, ...rest } = objectOf(definition);
  return rest;
}

function objectOf(value: unknown): Json {
  return isJson(value) ? { ...value } : {};
}

function sameSchema(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Returns a copy whose references point to the components of the document. */
function withReferences(value: Json, renamed: ReadonlyMap<string, string>): Json {
  const copy = mapMembers(value, (member) => withReferences(member, renamed));
  if (typeof copy.$ref !== 'string') return copy;
  const id = copy.$ref.replace(/^#\/\$defs\//, '');
  return { ...copy, $ref: `${COMPONENT_PREFIX}${renamed.get(id) ?? id}` };
}
