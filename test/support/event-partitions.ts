import { DayPartitions } from '../../src/database/partitions/day-partitions.js';
import { eventTable } from '../../src/database/partitions/event-partitions.js';
import type { Store } from '../../src/database/store.js';

/** Drops the empty partitions of events. Events are then in the default partition, whatever their ids. */
export async function dropEventPartitions(store: Store): Promise<void> {
  for (const { name } of await new DayPartitions(store.db, eventTable).list())
    await store.pool.query(`drop table ${name}`);
}
