import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/database.js';
import { raiseSequences } from './id-sequences.js';
import { readServerIdentity, type ServerIdentity } from './server-identity.js';
import type { NumberMark, Testimony } from './witness.js';

/** The epoch on record, and what the record says about the server of this connection. */
export interface RecordedEpoch extends ServerIdentity {
  readonly epoch: number;
  /** Whether claims are allowed on this server. */
  readonly admitted: boolean;
  /** Whether the row was written here: false in a copy that pg_restore or logical replication made. */
  readonly original: boolean;
  /** How often marks of deleted lanes were removed from the witness. */
  readonly cleanups: number;
}

/** The row `installation`. */
export class EpochStore {
  constructor(private readonly db: Database) {}

  /** Returns the epoch on record. */
  read(): Promise<RecordedEpoch> {
    return recorded(this.db);
  }

  /** Returns when the server of some connection started: each run of a server has another value. */
  async serverStart(): Promise<string> {
    return startOf(this.db);
  }

  /**
   * Runs `work` while no other process changes the epoch. `work` gets the epoch on record. Everything in it concerns
   * one server: that of the transaction.
   */
  locked<T>(work: (change: EpochChange, record: RecordedEpoch) => Promise<T>): Promise<T> {
    return this.db.transaction().execute(async (trx) => {
      await sql`select from installation where id for update`.execute(trx);
      const change = new EpochChange(trx, await startOf(trx), await readServerIdentity(trx));
      // A new snapshot: the lock may have waited for another process.
      return work(change, await recorded(trx));
    });
  }
}

/** Changes of the row while it is locked. */
export class EpochChange {
  constructor(
    private readonly trx: Transaction,
    /** When the server of the transaction started, as `EpochStore.serverStart`. */
    readonly serverStart: string,
    /** The identity of that server. */
    readonly identity: ServerIdentity,
  ) {}

  /**
   * Returns a lane for which the witness knows a higher number than the lane does; undefined when there is none. The
   * testimony must have been read before: numbers are on record before they are witnessed. Marks of earlier epochs are
   * no sign: no number is assigned in those any more.
   */
  async firstLaneBehind(lanes: Testimony['lanes']): Promise<{ destinationId: string; last: NumberMark } | undefined> {
    const marks = [...lanes];
    const { rows } = await sql<{ destination_id: string; epoch: number; last: number }>`
      select l.destination_id, l.epoch, l.next_sequence - 1 as last
      from unnest(${marks.map(([id]) => id)}::text[], ${marks.map(([, { epoch }]) => epoch)}::bigint[],
                  ${marks.map(([, { sequence }]) => sequence)}::bigint[]) as mark (id, epoch, sequence)
      join delivery_lanes l on l.destination_id = mark.id
      where mark.epoch >= (select epoch from installation where id)
        and (mark.epoch, mark.sequence) > (l.epoch, l.next_sequence - 1)
      order by l.destination_id limit 1`.execute(this.trx);
    const [row] = rows;
    return row && { destinationId: row.destination_id, last: { epoch: row.epoch, sequence: row.last } };
  }

  /** Admits this server in the epoch on record. */
  async admit(): Promise<void> {
    const { systemIdentifier, timeline } = this.identity;
    await sql`
      update installation
      set server_started_at = pg_postmaster_start_time(), recorded_by = pg_current_xact_id(),
          system_identifier = coalesce(${systemIdentifier}::text, system_identifier),
          timeline = coalesce(${timeline}::bigint, timeline)
      where id`.execute(this.trx);
  }

  /**
   * Begins an epoch and admits this server in it. The epoch is the time in seconds, so that two restores of one backup
   * have different epochs. It exceeds the epoch on record and that of the witness. New ids exceed those in use: a copy
   * of the data may have been made without its sequences.
   */
  async begin(reason: string, { epoch: above, cleanups }: Testimony): Promise<number> {
    const { systemIdentifier, timeline } = this.identity;
    await raiseSequences(this.trx);
    const { rows } = await sql<{ epoch: number }>`
      update installation
      set epoch = greatest(epoch + 1, ${above}::bigint + 1, floor(extract(epoch from clock_timestamp()))::bigint),
          reason = ${reason}, began_at = now(), witness_cleanups = greatest(witness_cleanups, ${cleanups}::bigint),
          server_started_at = pg_postmaster_start_time(), recorded_by = pg_current_xact_id(),
          system_identifier = ${systemIdentifier}::text, timeline = ${timeline}::bigint
      where id
      returning epoch`.execute(this.trx);
    const [row] = rows;
    if (!row) throw new Error('The table installation has no row.');
    return row.epoch;
  }

  /** Returns those of the destinations that have no lane. */
  async withoutLane(destinationIds: readonly string[]): Promise<readonly string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from unnest(${destinationIds}::text[]) id
      where not exists (select from delivery_lanes where destination_id = id)`.execute(this.trx);
    return rows.map(({ id }) => id);
  }

  /**
   * Counts a cleanup of the witness, on an admitted server.
   * @param above the number of cleanups that the witness knows
   * @returns the number of cleanups
   */
  async countCleanup(above: number): Promise<number> {
    const { rows } = await sql<{ cleanups: number }>`
      update installation
      set witness_cleanups = greatest(witness_cleanups, ${above}::bigint) + 1, recorded_by = pg_current_xact_id()
      where id
      returning witness_cleanups as cleanups`.execute(this.trx);
    const [row] = rows;
    if (!row) throw new Error('The table installation has no row.');
    return row.cleanups;
  }
}

async function startOf(db: Database): Promise<string> {
  // As a number: the text of a time depends on the time zone of the session.
  const { rows } = await sql<{ at: string }>`select extract(epoch from pg_postmaster_start_time())::text as at`.execute(
    db,
  );
  return String(rows[0]?.at);
}

async function recorded(db: Database): Promise<RecordedEpoch> {
  const { rows } = await sql<RecordedEpoch>`
    select epoch, server_started_at = pg_postmaster_start_time() and xmin = recorded_by::xid as admitted,
           xmin = recorded_by::xid as original, witness_cleanups as cleanups,
           system_identifier as "systemIdentifier", timeline
    from installation where id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The table installation has no row.');
  return row;
}
