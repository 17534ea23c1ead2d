import { sql, type RawBuilder } from 'kysely';

/** A point in time so many milliseconds from now, on the database's clock: the only clock that lanes know. */
export function fromNow(ms: number): RawBuilder<Date> {
  return sql<Date>`now() + ${ms}::float8 * interval '1 millisecond'`;
}
