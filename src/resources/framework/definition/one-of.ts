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
