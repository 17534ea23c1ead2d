import { z } from 'zod';
import type { ListFilter } from './definition.js';

/** Most values of one filter. */
const MAX_VALUES = 100;

/** The values that a list is limited to, by filter. A resource must have one of the values of each filter. */
export type Filtering = ReadonlyMap<ListFilter, readonly string[]>;

/** Returns the query parameters of the filters of a list. Each parameter may be repeated. */
export function filterParameters(filters: readonly ListFilter[]): Record<string, z.ZodOptional<z.ZodType<string[]>>> {
  return Object.fromEntries(filters.map(({ name, value, description }) => [name, repeatable(value, description)]));
}

/** Returns a query parameter that may be given several times, each time with a `value`. */
export function repeatable<Value extends string>(value: z.ZodType<Value>, description: string) {
  return z
    .preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(value).max(MAX_VALUES))
    .optional()
    .meta({ description: `${description} May be repeated, at most ${MAX_VALUES} times.` });
}

/** Returns the filters that a query has. */
export function filteringOf(filters: readonly ListFilter[], query: Readonly<Record<string, unknown>>): Filtering {
  const given = filters.flatMap((filter) => {
    const values = query[filter.name];
    return Array.isArray(values) ? [[filter, values.map(String)] as const] : [];
  });
  return new Map(given);
}
