import type { z } from 'zod';

/** Returns a check that exactly one of these members is set; the others are absent or null. */
export function exactlyOne(names: readonly string[]) {
  return (value: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    const given = names.filter((name) => value[name] != null);
    if (given.length === 1) return;
    const found = given.length === 0 ? 'has none' : `has ${given.join(' and ')}`;
    context.addIssue({
      code: 'custom',
      message: `must have exactly one of ${names.join(', ')}, but ${found}`,
    });
  };
}

/** Returns the OpenAPI schema of the same rule: a union in which each form has one of the members. */
export function unionOf(names: readonly string[]) {
  return {
    oneOf: names.map((name) => ({
      title: name,
      type: 'object',
      required: [name],
      properties: { [name]: { type: 'object' } },
    })),
  };
}
