import { sql, type RawBuilder } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database } from '../../database/database.js';
import { defaultPartitionName } from '../../database/partitions/day-partitions.js';
import { markRemoved } from '../../database/partitions/retention-marks.js';
import type { TurnControl } from '../../maintenance/maintenance.js';
import { pauseAsLongAs } from '../../maintenance/pause-as-long-as.js';

/** Blocks of the table that one statement visits: about 3,000 rows. */
const CHUNK_BLOCKS = 64;

/** Blocks of a table: the first, and the one behind the last. */
export interface BlockRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The finished deliveries outside of the days: rows of the default partition, which are removed row by row. Each
 * statement visits the next blocks of the table, so none reads again what an earlier one has removed: until a vacuum,
 * the removed rows are still there.
 */
export class RowsOutsideDays {
  private readonly name: string;
  private readonly table: RawBuilder<unknown>;

  /**
   * @param table name of the partitioned table
   * @param retentionMs how long finished deliveries are kept, in milliseconds
   * @param chunkBlocks blocks of one statement
   */
  constructor(
    private readonly db: Database,
    table: string,
    private readonly retentionMs: number,
    private readonly chunkBlocks: number = CHUNK_BLOCKS,
  ) {
    this.name = defaultPartitionName(table);
    this.table = sql.id(this.name);
  }

  /** Removes what is due, and returns how many rows that were. Ends early, without an error, when `stopped` aborts. */
  async prune({ stopped, progressed }: TurnControl): Promise<number> {
    if (!(await this.areDue())) return 0;
    let removed = 0;
    for (const chunk of await this.chunks()) {
      if (stopped.aborted) break;
      const begun = performance.now();
      const { rows } = await this.removal(chunk).execute(this.db);
      removed += rows[0]?.count ?? 0;
      progressed();
      await pauseAsLongAs(begun, stopped);
    }
    return removed;
  }

  /** Returns the blocks of each statement. Rows that are added later are not due. */
  async chunks(): Promise<readonly BlockRange[]> {
    const { rows } = await sql<{ blocks: number }>`
      select (pg_relation_size(${this.name}::regclass) / current_setting('block_size')::int)::int as blocks`.execute(
      this.db,
    );
    const blocks = rows[0]?.blocks ?? 0;
    const count = Math.ceil(blocks / this.chunkBlocks);
    return Array.from({ length: count }, (_, index) => ({
      from: index * this.chunkBlocks,
      to: (index + 1) * this.chunkBlocks,
    }));
  }

  /** Returns the statement that removes what is due of some blocks, and returns how many rows that were. */
  removal({ from, to }: BlockRange): RawBuilder<{ count: number }> {
    // As an expression, the time serves no index: a plan by the index of times would read all blocks with rows that
    // were due, in each statement.
    return sql<{ count: number }>`
      with removed as (
        delete from ${this.table}
        where ctid >= ${`(${from},0)`}::tid and ctid < ${`(${to},0)`}::tid
          and finished_at + interval '0' <= ${fromNow(-this.retentionMs)}
        returning created_at
      ),
      marked as (${markRemoved('deliveries', 'removed', 'created_at')})
      select count(*)::int as count from removed`;
  }

  private async areDue(): Promise<boolean> {
    const { rows } = await sql`
      select from ${this.table} where finished_at <= ${fromNow(-this.retentionMs)} limit 1`.execute(this.db);
    return rows.length > 0;
  }
}
