import type { Pool, PoolClient } from 'pg';
import { giveBack, takeOut } from './checked-out.js';
import { setContext, type EventContext } from './context.js';
import { ROLLED_BACK } from './fail-transaction.js';

/**
 * Runs `work` in a transaction on a connection of a pool of node-postgres, and commits. Rolls back if `work` throws.
 * @param context who makes the changes, for triggers and for events without `principal` or `request`
 * @throws the error of `work` or of the database; also if a statement has failed and `work` has caught its error
 */
export async function transaction<Result>(
  pool: Pool,
  context: EventContext,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await takeOut(pool);
  let broken = false;
  try {
    await client.query('begin');
    if (context.principal ?? context.request) await setContext(client, context);
    const result = await work(client);
    const { command } = await client.query('commit');
    // The answer where a statement has failed, and its error was caught.
    if (command !== 'COMMIT') throw new Error(ROLLED_BACK);
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    giveBack(client, broken);
  }
}
