/**
 * Anything that runs a parameterised query: an object with `query(text, values)`, such as a client of node-postgres or
 * a query runner of TypeORM, or a function with the same parameters. Parameters are `$1`, `$2`, …
 */
export type QueryRunner =
  | { query(text: string, values: unknown[]): Promise<unknown> }
  | ((text: string, values: unknown[]) => PromiseLike<unknown>);

/** Runs one query, and returns its result in the form of the library. */
export async function runQuery(runner: QueryRunner, text: string, values: unknown[]): Promise<unknown> {
  return typeof runner === 'function' ? runner(text, values) : runner.query(text, values);
}
