import { sql } from 'kysely';
import { readDatabaseTime, fromNow } from '../../database/database-time.js';
import type { Database, Transaction } from '../../database/database.js';
import {
  addDays,
  DayPartitions,
  daysBetween,
  type DayPartition,
  type DayPartitionedTable,
} from '../../database/partitions/day-partitions.js';
import { markRetention } from '../../database/partitions/retention-marks.js';
import { tokenOf } from '../../lifecycle/provide.js';
import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { pruneOutsideDays } from './rows-outside-days.js';

/** Days ahead that have a partition: a worker may be away for so long. */
const DAYS_AHEAD = 3;

/** The table of finished deliveries. */
export const finishedTable: DayPartitionedTable = { name: 'finished_deliveries', key: 'event_id', prefix: 'evt' };

/**
 * Returns a destination with a number that was recorded this long ago, in milliseconds, and is not in its log; null
 * when there is none.
 */
export type FindUnlogged = (ms: number) => Promise<string | null>;
/** The injection token of `FindUnlogged`. */
export const FIND_UNLOGGED = tokenOf<FindUnlogged>('FindUnlogged');

/** What a turn has changed. */
export interface FinishedDaysTurn {
  /** Days that were dropped. */
  readonly dropped: number;
  /** Days that are due and were not free to be dropped. The next turn tries again. */
  readonly busy: number;
  /** Rows that were removed one by one: those outside of the days. */
  readonly removed: number;
}

/**
 * The days of finished deliveries: creates the next ones, and drops those whose deliveries have all finished longer ago
 * than the retention. None is dropped while a log lacks a delivery that is as old (docs/decisions/proof.md).
 */
export class FinishedDays implements MaintenanceTask {
  readonly name = 'finished_days';
  readonly intervalMs = 600_000;
  private readonly partitions: DayPartitions;

  /** @param retentionMs how long finished deliveries are kept, in milliseconds */
  constructor(
    private readonly db: Database,
    private readonly retentionMs: number,
    private readonly logger: Logger,
    private readonly findUnlogged: FindUnlogged,
  ) {
    this.partitions = new DayPartitions(db, finishedTable);
  }

  /** Runs one turn. Ends early, without an error, when `stopped` aborts; the next turn continues. */
  async run(control: TurnControl): Promise<FinishedDaysTurn> {
    // What is due must not depend on the clock of the process.
    const now = await readDatabaseTime(this.db);
    await this.create(now);
    const unlogged = await this.findUnlogged(this.retentionMs);
    if (unlogged !== null) {
      this.logger.warn(
        { destination: unlogged },
        'finished deliveries are kept although they are due: the log of a destination lacks some that are as old',
      );
      return { dropped: 0, busy: 0, removed: 0 };
    }
    const days = { dropped: 0, busy: 0 };
    for (const partition of await this.partitions.list()) {
      if (control.stopped.aborted || partition.end.getTime() + this.retentionMs > now.getTime()) break;
      const result = await this.dropIfDue(partition);
      if (result !== 'kept') days[result] += 1;
      control.progressed();
    }
    const turn = { ...days, removed: await pruneOutsideDays(this.db, this.retentionMs, control) };
    if (turn.dropped + turn.busy + turn.removed > 0) this.logger.info(turn, 'removed finished deliveries');
    return turn;
  }

  /** Creates the days from yesterday on that are missing. */
  async create(now: Date): Promise<void> {
    const missing = await this.partitions.ensure(daysBetween(addDays(now, -1), addDays(now, DAYS_AHEAD)));
    if (missing.length > 0) {
      this.logger.warn({ days: missing }, 'a partition of finished deliveries could not be created');
    }
  }

  private async dropIfDue(partition: DayPartition): Promise<'dropped' | 'busy' | 'kept'> {
    // Without locks first: a summary of the newest rows may be missing, and reading them takes longer then.
    if (!(await this.isDue(this.db, partition))) return 'kept';
    return this.partitions.drop(partition, async (trx) => {
      if (!(await this.isDue(trx, partition))) return false;
      await markRetention(trx, 'deliveries', this.retentionMs);
      return true;
    });
  }

  /** Whether nothing in a partition finished within the retention, such as a redelivery. */
  private async isDue(db: Database | Transaction, { name }: DayPartition): Promise<boolean> {
    const { rows } = await sql`
      select from ${sql.id(name)} where finished_at > ${fromNow(-this.retentionMs)} limit 1`.execute(db);
    return rows.length === 0;
  }
}
