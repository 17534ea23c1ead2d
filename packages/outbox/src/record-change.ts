import { orFailTransaction } from './fail-transaction.js';
import { runQuery, type QueryRunner } from './query-runner.js';
import { quotedTable, triggerArgument, type TriggerOptions } from './triggers/trigger-sql.js';

/** A table, and how its rows become events: as `triggerSql` takes it. */
export interface RecordedTable extends TriggerOptions {
  /** The action of an update. Default: `updated`. Creations and deletions keep their names. */
  readonly action?: string;
}

/** The value that identifies a row; several values for several columns. */
export type RowId = RowIdPart | readonly RowIdPart[];
type RowIdPart = string | number | bigint;

/**
 * Runs `work`, which changes one row, and records the change in the transaction of `runner`: a creation, an update with
 * its `changes`, a deletion, or nothing if the row is the same. The object of the event is the row as the database has
 * it, before and after `work`: what `work` returns does not matter. The row is locked until the transaction ends. If
 * anything throws, the transaction cannot be committed.
 * @param id of the row, which is locked and read before `work`; or, for a new row, a function that returns the id from
 * the result of `work`. Not for an upsert or a save that may update a row, which would be recorded as created: pass the
 * id, or use a trigger
 * @returns the result of `work`
 * @throws the error of `work` or of the database
 */
export async function recordChange<Result>(
  runner: QueryRunner,
  table: RecordedTable,
  id: RowId | ((result: Result) => RowId),
  work: () => PromiseLike<Result>,
): Promise<Result> {
  return orFailTransaction(runner, async () => {
    const source = [quotedTable(table.table), JSON.stringify(rowOptions(table))];
    // The null of JSON: the row is new, and must be there afterwards.
    const before = typeof id === 'function' ? 'null' : await rowState(runner, [...source, idAsJson(id)]);
    const result = await work();
    const changed = idAsJson(typeof id === 'function' ? id(result) : id);
    await runQuery(
      runner,
      'select waybill_outbox.record_row_change($1::text::regclass, $2::text::jsonb, $3::text::jsonb, $4::text::jsonb)',
      [...source, changed, before],
    );
    return result;
  });
}

function rowOptions(table: RecordedTable): unknown {
  const { type, version = 0, action } = table;
  return {
    ...triggerArgument(table),
    ...(action !== undefined && { updated: `${type}_${action}.v${version}` }),
  };
}

/** Returns the row as text, which keeps its numbers exact; null if there is none. */
async function rowState(runner: QueryRunner, values: unknown[]): Promise<string | null> {
  const result = await runQuery(
    runner,
    'select waybill_outbox.lock_row($1::text::regclass, $2::text::jsonb, $3::text::jsonb)::text as state',
    values,
  );
  const [row] = rowsOf(result);
  if (row === undefined) throw new TypeError('The query runner returned no rows: it must return a list or { rows }.');
  return row.state;
}

function rowsOf(result: unknown): readonly { readonly state: string | null }[] {
  const rows: unknown = Array.isArray(result) ? result : Object(result).rows;
  // What the statement selects.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Array.isArray(rows) ? (rows as { state: string | null }[]) : [];
}

function idAsJson(id: RowId): string {
  return JSON.stringify(
    (isList(id) ? id : [id]).map((part: unknown) => {
      if (typeof part === 'string' || typeof part === 'number' || typeof part === 'bigint') return String(part);
      throw new TypeError(`${String(part)} cannot identify a row: pass text, a number or a list of them.`);
    }),
  );
}

function isList(id: RowId): id is readonly RowIdPart[] {
  return Array.isArray(id);
}
