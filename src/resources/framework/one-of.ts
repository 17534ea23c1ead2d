import type { z } from 'zod';

/** Refuses an object unless exactly one of these members is set; the others are absent or null. */
export function exactlyOne(names: readonly string[]) {
  return (value: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    const given = names.filter((name) => value[name] != null);
    if (given.length === 1) return;
    const found = given.length === 0 ? 'has none' : `has ${given.join(' and ')}`;
    context.addIssue({
      code: 'custom',
      message: `must have exactly one of ${names.join(', ')}; it ${found}`,
    });
  };
}

/** The same for the documentation: a union, each of whose forms has one of the members. */
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
