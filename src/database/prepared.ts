import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import { prepareText } from './connections/prepared-names.js';
import type { Database } from './database.js';

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
 *
 * A statement with the same text that runs elsewhere is prepared as well.
 */
export async function executePrepared<Row>(db: Database, statement: Statement<Row>): Promise<readonly Row[]> {
  const query = statement.compile(db);
  prepareText(query.sql);
  const { rows } = await db.executeQuery<Row>(query);
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
  readonly query: CompiledQuery<Row>;
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
  prepareText(text);
  return { query: { ...compiled, sql: text }, parameters };
}
