import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/database.js';
import type { ServerIdentity } from './server-identity.js';
import type { NumberMark, Testimony } from './witness.js';

/** The epoch on record, and what the record says about the server of this connection. */
export interface RecordedEpoch extends ServerIdentity {
  readonly epoch: number;
  /** Whether claims are allowed on this server. */
  readonly admitted: boolean;
  /** Whether the row was written here: false in a copy that pg_restore or logical replication made. */
  readonly original: boolean;
}

/** The row `installation`. */
export class EpochStore {
  constructor(private readonly db: Database) {}

  /** Returns the epoch on record. */
  read(): Promise<RecordedEpoch> {
    return recorded(this.db);
  }

  /** Runs `work` while no other process changes the epoch. `work` gets the epoch on record. */
  locked<T>(work: (change: EpochChange, record: RecordedEpoch) => Promise<T>): Promise<T> {
    return this.db.transaction().execute(async (trx) => {
      await sql`select from installation where id for update`.execute(trx);
      // A new snapshot: the lock may have waited for another process.
      return work(new EpochChange(trx), await recorded(trx));
    });
  }
}

/** Changes of the row while it is locked. */
export class EpochChange {
  constructor(private readonly trx: Transaction) {}

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
  async admit({ systemIdentifier, timeline }: ServerIdentity): Promise<void> {
    await sql`
      update installation
      set server_started_at = pg_postmaster_start_time(), recorded_by = pg_current_xact_id(),
          system_identifier = coalesce(${systemIdentifier}::text, system_identifier),
          timeline = coalesce(${timeline}::bigint, timeline)
      where id`.execute(this.trx);
  }

  /**
   * Begins an epoch and admits this server in it. The epoch is the time in seconds, so that two restores of one backup
   * have different epochs. It exceeds the epoch on record and `above`.
   */
  async begin(reason: string, above: number, { systemIdentifier, timeline }: ServerIdentity): Promise<number> {
    const { rows } = await sql<{ epoch: number }>`
      update installation
      set epoch = greatest(epoch + 1, ${above}::bigint + 1, floor(extract(epoch from clock_timestamp()))::bigint),
          reason = ${reason}, began_at = now(),
          server_started_at = pg_postmaster_start_time(), recorded_by = pg_current_xact_id(),
          system_identifier = ${systemIdentifier}::text, timeline = ${timeline}::bigint
      where id
      returning epoch`.execute(this.trx);
    const [row] = rows;
    if (!row) throw new Error('The table installation has no row.');
    return row.epoch;
  }
}

async function recorded(db: Database): Promise<RecordedEpoch> {
  const { rows } = await sql<{
    epoch: number;
    same_server: boolean;
    original: boolean;
    system_identifier: string | null;
    timeline: number | null;
  }>`
    select epoch, server_started_at = pg_postmaster_start_time() as same_server, xmin = recorded_by::xid as original,
           system_identifier, timeline
    from installation where id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The table installation has no row.');
  const { epoch, same_server: sameServer, original } = row;
  const { system_identifier: systemIdentifier, timeline } = row;
  return { epoch, admitted: sameServer && original, original, systemIdentifier, timeline };
}
