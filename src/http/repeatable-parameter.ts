import { z } from 'zod';

/**
 * Returns a query parameter that may be given several times, each time with a `value`.
 * @param most most values of one request
 */
export function repeatableParameter<Value extends string>(
  value: z.ZodType<Value>,
  most: number,
  { description, ...others }: { readonly description: string; readonly example?: readonly Value[] },
) {
  return z
    .preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(value).max(most))
    .optional()
    .meta({ description: `${description} May be repeated, at most ${most} times.`, ...others });
}
