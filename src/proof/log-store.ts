import {
  EMPTY_ROOT,
  HASH_BYTES,
  rangeHash,
  TILE_WIDTH,
  type LeafRange,
  type Tile,
  type TileAddress,
} from '@waybill/verify';
import { sql, type RawBuilder } from 'kysely';
import { fromNow } from '../database/database-time.js';
import type { Database, Transaction } from '../database/database.js';
import { int8Array } from '../database/int8-array.js';
import { executePrepared } from '../database/prepared.js';
import { admittedEpoch } from '../delivery/lanes/epoch.js';
import { checkpointEvent } from '../events/catalogue/checkpoint-event.js';
import { epochStartedEvent } from '../events/catalogue/epoch-started-event.js';

/** A log that grows, locked by the transaction. */
export interface LockedLog {
  readonly id: number;
  readonly destinationId: string;
  readonly accountId: string;
  readonly epoch: number;
  /** The number of the first leaf. */
  readonly firstSequence: number;
  readonly size: number;
  readonly root: Buffer;
  /** The last checkpoint, and its number of leaves; null and 0 before the first one. */
  readonly note: string | null;
  readonly signedSize: number;
  /** The newest checkpoint with cosignatures; null when there is none. */
  readonly cosignedNote: string | null;
  /** Whether a leaf is in no checkpoint, and is not that of a checkpoint. */
  readonly isUnsigned: boolean;
  /**
   * Milliseconds between now and the last checkpoint, or the making of the log before the first one. Never negative,
   * also where the database's clock was set back.
   */
  readonly signedMsAgo: number;
}

/** What follows the leaves of a log: recorded numbers, and what ends it. Of one snapshot. */
export interface Continuation {
  /** The hashes of the leaves of the recorded numbers, one after the other: up to the first that is not recorded. */
  readonly leaves: Buffer;
  /** Whether one of them is an event that is no checkpoint of the destination. */
  readonly hasNews: boolean;
  /** Whether more may be recorded. */
  readonly isFull: boolean;
  /** Every number of the destination before this one is recorded, or lost; null when the destination was deleted. */
  readonly recordedTo: number | null;
  /** The next epoch of the destination; null when the log's is the last one. */
  readonly next: { readonly epoch: number; readonly firstSequence: number } | null;
  /** Whether the destination was deleted: it records no further number. */
  readonly isDeleted: boolean;
}

/** What a step changes of a log. */
export interface GrownLog {
  readonly size: number;
  readonly root: Uint8Array;
  readonly isUnsigned: boolean;
  /** A new checkpoint of this size and root; null: none. */
  readonly note: string | null;
  /** Whether it is sent to cosigners. */
  readonly isCosigned: boolean;
  /** Whether the log grows no further. */
  readonly ends: boolean;
  /** Whether it has every recorded number. */
  readonly isComplete: boolean;
  /** When to look at the log again, in milliseconds; null: at once, as more numbers are recorded. */
  readonly againMs: number | null;
}

/** How far checkpoints are behind what is recorded. */
export interface LogLag {
  /** Logs with a recorded number that is in no checkpoint. A lower bound where many have lacked one for a minute. */
  readonly logs: number;
  /** Age of the oldest such number, in seconds; 0 when there is none. */
  readonly oldestSeconds: number;
}

/** Most logs whose next number is looked up for their lag. */
const MOST_LOOKED_UP = 50;

/** The first number of a lane in its first epoch. */
const firstOfLane = sql<number>`coalesce((l.earlier_epochs -> 0 ->> 'first_sequence')::bigint, l.epoch_first_sequence)`;

/** Lanes `l` with the log `g` that grows: also lanes that have none yet, and logs whose destination was deleted. */
const lanesWithLogs = sql`delivery_lanes l full join (select * from proof_logs where is_open) g
        on g.destination_id = l.destination_id`;

/** The number that a log needs next. */
const nextOfLog = sql<number>`coalesce(g.first_sequence + g.size, ${firstOfLane})`;

/**
 * Whether numbers of the lane are not in its log: those of a batch in flight may not be recorded. A log with more
 * numbers than the lane was changed.
 */
const isBehind = sql<boolean>`(l.destination_id is null or l.next_sequence <> ${nextOfLog})`;

/** Every number of the lane before this one is recorded: those of a batch in flight may not be. */
const recordedTo = sql<number>`case when l.batch_id is null then l.next_sequence else l.batch_first_sequence end`;

