import { sql, type RawBuilder } from 'kysely';

/** A column of `askedLanes`: its name, the Postgres type of its array, and a value for each lane. */
export interface AskedColumn {
  readonly name: string;
  readonly type: 'text[]' | 'int[]' | 'bigint[]' | 'timestamptz[]';
  readonly values: readonly unknown[];
}

/**
 * The part `asked` of a statement over several lanes: one row for each. The planner cannot count them: it expects one
 * row, whether it knows the arrays or not, because of the subqueries and of the limit. So each table is read by index,
 * and the plan is kept (docs/decisions/plans.md).
 */
export function askedLanes(columns: readonly AskedColumn[]): RawBuilder<unknown> {
  const arrays = columns.map(({ values, type }) => sql`(select ${values}::${sql.raw(type)})`);
  const names = columns.map(({ name }) => sql.ref(name));
  const [first] = columns;
  return sql`
      asked as materialized (
        select * from unnest(${sql.join(arrays)}) as asked (${sql.join(names)})
        limit (select ${first?.values.length ?? 0}::int)
      )`;
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
