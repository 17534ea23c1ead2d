/**
 * Anything that runs a parameterised query: an object with `query(text, values)`, such as a client of node-postgres or
 * a query runner of TypeORM, or a function with the same parameters. Parameters are `$1`, `$2`, …
 */
export type QueryRunner =
  | { query(text: string, values: unknown[]): Promise<unknown> }
  | ((text: string, values: unknown[]) => Promise<unknown>);

/** Runs one query. */
export async function runQuery(runner: QueryRunner, text: string, values: unknown[]): Promise<void> {
  await (typeof runner === 'function' ? runner(text, values) : runner.query(text, values));
}
