import { runQuery, type QueryRunner } from './query-runner.js';

const FAILING_STATEMENT = `do $$ begin raise exception using
  message = 'This transaction must not be committed: a change in it has no event.',
  hint = 'The error that the application received says why.'; end $$`;

/**
 * Runs `work`. If it fails, a statement that fails too is sent: Postgres then commits nothing of the transaction, also
 * if the error is caught and the library commits. A rollback to an earlier savepoint undoes both the change and this.
 * @throws the error of `work`
 */
export async function orFailTransaction<Result>(
  runner: QueryRunner,
  work: () => PromiseLike<Result> | Result,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // Its error is expected; without a connection, nothing can be committed.
    await runQuery(runner, FAILING_STATEMENT, []).catch(() => undefined);
    throw error;
  }
}

/**
 * Fails where a statement of the transaction has failed and its error was caught. Postgres answers a commit then with a
 * rollback, which most libraries do not report.
 * @throws Error
 */
export async function assertCommittable(runner: QueryRunner): Promise<void> {
  try {
    await runQuery(runner, 'select 1', []);
  } catch (error) {
    throw new Error(ROLLED_BACK, { cause: error });
  }
}

/** Message of the error for a commit that Postgres refuses. */
export const ROLLED_BACK = 'The transaction was rolled back, because a statement of it failed.';
