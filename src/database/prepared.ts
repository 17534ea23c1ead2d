import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
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
  return executeCompiled(db, statement.compile(db));
}

async function executeCompiled<Row>(db: Database, query: CompiledQuery<Row>): Promise<readonly Row[]> {
  const prepared: PreparedQuery<Row> = { ...query, preparedAs: nameFor(query.sql) };
  const { rows } = await db.executeQuery<Row>(prepared);
  return rows;
}

/** Stands for a value that each execution of a `PreparedStatement` gives. */
class Placeholder {
  constructor(readonly index: number) {}
}

/** The value at this index of `PreparedStatement.execute`. */
export function placeholder(index: number): RawBuilder<unknown> {
  return sql`${new Placeholder(index)}`;
}

/**
 * A statement that is also compiled once, with `placeholder`s for its values. To compile a long statement costs the
 * process as much CPU as to execute a short one.
 */
export class PreparedStatement<Row> {
  private compiled: CompiledQuery<Row> | undefined;

  constructor(private readonly statement: Statement<Row>) {}

  /** Executes the statement as `executePrepared` does. */
  async execute(db: Database, values: readonly unknown[]): Promise<readonly Row[]> {
    this.compiled ??= this.statement.compile(db);
    const parameters = this.compiled.parameters.map((value) =>
      value instanceof Placeholder ? values[value.index] : value,
    );
    return executeCompiled(db, { ...this.compiled, parameters });
  }
}
