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
 * - find all rows by an index (docs/decisions/database.md)
 */
export async function executePrepared<Row>(db: Database, statement: Statement<Row>): Promise<readonly Row[]> {
  const query = statement.compile(db);
  const prepared: PreparedQuery<Row> = { ...query, preparedAs: nameFor(query.sql) };
  const { rows } = await db.executeQuery<Row>(prepared);
  return rows;
}

/** Stands for a value that each execution of a `PreparedStatement` gives. */
class Placeholder {
  constructor(readonly index: number) {}
}

/** The value at this index of `PreparedStatement.execute`. */
export function placeholder<T = unknown>(index: number): RawBuilder<T> {
  return sql<T>`${new Placeholder(index)}`;
}

/**
 * The value at this index, which the planner does not know: it would plan each execution with an array anew
 * (docs/decisions/database.md).
 */
export function hidden(index: number, type: string): RawBuilder<unknown> {
  return sql`(select ${placeholder(index)}::${sql.raw(type)})`;
}

/** A compiled statement, in which each value has one parameter however often it occurs. */
interface CompiledTemplate<Row> {
  readonly query: PreparedQuery<Row>;
  /** For each parameter: the index of its placeholder, or its value. */
  readonly parameters: readonly unknown[];
}

/**
 * A statement that is also compiled once, with `placeholder`s for its values. To compile a long statement costs the
 * process as much CPU as to execute a short one.
 */
export class PreparedStatement<Row> {
  private template: CompiledTemplate<Row> | undefined;

  constructor(private readonly statement: Statement<Row>) {}

  /** Executes the statement as `executePrepared` does. */
  async execute(db: Database, values: readonly unknown[]): Promise<readonly Row[]> {
    this.template ??= templateOf(this.statement.compile(db));
    const { query, parameters } = this.template;
    const given = parameters.map((value) => (value instanceof Placeholder ? values[value.index] : value));
    const { rows } = await db.executeQuery<Row>({ ...query, parameters: given });
    return rows;
  }
}

/** Gives the occurrences of a placeholder one parameter: the driver sends each parameter, and the server reads it. */
function templateOf<Row>(compiled: CompiledQuery<Row>): CompiledTemplate<Row> {
  const parameters: unknown[] = [];
  const numbers = new Map<number, number>();
  const numberOf = (parameter: unknown): number => {
    const known = parameter instanceof Placeholder ? numbers.get(parameter.index) : undefined;
    if (known !== undefined) return known;
    const number = parameters.push(parameter);
    if (parameter instanceof Placeholder) numbers.set(parameter.index, number);
    return number;
  };
  const text = compiled.sql.replaceAll(
    /\$(\d+)/g,
    (_, number: string) => `$${numberOf(compiled.parameters[Number(number) - 1])}`,
  );
  return { query: { ...compiled, sql: text, preparedAs: nameFor(text) }, parameters };
}
