import { sql, type Expression, type RawBuilder } from 'kysely';

/**
 * Bytes of items after which a page of a list ends, and of the rows that are read for it. The item that reaches them is
 * still a part of the page: so a page has at least one item, and its size is at most this and one item.
 */
export const PAGE_BYTES = 1_048_576;

/** What `withinBytes` adds to a row. */
export interface BoundedRow {
  /** Whether the query has rows behind this one. */
  readonly more: boolean;
  /** Bytes of the rows before this one. */
  readonly bytesBefore: number;
}

/** How `withinBytes` measures and orders rows. */
export interface RowSizes {
  /** The bytes of a row `bounded`, without reading what is stored apart from it. */
  readonly size: RawBuilder<unknown>;
  /** The order of the rows `bounded`. */
  readonly order: RawBuilder<unknown>;
  /** At most these bytes before the last row. */
  readonly bytes: number;
}

/**
 * Selects the first rows of a query, up to the one that reaches a number of bytes, with the members of `BoundedRow`.
 * The query needs a limit, since all of its rows are measured. The result needs a name, and has no order of its own.
 */
export function withinBytes<Row>(
  rows: RawBuilder<Row> | Expression<Row>,
  { size, order, bytes }: RowSizes,
): RawBuilder<Row & BoundedRow> {
  return sql`(
        select * from (
          select bounded.*, lead(true, 1, false) over (order by ${order}) as more,
            coalesce(sum(${size}) over (order by ${order} rows between unbounded preceding and 1 preceding), 0)::float8
              as "bytesBefore"
          from ${rows} bounded
        ) measured where "bytesBefore" < ${bytes}
      )`;
}

/** Returns where a list stopped before its end because of the bytes of its rows; null where it did not. */
export function stoppedAt(rows: readonly (Pick<BoundedRow, 'more'> & { readonly id: string })[]): string | null {
  const last = rows.at(-1);
  return last?.more ? last.id : null;
}
