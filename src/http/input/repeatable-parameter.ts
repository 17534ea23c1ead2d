import { z } from 'zod';

/** Most values of a repeatable parameter, where a list has no limit of its own. */
export const MAX_VALUES = 100;

/**
 * Returns a query parameter that may be given several times, each time with a `value`. As a member of a body it is a
 * list.
 * @param most most values of one request
 */
export function repeatableParameter<Value extends string>(
  value: z.ZodType<Value>,
  most: number,
  { description, ...others }: { readonly description: string; readonly example?: readonly Value[] },
) {
  return z
    .preprocess(
      (given) => (typeof given === 'string' ? [given] : given),
      // No value would mean any value.
      z.array(value).max(most).min(1, 'must not be empty'),
    )
    .optional()
    .meta({ description: `${description} May be repeated, at most ${most} times.`, ...others });
}