/** The hash of a leaf: `hashLeaf(leafData(…))` of @waybill/verify. */
const hashedLeaf = sql`sha256('\\x0001'::bytea || int8send(sequence)
        || case when backfill_id is null then '\\x00'::bytea else '\\x01'::bytea end || commitment)`;

/** The tables `proof_logs` and `proof_tiles`. */
export class LogStore<Db extends Database = Database> {
  constructor(private readonly db: Db) {}

  /**
   * Makes the logs of lanes that have their first numbers, and returns the destinations whose logs are due, at most
   * `limit`. Reads every lane and log. A next step more than two intervals ahead is due: it shows that the
   * database's clock was set back.
   * @param intervalMs time between two steps of a log, and until the first one, in milliseconds
   */
  async due(limit: number, intervalMs: number): Promise<readonly string[]> {
    const { rows } = await sql<{ destination_id: string }>`
      with due as materialized (
        select g.destination_id, l.destination_id as lane_id
        from ${lanesWithLogs}
        where (g.next_at is null or g.next_at <= now() or g.next_at > ${fromNow(2 * intervalMs)})
          and (g.unsigned_since is not null or ${isBehind})
        limit ${limit}
      ),
      made as (
        insert into proof_logs (destination_id, account_id, epoch, first_sequence, root, next_at)
        select l.destination_id, l.account_id, coalesce((l.earlier_epochs -> 0 ->> 'epoch')::bigint, l.epoch),
               ${firstOfLane}, ${Buffer.from(EMPTY_ROOT)}, ${fromNow(intervalMs)}
        from due join delivery_lanes l on l.destination_id = due.lane_id
        where due.destination_id is null
        on conflict do nothing
      )
      select destination_id from due where destination_id is not null`.execute(this.db);
    return rows.map(({ destination_id: id }) => id);
  }

  /** Delays the next step of a log. The lag shows the delay until that step. */
  async delay(destinationId: string, ms: number): Promise<void> {
    await sql`
      update proof_logs set next_at = ${fromNow(ms)}, unsigned_since = coalesce(unsigned_since, now())
      where destination_id = ${destinationId} and is_open`.execute(this.db);
  }

  /** Returns destinations whose log was closed although they exist, at most `limit`. */
  async closed(limit: number): Promise<readonly string[]> {
    const { rows } = await sql<{ destination_id: string }>`
      select l.destination_id from ${lanesWithLogs}
      where g.destination_id is null and exists (select from proof_logs where destination_id = l.destination_id)
      limit ${limit}`.execute(this.db);
    return rows.map(({ destination_id: id }) => id);
  }

  /**
   * Returns a destination whose log lacks a number that was recorded this long ago, so that its delivery may not be
   * removed. Null when there is none.
   */
  async unlogged(ms: number): Promise<string | null> {
    const { rows } = await sql<{ destination_id: string }>`
      select coalesce(l.destination_id, g.destination_id) as destination_id from ${lanesWithLogs}
      where ${isBehind} and (g.complete_at is null or g.complete_at <= ${fromNow(-ms)}) limit 1`.execute(this.db);
    return rows[0]?.destination_id ?? null;
  }

  /**
   * Returns how far checkpoints are behind what is recorded. Reads every lane and log, as `due` does, and at most
   * MOST_LOOKED_UP deliveries: those of logs that have lacked a number for a minute. A number whose delivery was
   * removed counts since its log was complete, and so does a log that was closed.
   */
  async lag(): Promise<LogLag> {
    const { rows } = await sql<LogLag>`
      with behind as materialized (
        select coalesce(l.destination_id, g.destination_id) as destination_id, ${nextOfLog} as next, g.complete_at,
               ${nextOfLog} < ${recordedTo} or ${nextOfLog} > l.next_sequence as is_lost
        from ${lanesWithLogs}
        where ${isBehind} and (g.complete_at is null or abs(extract(epoch from now() - g.complete_at)) > 60)
        order by g.complete_at desc nulls last limit ${MOST_LOOKED_UP}
      ),
      waiting as (
        select unsigned_since as since from proof_logs where unsigned_since is not null
        union all
        select coalesce(d.finished_at, complete_at,
                        (select max(complete_at) from proof_logs where destination_id = behind.destination_id))
        from behind left join lateral (
          select finished_at from finished_deliveries
          where destination_id = behind.destination_id and sequence = behind.next limit 1
        ) d on true
        where d.finished_at is not null or behind.is_lost
      )
      select count(*)::int as logs,
             coalesce(greatest(0, extract(epoch from now() - min(since))), 0)::float8 as "oldestSeconds"
      from waiting`.execute(this.db);
    return rows[0] ?? { logs: 0, oldestSeconds: 0 };
  }

