import { sql, type RawBuilder } from 'kysely';

/**
 * The start of the statement, by the database's clock, in whole milliseconds: JavaScript's dates have no more, and a
 * cursor that is rounded would skip rows.
 */
export const databaseTime: RawBuilder<Date> = sql<Date>`date_trunc('milliseconds', statement_timestamp())`;

/**
 * A point in time from now, by the clock of the database, which all processes share.
 * @param ms how far from now, in milliseconds, or its placeholder
 */
export function fromNow(ms: number | RawBuilder<unknown>): RawBuilder<Date> {
  return sql<Date>`now() + ${ms}::float8 * interval '1 millisecond'`;
}
