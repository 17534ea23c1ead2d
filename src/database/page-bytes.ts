import { sql, type Expression, type RawBuilder } from 'kysely';

/**
 * Bytes of items after which a page of a list ends, and of the rows that are read for it. The item that reaches them is
 * still a part of the page: so a page has at least one item, and its size is at most this and one item.
 */
export const PAGE_BYTES = 1_048_576;

/** What `withinBytes` adds to a row. */
export interface BoundedRow {
  /** Bytes of the rows up to this one. */
  readonly bytes: number;
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
          select bounded.*, (sum(${size}) over (order by ${order} rows unbounded preceding))::int as bytes
          from ${rows} bounded
        ) bounded where bytes - (${size}) < ${bytes}
      )`;
}

/**
 * Returns where a list stopped because of the bytes of its rows; null where it did not. Behind that row there may be no
 * other.
 */
export function stoppedAt(rows: readonly (BoundedRow & { readonly id: string })[], bytes: number): string | null {
  const last = rows.at(-1);
  return last !== undefined && last.bytes >= bytes ? last.id : null;
}