  /**
   * Locks the log of a destination that grows. Undefined when another process has locked it, or none grows, and on a
   * server that may not assign numbers (docs/decisions/epoch.md): it may be a copy that is not known yet.
   */
  async lock(this: LogStore<Transaction>, destinationId: string): Promise<LockedLog | undefined> {
    const [log] = await executePrepared(
      this.db,
      sql<LockedLog>`
      select id, destination_id as "destinationId", account_id as "accountId", epoch, first_sequence as "firstSequence",
             size, root, note, signed_size as "signedSize", cosigned_note as "cosignedNote",
             unsigned_since is not null as "isUnsigned",
             1000 * abs(date_part('epoch', now() - signed_at)) as "signedMsAgo"
      from proof_logs
      where destination_id = ${destinationId} and is_open and ${admittedEpoch} is not null
      for update skip locked`,
    );
    return log;
  }

  /**
   * Returns the leaves of the recorded numbers behind a log, at most `limit`, up to the first that is not recorded, and
   * what ends the log. One snapshot shows both: a number that it shows is of the log's epoch, or of the next one.
   * Postgres hashes the leaves: to read their parts would cost a worker many times more.
   */
  async continuation(log: LockedLog, limit: number): Promise<Continuation> {
    const from = sql`${log.firstSequence + log.size}::bigint`;
    const recordedIn = (table: RawBuilder<unknown>) => sql`(
            select sequence, event_id, backfill_id from ${table}
            where destination_id = ${log.destinationId} and sequence >= ${from}
            order by sequence limit ${limit}::int
          )`;
    const [row] = await executePrepared(
      this.db,
      sql<Omit<Continuation, 'isFull'>>`
      select l.destination_id is null as "isDeleted", ${recordedTo} as "recordedTo",
             case when e.epoch is not null
               then json_build_object('epoch', e.epoch, 'firstSequence', e.first_sequence) end as next,
             coalesce(d.leaves, ''::bytea) as leaves, coalesce(d."hasNews", false) as "hasNews"
      from (values (true)) one
      left join delivery_lanes l on l.destination_id = ${log.destinationId}
      left join lateral (
        select epoch, first_sequence from (
          select l.epoch, l.epoch_first_sequence as first_sequence
          union all
          select (earlier ->> 'epoch')::bigint, (earlier ->> 'first_sequence')::bigint
          from jsonb_array_elements(l.earlier_epochs) earlier
        ) epochs
        where epoch > ${log.epoch}::bigint order by epoch limit 1
      ) e on true
      cross join lateral (
        select string_agg(${hashedLeaf}, ''::bytea order by sequence) as leaves,
               bool_or(type <> ${checkpointEvent.type}) as "hasNews"
        from (
          select *, bool_and(is_next) over (order by sequence) as is_reached
          from (
            select r.sequence, r.backfill_id, event.type, coalesce(p.commitment, event.commitment) as commitment,
                   r.sequence = ${from} - 1 + row_number() over (order by r.sequence)
                     and (e.first_sequence is null or r.sequence < e.first_sequence)
                     -- Without the lane, only its marker shows where the next epoch begins.
                     and (l.destination_id is not null or r.backfill_id is not null
                       or event.type <> ${epochStartedEvent.type} or r.sequence = ${log.firstSequence}::bigint)
                   as is_next
            from (
              select * from (${recordedIn(sql`deliveries`)} union all ${recordedIn(sql`finished_deliveries`)}) recorded
              order by sequence limit ${limit}::int
            ) r
            cross join lateral (select type, commitment from events where id = r.event_id limit 1) event
            left join lateral (
              select commitment from event_projections
              where event_id = r.event_id and ${log.destinationId} = any(destination_ids) limit 1
            ) p on l.projected is not false
          ) numbers
        ) reached
        where is_reached
      ) d`,
    );
    if (!row) throw new Error('The statement has no row.');
    return { ...row, isFull: row.leaves.length === limit * HASH_BYTES };
  }

