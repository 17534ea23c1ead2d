import { z } from 'zod';

/** What a form shows of a field of a configuration, beside what the schema of the field says. */
export interface FieldForm {
  /** The label. */
  readonly title: string;
  /** Whether exactly one member of the object is given: a choice. */
  readonly exactlyOne?: true;
}

/**
 * The forms of the fields. They are no metadata of the OpenAPI document: generators of clients make names of types from
 * titles.
 */
export const fieldForms = z.registry<FieldForm>();

/** A JSON Schema (2020-12). */
export type FormSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON Schema of a new configuration, from which a client makes a form. It has no nulls: a member that is
 * not required may be left out. Fields that are read-only are not in it.
 * @param secretFields paths of the secrets, which a new configuration must have
 */
export function formSchemaOf(config: z.ZodType, secretFields: readonly string[]): FormSchema {
  return schemaAt('', config, secretFields);
}

function schemaAt(path: string, field: z.ZodType, secretFields: readonly string[]): FormSchema {
  const inner = innermost(field);
  const { title, exactlyOne } = fieldForms.get(field) ?? {};
  const { id: _id, ...shown } = { ...(title !== undefined && { title }), ...inner.meta(), ...field.meta() };
  if (!(inner instanceof z.ZodObject)) {
    // A format and a pattern would say the same.
    const { $schema: _dialect, format: _format, ...schema } = z.toJSONSchema(inner, { io: 'input' });
    const preset: unknown = field instanceof z.ZodDefault ? field.def.defaultValue : null;
    return {
      ...schema,
      ...shown,
      ...(preset !== null && { default: preset }),
      ...(secretFields.includes(path) && { writeOnly: true }),
    };
  }
  const members = Object.entries(inner.shape).flatMap(([name, member]) =>
    member instanceof z.ZodType && member.meta()?.readOnly !== true
      ? [{ name, member, path: path === '' ? name : `${path}.${name}` }]
      : [],
  );
  const required = members.filter((one) => one.member === innermost(one.member) || secretFields.includes(one.path));
  return {
    type: 'object',
    ...shown,
    properties: Object.fromEntries(members.map((one) => [one.name, schemaAt(one.path, one.member, secretFields)])),
    ...(exactlyOne ? { minProperties: 1, maxProperties: 1 } : { required: required.map(({ name }) => name) }),
    additionalProperties: false,
  };
}

/** Returns the schema without what makes it optional: null and a default. */
function innermost(schema: z.ZodType): z.ZodType {
  let inner: unknown = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault)
    inner = inner.unwrap();
  return inner instanceof z.ZodType ? inner : schema;
}
