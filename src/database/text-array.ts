/**
 * Returns a `text[]` in Postgres's notation, for a text parameter that the statement casts: arrays of arrays of
 * different lengths have no other notation.
 */
export function textArray(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