  /** Returns the hashes of a tile; null without one. A tile at the edge of the tree may have grown since. */
  async tile(logId: number, { level, index, width }: TileAddress): Promise<Buffer | null> {
    const { rows } = await sql<{ hashes: Buffer }>`
      select hashes from proof_tiles where log_id = ${logId} and level = ${level} and index = ${index}`.execute(
      this.db,
    );
    return rows[0]?.hashes.subarray(0, width * HASH_BYTES) ?? null;
  }

  /** Returns the hashes of subtrees of a log, which make a proof. @throws Error where a tile is missing */
  async subtrees(logId: number, ranges: readonly LeafRange[], size: number): Promise<readonly Uint8Array[]> {
    const hashes: Uint8Array[] = [];
    for (const range of ranges)
      hashes.push(await rangeHash(range, size, async (tile) => (await this.tile(logId, tile)) ?? Buffer.alloc(0)));
    return hashes;
  }

  /** Returns the hashes of the partial tiles at the right edge of a log, by level. */
  async edge({ id, size }: LockedLog): Promise<readonly Uint8Array[]> {
    const levels: number[] = [];
    const indexes: number[] = [];
    for (let level = 0; TILE_WIDTH ** level <= size; level += 1) {
      levels.push(level);
      indexes.push(Math.floor(size / TILE_WIDTH ** (level + 1)));
    }
    const rows = await executePrepared(
      this.db,
      sql<{ level: number; hashes: Buffer }>`
      select t.level, t.hashes from unnest(${levels}::int[], ${int8Array(indexes)}::bigint[]) as wanted (level, index)
      cross join lateral (
        select level, hashes from proof_tiles where log_id = ${id}::bigint and level = wanted.level and index = wanted.index
        limit 1
      ) t`,
    );
    const byLevel = new Map(rows.map(({ level, hashes }) => [level, hashes]));
    return levels.map((level) => byLevel.get(level) ?? Buffer.alloc(0));
  }

  /**
   * Stores what a log has become: in place of the size and the root that it had when it was locked, and of no other.
   * @throws Error when it has another size or root now
   */
  async grow(this: LogStore<Transaction>, log: LockedLog, grown: GrownLog, tiles: readonly Tile[]): Promise<void> {
    const { size, root, isUnsigned, note, isCosigned, ends, isComplete, againMs } = grown;
    if (tiles.length > 0)
      await executePrepared(
        this.db,
        sql`
        insert into proof_tiles (log_id, level, index, hashes)
        select ${log.id}::bigint, * from unnest(${tiles.map(({ level }) => level)}::int[],
          ${int8Array(tiles.map(({ index }) => index))}::bigint[], ${tiles.map(({ hashes }) => Buffer.from(hashes))}::bytea[])
        on conflict (log_id, level, index) do update set hashes = excluded.hashes`,
      );
    const rows = await executePrepared(
      this.db,
      sql`
      update proof_logs
      set size = ${size}::bigint, root = ${Buffer.from(root)}, is_open = not ${ends}::boolean,
          unsigned_since = case when ${isUnsigned}::boolean then coalesce(unsigned_since, now()) end,
          note = coalesce(${note}::text, note),
          signed_size = case when ${note}::text is null then signed_size else ${size}::bigint end,
          signed_at = case when ${note}::text is null then signed_at else now() end,
          cosign_at = case when ${note}::text is null or not ${isCosigned}::boolean then cosign_at else now() end,
          complete_at = case when ${isComplete}::boolean then now() else complete_at end,
          next_at = now() + coalesce(${againMs}::float8, 0) * interval '1 millisecond'
      where id = ${log.id}::bigint and size = ${log.size}::bigint and root = ${log.root}
      returning 1`,
    );
    if (rows.length !== 1) throw new Error('The log was changed by another process.');
  }

  /** Makes the log of the next epoch of a destination, once the last one has ended. */
  async begin(
    this: LogStore<Transaction>,
    { destinationId, accountId }: LockedLog,
    { epoch, firstSequence }: NonNullable<Continuation['next']>,
  ): Promise<void> {
    await sql`
      insert into proof_logs (destination_id, account_id, epoch, first_sequence, root, next_at)
      values (${destinationId}, ${accountId}, ${epoch}, ${firstSequence}, ${Buffer.from(EMPTY_ROOT)}, now())`.execute(
      this.db,
    );
  }
}
