import { z } from 'zod';
import { isBound, isBoundedJson, isBoundedMap } from './bounded.js';

/**
 * Returns the paths of the fields of an input schema whose size is not bounded before other checks run: strings that
 * were not made by `boundedString` or `boundedBytes`, lists without a leading `max`, maps that were not made by
 * `boundedMap` or `boundedJson`, objects that accept unknown fields, and schemas of any value.
 */
export function unboundedFields(schema: z.core.$ZodType, path = ''): readonly string[] {
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) {
    // A format such as `z.iso.datetime()` is its own first check.
    const first = schema instanceof z.ZodStringFormat ? undefined : schema.def.checks?.[0];
    return isBound(first) ? [] : [path];
  }
  if (schema instanceof z.ZodObject) {
    const { catchall } = schema.def;
    const unknown = catchall === undefined || catchall instanceof z.ZodNever ? [] : [`${path}/*`];
    const fields = Object.entries<z.core.$ZodType>(schema.shape);
    return [...unknown, ...fields.flatMap(([name, field]) => unboundedFields(field, `${path}/${name}`))];
  }
  if (schema instanceof z.ZodArray) {
    return [...(hasLeadingMax(schema) ? [] : [path]), ...unboundedFields(schema.def.element, `${path}/0`)];
  }
  if (isBoundedJson(schema)) return [];
  if (schema instanceof z.ZodRecord) {
    const { keyType, valueType } = schema.def;
    const entries = [...unboundedFields(keyType, `${path}/~name`), ...unboundedFields(valueType, `${path}/~value`)];
    return [...(isBoundedMap(schema) ? [] : [path]), ...entries];
  }
  if (schema instanceof z.ZodPipe) {
    // After `in`, the value is bounded. A transform as `in` (`z.preprocess`) bounds nothing.
    return unboundedFields(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in, path);
  }
  if (schema instanceof z.ZodUnion) {
    return schema.def.options.flatMap((option) => unboundedFields(option, path));
  }
  const inner = innerOf(schema);
  if (inner) return unboundedFields(inner, path);
  return isSmall(schema) ? [] : [path];
}

/** Whether zod refuses a list that is too long before it reads the items. */
function hasLeadingMax({ def }: z.ZodArray): boolean {
  for (const check of def.checks ?? []) {
    if (check._zod.def.check === 'max_length') return true;
    if (check._zod.def.check !== 'min_length') return false;
  }
  return false;
}

function innerOf(schema: z.core.$ZodType): z.core.$ZodType | null {
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodCatch;
  return wraps ? schema.def.innerType : null;
}

/** Whether every check of the type takes the same time for every value. */
function isSmall(schema: z.core.$ZodType): boolean {
  return (
    schema instanceof z.ZodNumber ||
    schema instanceof z.ZodBoolean ||
    schema instanceof z.ZodEnum ||
    schema instanceof z.ZodLiteral ||
    schema instanceof z.ZodNull ||
    schema instanceof z.ZodUndefined ||
    schema instanceof z.ZodNever
  );
}

const bounded = new WeakSet<z.core.$ZodType>();

/** Checks an input schema, once. @throws TypeError that names the fields whose size is not bounded */
export function assertBounded(schema: z.core.$ZodType): void {
  if (bounded.has(schema)) return;
  const fields = unboundedFields(schema);
  if (fields.length > 0)
    throw new TypeError(`The size of these input fields is not bounded (src/bounds/bounded.ts): ${fields.join(', ')}.`);
  bounded.add(schema);
}
