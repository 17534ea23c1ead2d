import { z } from 'zod';

/** Returns the schema without what makes it optional: null and a default. Its description is kept. */
export function requiredOf(schema: z.ZodType): z.ZodType {
  let inner: unknown = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault)
    inner = inner.unwrap();
  if (!(inner instanceof z.ZodType)) throw new TypeError('A field of a request is not a zod schema.');
  return inner.meta({ ...schema.meta() });
}

/**
 * Returns the schema with another schema at a dotted path. Objects on the way may be optional, nullable, or have a
 * default. An empty path leads to the schema itself, without these.
 * @param change returns the other schema for the present one
 */
export function withSchemaAt(schema: z.ZodType, path: string, change: (field: z.ZodType) => z.ZodType): z.ZodType {
  const [name = '', ...rest] = path.split('.');
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    const inner: unknown = schema.unwrap();
    if (!(inner instanceof z.ZodType)) return schema;
    const changed = withSchemaAt(inner, path, change);
    return wrappedAs(schema, changed).meta({ ...schema.meta() });
  }
  if (path === '') return change(schema);
  const field: unknown = schema instanceof z.ZodObject ? schema.shape[name] : undefined;
  if (!(schema instanceof z.ZodObject) || !(field instanceof z.ZodType)) return schema;
  const changed = rest.length === 0 ? change(field) : withSchemaAt(field, rest.join('.'), change);
  return schema.safeExtend({ [name]: changed }).meta({ ...schema.meta() });
}

function wrappedAs(wrapper: z.ZodOptional | z.ZodNullable | z.ZodDefault, inner: z.ZodType): z.ZodType {
  if (wrapper instanceof z.ZodDefault) return inner.default(wrapper.def.defaultValue);
  return wrapper instanceof z.ZodOptional ? inner.optional() : inner.nullable();
}
