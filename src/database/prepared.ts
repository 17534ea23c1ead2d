import type { CompiledQuery } from 'kysely';
import type { Database } from './database.js';

/** A query that each connection parses and plans once. */
export interface PreparedQuery<Row> extends CompiledQuery<Row> {
  /** Name of the prepared statement on every connection. */
  readonly preparedAs: string;
}

/** Statement names by SQL text. */
const names = new Map<string, string>();

function nameFor(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `waybill_${names.size + 1}`;
  names.set(text, name);
  return name;
}

/** A Kysely query that can be compiled. */
export interface Statement<Row> {
  compile(db: Database): CompiledQuery<Row>;
}

/**
 * Runs a statement as a prepared one: each connection parses and plans it once. For the few statements of every request
 * and batch. Such a statement must:
 *
 * - have the same text each time: each text stays on a connection until that closes
 * - name its columns: a plan with `*` fails after a migration that adds a column
 * - find all rows by an index (docs/decisions/plans.md)
 */
export async function executePrepared<Row>(db: Database, statement: Statement<Row>): Promise<readonly Row[]> {
  const query = statement.compile(db);
  const prepared: PreparedQuery<Row> = { ...query, preparedAs: nameFor(query.sql) };
  const { rows } = await db.executeQuery<Row>(prepared);
  return rows;
}
