import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../../src/database/store.js';

/**
 * Waits until the attempts that the roll-up has proposed may be counted: the transactions that ran at the proposal have
 * ended. Other tests have transactions on the same server.
 * @throws Error after a minute
 */
export async function untilCountable(store: Store): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { rows } = await store.pool.query<{ countable: boolean }>(
      `select coalesce(next_xid < pg_snapshot_xmin(pg_current_snapshot()), true) as countable from attempt_rollup`,
    );
    if (rows[0]?.countable) return;
    if (Date.now() > deadline) throw new Error('After a minute, a transaction of another test still runs.');
    await sleep(20);
  }
}
