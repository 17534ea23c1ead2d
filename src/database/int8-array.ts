/** Returns a `bigint[]` in Postgres's notation: the driver's own encoding quotes each element. */
export function int8Array(values: readonly number[]): string {
  return `{${values.join(',')}}`;
}
