import { sql, type RawBuilder } from 'kysely';
import { placeholder } from '../../database/prepared.js';

/**
 * What a statement does about a lane that another transaction has locked: `skips` leaves the lane, so that a statement
 * over several lanes waits for none; `waits` is for one lane.
 */
export type LockMode = 'skips' | 'waits';

/** The end of the query that locks a lane. */
export function lockedLane(mode: LockMode): RawBuilder<unknown> {
  return mode === 'skips' ? sql`for update skip locked` : sql`for update`;
}

/** The number of lanes of a statement with `askedLanes`. */
export const askedCount = sql<number>`${placeholder(0)}::int`;

/** The columns of `askedLanes`: the Postgres type of each one's array, by name. */
export type AskedColumns = Readonly<Record<string, 'text[]' | 'int[]' | 'bigint[]' | 'float8[]' | 'timestamptz[]'>>;

/**
 * The part `asked` of a prepared statement over several lanes, with one row for each. Its values are the number of the
 * lanes and the array of each column. The planner cannot count the rows: it expects one, whether it knows the arrays or
 * not, because of the subqueries and of the limit. So each table is read by index, and the plan is kept
 * (docs/decisions/database.md).
 */
export function askedLanes(columns: AskedColumns): RawBuilder<unknown> {
  const arrays = Object.values(columns).map((type, index) => sql`(select ${placeholder(index + 1)}::${sql.raw(type)})`);
  const names = Object.keys(columns).map((name) => sql.ref(name));
  return sql`
      asked as materialized (
        select * from unnest(${sql.join(arrays)}) as asked (${sql.join(names)})
        limit (select ${askedCount})
      )`;
}

/**
 * Whether the updated lane `l` is one of `part`, a part of the statement: beside a join with it. The planner may then
 * compare rows of these lanes only. With the join alone it reads all lanes by a plan that was made while there were
 * few.
 */
export function isLaneOf(part: string): RawBuilder<boolean> {
  return sql<boolean>`l.destination_id = any(array(select destination_id from ${sql.ref(part)}))`;
}

/** Returns rows by the lane that they belong to, in order. */
export function rowsBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
