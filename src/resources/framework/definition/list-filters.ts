import type { z } from 'zod';
import { repeatableParameter } from '../../../http/input/repeatable-parameter.js';
import type { ListFilter } from './definition.js';

/** Most values of one filter. */
export const MAX_VALUES = 100;

/** The values that a list is limited to, by filter. A resource must have one of the values of each filter. */
export type Filtering = ReadonlyMap<ListFilter, readonly string[]>;

/** Returns the query parameters of the filters of a list. Each parameter may be repeated. */
export function filterParameters(filters: readonly ListFilter[]): Record<string, z.ZodOptional<z.ZodType<string[]>>> {
  return Object.fromEntries(
    filters.map(({ name, value, description }) => [name, repeatableParameter(value, MAX_VALUES, { description })]),
  );
}

/** Returns the filters that a query has. */
export function filteringOf(filters: readonly ListFilter[], query: Readonly<Record<string, unknown>>): Filtering {
  const given = filters.flatMap((filter) => {
    const values = query[filter.name];
    return Array.isArray(values) ? [[filter, values.map(String)] as const] : [];
  });
  return new Map(given);
}
