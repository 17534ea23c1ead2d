import { sql } from 'kysely';
import { idBound } from '../../ids/id-time.js';
import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask } from '../../maintenance/maintenance.js';
import { readDatabaseTime } from '../database-time.js';
import type { Database } from '../database.js';
import { addDays, DayPartitions, type DayPartition, type DayPartitionedTable } from './day-partitions.js';
import { markRetention } from './retention-marks.js';

const DAY_MS = 86_400_000;

/** The events, partitioned by their ids (docs/decisions/retention.md). */
export const eventTable: DayPartitionedTable = {
  name: 'events',
  key: 'id',
  prefix: 'evt',
  // In rows, whatever the size of a partition (docs/decisions/order.md).
  storage: `autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000`,
};

/** Partitions in one retention: each statement on events locks and plans all partitions, so they must be few. */
const PARTITIONS_OF_RETENTION = 12;

/** How long no process may be able to create partitions before new events go to the default partition. */
const DAYS_AHEAD = 7;

/** Returns the number of days of a new partition. */
export function daysOfPartition(retentionMs: number): number {
  return Math.max(1, Math.ceil(retentionMs / DAY_MS / PARTITIONS_OF_RETENTION));
}

/** The partitions of events. */
export class EventPartitions implements MaintenanceTask {
  readonly name = 'partitions';
  readonly intervalMs = 3_600_000;
  private readonly partitions: DayPartitions;

  /** @param retentionMs how long events are kept, in milliseconds */
  constructor(
    private readonly db: Database,
    private readonly retentionMs: number,
    private readonly logger: Logger,
  ) {
    this.partitions = new DayPartitions(db, eventTable);
  }

  /** Creates the partitions of the next days, and drops those that are too old. */
  async run(): Promise<void> {
    await this.ensure();
    await this.dropOld();
  }

  /**
   * Creates the partitions of the next days. An event whose partition is missing is written to the default partition,
   * so this never throws.
   */
  async ensure(): Promise<void> {
    try {
      const { partitions, retentionMs } = this;
      const now = await readDatabaseTime(this.db);
      // From yesterday: the clock of a process may be a little behind.
      const missing = await partitions.extend(addDays(now, -1), addDays(now, DAYS_AHEAD), daysOfPartition(retentionMs));
      if (missing.length > 0) this.logger.warn({ from: missing }, 'a partition of events could not be created');
    } catch (error) {
      this.logger.warn({ err: error }, 'a partition of events could not be created');
    }
  }

  /**
   * Drops the partitions whose last event is older than the retention and to which nothing refers. A partition whose
   * locks are not free is dropped by a later call.
   * @returns the names of the dropped partitions, which are also logged
   */
  async dropOld(): Promise<readonly string[]> {
    const dropped: string[] = [];
    // A process whose clock is ahead must not drop events.
    const last = new Date((await readDatabaseTime(this.db)).getTime() - this.retentionMs);
    for (const partition of await this.partitions.list()) {
      if (partition.end > last) break;
      // Outside of the lock first: a partition that must stay costs no lock.
      if (await isReferenced(this.db, partition)) continue;
      const result = await this.partitions.drop(partition, async (trx) => {
        if (await isReferenced(trx, partition)) return false;
        await markRetention(trx, 'events', this.retentionMs);
        return true;
      });
      // The lock is that of all partitions.
      if (result === 'busy') break;
      if (result === 'dropped') dropped.push(partition.name);
    }
    if (dropped.length > 0) this.logger.info({ partitions: dropped }, 'dropped partitions of events');
    return dropped;
  }
}

/** Whether a delivery or a waiting fan-out refers to an event of the partition: one search in an index of each. */
async function isReferenced(db: Database, { day, end }: DayPartition): Promise<boolean> {
  const inPartition = sql`event_id >= ${idBound(eventTable.prefix, day)} and event_id < ${idBound(eventTable.prefix, end)}`;
  const { rows } = await sql<{ referenced: boolean }>`
    select exists (select from deliveries where ${inPartition})
        or exists (select from finished_deliveries where ${inPartition})
        or exists (select from fan_out_parts where ${inPartition})
      as referenced`.execute(db);
  return rows[0]?.referenced ?? true;
}
