import type { CompiledQuery } from 'kysely';
import type { Database } from './database.js';

/** A query that each connection parses and plans once. */
export interface PreparedQuery<Row> extends CompiledQuery<Row> {
  /** Its name on every connection. */
  readonly preparedAs: string;
}

/** Names by text: the same text is the same statement, and two texts never share a name. */
const names = new Map<string, string>();

function nameFor(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `waybill_${names.size + 1}`;
  names.set(text, name);
  return name;
}

/** Whatever Kysely makes a query of. */
export interface Statement<Row> {
  compile(db: Database): CompiledQuery<Row>;
}

/**
 * Runs a statement as a prepared one: each connection parses and plans it once. It is for the few statements of every request and every
 * batch, whose text is always the same (every other text stays on the connection as long as that lives), whose columns are named (a
 * plan that gives `*` fails once a migration has added a column), and of which every part finds its rows by an index
 * (docs/decisions/plans.md).
 */
export async function executePrepared<Row>(db: Database, statement: Statement<Row>): Promise<readonly Row[]> {
  const query = statement.compile(db);
  const prepared: PreparedQuery<Row> = { ...query, preparedAs: nameFor(query.sql) };
  const { rows } = await db.executeQuery<Row>(prepared);
  return rows;
}
