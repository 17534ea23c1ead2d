import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';

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

/**
 * A time, later by as much of some ranges of time as comes after it.
 * @param ranges a `tstzmultirange`; null: none, which costs nothing
 */
export function laterByRanges(time: RawBuilder<unknown>, ranges: RawBuilder<unknown>): RawBuilder<Date> {
  return sql<Date>`(${time} + case when ${ranges} is null then interval '0' else coalesce((
            select sum(upper(part) - greatest(lower(part), ${time})) from unnest(${ranges}) as part
            where upper(part) > ${time}), interval '0') end)`;
}

/**
 * Returns the time of the database's clock, for what must not depend on the clock of a process.
 * @param time a time to return instead
 */
export async function readDatabaseTime(db: QueryExecutorProvider, time = sql<Date>`now()`): Promise<Date> {
  const { rows } = await sql<{ time: Date }>`select ${time} as time`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The database returned no time.');
  return row.time;
}
