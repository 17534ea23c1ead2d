import { sql, type RawBuilder } from 'kysely';

/** A point in time so many milliseconds from now, by the database’s clock, which all processes share. */
export function fromNow(ms: number): RawBuilder<Date> {
  return sql<Date>`now() + ${ms}::float8 * interval '1 millisecond'`;
}
