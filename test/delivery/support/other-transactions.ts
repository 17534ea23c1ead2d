import type { Store } from '../../../src/database/store.js';
import { RollupStore } from '../../../src/delivery/rollups/rollup-store.js';
import { until } from '../../../tools/harness/until.js';

/**
 * Waits until the transactions that ran at a proposal have ended: those of other tests count, since they share the
 * server.
 * @param haveEnded a query with one row and one column, which says whether they have ended
 */
export async function untilOthersEnded(
  store: Store,
  haveEnded: string,
  values: readonly unknown[] = [],
  withinMs?: number,
): Promise<void> {
  await until(
    async () => {
      const { rows } = await store.pool.query<unknown[]>({ text: haveEnded, values: [...values], rowMode: 'array' });
      return rows[0]?.[0] === true;
    },
    'the transactions of other tests have ended',
    withinMs,
  );
}

/** Proposes to roll up the recorded attempts, and waits until they may be counted. */
export async function untilCountable(store: Store): Promise<void> {
  await new RollupStore(store.db).propose();
  await untilOthersEnded(
    store,
    'select coalesce(next_xid < pg_snapshot_xmin(pg_current_snapshot()), true) from attempt_rollup',
  );
}
