import { sql, type RawBuilder } from 'kysely';
import { fromNow } from '../database/database-time.js';
import type { Database, Transaction } from '../database/database.js';
import type { erasureKinds } from '../events/catalogue/erasure-event.js';
import { KEPT_TYPES } from '../events/erasure/erase-events.js';
import { idsBefore } from '../events/log/id-range.js';
import { recordedUntil } from '../events/log/recorded-until.js';
import { newId } from '../ids/id.js';
import { firstOfEachAccount } from '../maintenance/first-of-each-account.js';
import type { SealedSecret } from '../secrets/key-ring.js';

/** Prefix of the ids of erasures. */
export const ERASURE_PREFIX = 'ers';

/** Longest wait for the transactions that ran at the request, in milliseconds: as of an export. */
const LONGEST_WAIT_MS = 300_000;

/** What an erasure names. */
export interface ErasureSubject {
  readonly kind: (typeof erasureKinds)[number];
  /** Id of the resource or the principal; null for the account, and when the erasure is finished. */
  readonly subject_id: string | null;
  /** Types of the events of a resource; empty: all. */
  readonly types: readonly string[];
}

/** A request to erase events. */
export interface NewErasure extends ErasureSubject {
  readonly accountId: string;
  /** Exclusive; null: now. */
  readonly to: Date | null;
  readonly reason: string;
  readonly principal: { readonly id: string; readonly name: string };
}

/** An erasure with its progress. */
export interface Erasure extends ErasureSubject {
  readonly id: string;
  readonly account_id: string;
  readonly state: 'erasing' | 'recording' | 'finished' | 'failed';
  readonly to_time: Date;
  readonly reason: string;
  readonly principal_id: string;
  readonly principal_subject: string;
  readonly after_id: string;
  readonly erased: number;
  readonly pass_erased: number;
  readonly pass_waiting: number;
  readonly waiting: number | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  /** What was asked for (`sealErasure`); null when the erasure is finished. */
  readonly key_id: string | null;
  readonly nonce: Buffer | null;
  readonly ciphertext: Buffer | null;
}

/** Events that a step looks at. */
export interface Candidates {
  /** Ids of those that the erasure names and that are not erased. */
  readonly ids: readonly string[];
  /** The last one that was read; null at the end. */
  readonly readThrough: string | null;
}

/** A number of an erased event that its log has. */
export interface LoggedNumber {
  readonly destinationId: string;
  readonly sequence: number;
  readonly logId: number;
  readonly epoch: number;
  readonly firstSequence: number;
}

/** Whether an erasure is not finished. */
export const hasUnfinishedErasures = sql<boolean>`exists (select from erasures where finished_at is null)`;

/** The tables `erasures`, `erased_numbers` and `erasure_records`. */
export class ErasureStore<Db extends Database = Database> {
  constructor(private readonly db: Db) {}

  /**
   * Creates an erasure of what is recorded before a time, or until now.
   * @param seal `sealErasure`
   * @param created is called in the transaction
   */
  async create(
    erasure: NewErasure,
    seal: (row: Erasure) => SealedSecret,
    created?: (trx: Transaction, row: Erasure) => Promise<void>,
  ): Promise<Erasure> {
    const { accountId, kind, subject_id, types, to, reason, principal } = erasure;
    return this.db.transaction().execute(async (trx) => {
      const { rows } = await sql<Erasure>`
        insert into erasures (id, account_id, kind, subject_id, types, to_time, reason, principal_id,
                              principal_subject, horizon)
        values (${newId(ERASURE_PREFIX)}, ${accountId}, ${kind}, ${subject_id}, ${types}::text[],
                least(${to}::timestamptz, ${recordedUntil(accountId)}), ${reason}, ${principal.id}, ${principal.name},
                pg_current_xact_id())
        returning *`.execute(trx);
      const [row] = rows;
      if (!row) throw new Error('The insert of an erasure returned no row.');
      const { keyId, nonce, ciphertext } = seal(row);
      await sql`
        update erasures set key_id = ${keyId}, nonce = ${nonce}, ciphertext = ${ciphertext}
        where id = ${row.id}`.execute(trx);
      await created?.(trx, row);
      return row;
    });
  }

  /** Returns an erasure of the account, or undefined. */
  async find(accountId: string, id: string): Promise<Erasure | undefined> {
    const { rows } = await sql<Erasure>`
      select * from erasures where account_id = ${accountId} and id = ${id}`.execute(this.db);
    return rows[0];
  }

  /** Returns at most `limit` erasures of the account older than `beforeId`, newest first. */
  async page(accountId: string, limit: number, beforeId: string | undefined): Promise<readonly Erasure[]> {
    const older = beforeId === undefined ? sql`true` : sql`id < ${beforeId}`;
    const { rows } = await sql<Erasure>`
      select * from erasures where account_id = ${accountId} and ${older} order by id desc limit ${limit}`.execute(
      this.db,
    );
    return rows;
  }

  /**
   * Returns the ids of unfinished erasures that are due, at most `limit`. An erasure begins when every transaction has
   * ended that ran at its request: they may have recorded events that it names.
   */
  async due(limit: number): Promise<readonly string[]> {
    const due = sql`
      erasures where finished_at is null and due_at <= now()
        and (horizon <= pg_snapshot_xmin(pg_current_snapshot()) or created_at <= ${fromNow(-LONGEST_WAIT_MS)})`;
    const { rows } = await sql<{ id: string }>`
      select id from ${firstOfEachAccount(due, sql`due_at`)} order by place, due_at limit ${limit}`.execute(this.db);
    return rows.map(({ id }) => id);
  }

  /** Looks at an erasure later. */
  async delay(id: string, ms: number): Promise<void> {
    await sql`update erasures set due_at = ${fromNow(ms)} where id = ${id}`.execute(this.db);
  }

  /** Locks an unfinished erasure for a step. Undefined when another process makes one. */
  async lock(this: ErasureStore<Transaction>, id: string): Promise<Erasure | undefined> {
    const { rows } = await sql<Erasure>`
      select * from erasures where id = ${id} and finished_at is null for update skip locked`.execute(this.db);
    return rows[0];
  }

  /** Reads the next events of an erasure, in the order of their ids: at most `limit`. */
  async candidates(erasure: Erasure, limit: number): Promise<Candidates> {
    const { rows } = await sql<{ id: string; matches: boolean }>`
      select id, erasure_id is null and ${isErasable(erasure)} as matches
      from events
      where account_id = ${erasure.account_id} and ${pathOf(erasure)}
        and id > ${erasure.after_id} and id < ${idsBefore(erasure.to_time)}
      order by id limit ${limit}`.execute(this.db);
    const ids = rows.filter(({ matches }) => matches).map(({ id }) => id);
    return { ids, readThrough: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
  }

  /** Returns those of the events without a delivery that waits, with the number of their finished deliveries. */
  async ended(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { rows } = await sql<{ id: string; deliveries: number }>`
      select e.id, (select count(*) from finished_deliveries where event_id = e.id)::int as deliveries
      from unnest(${ids}::text[]) as e (id)
      where not exists (select from deliveries where event_id = e.id)
        and not exists (select from fan_out_parts where event_id = e.id)`.execute(this.db);
    return new Map(rows.map(({ id, deliveries }) => [id, deliveries]));
  }

  /** Keeps the numbers of events for records. */
  async keepNumbers(id: string, eventIds: readonly string[]): Promise<void> {
    await sql`
      insert into erased_numbers (erasure_id, destination_id, sequence, event_id)
      select ${id}, destination_id, sequence, event_id from finished_deliveries
      where event_id = any(${eventIds}::text[]) and sequence is not null
      on conflict do nothing`.execute(this.db);
  }

  /** Moves an erasure behind the events of a step. @param throughId null: the pass ends, and its records follow */
  async passed(id: string, erased: number, waiting: number, throughId: string | null): Promise<void> {
    await sql`
      update erasures set erased = erased + ${erased}::int, pass_erased = pass_erased + ${erased}::int,
        pass_waiting = pass_waiting + ${waiting}::int, due_at = now(),
        after_id = coalesce(${throughId}::text, ''),
        state = case when ${throughId}::text is null then 'recording' else state end
      where id = ${id}`.execute(this.db);
  }

  /** Begins another pass later, for the events that wait for a delivery. */
  async passAgain(id: string, afterMs: number): Promise<void> {
    await sql`
      update erasures set state = 'erasing', waiting = pass_waiting, pass_erased = 0, pass_waiting = 0,
        due_at = ${fromNow(afterMs)}
      where id = ${id}`.execute(this.db);
  }

  /** Ends an erasure, which forgets what it named. */
  async finish(id: string, state: 'finished' | 'failed'): Promise<void> {
    await sql`
      update erasures set state = ${state}, waiting = 0, subject_id = null, key_id = null, nonce = null,
        ciphertext = null, finished_at = now()
      where id = ${id}`.execute(this.db);
  }

  /**
   * Returns kept numbers whose leaves their log has, at most `limit`, in order: of one log first. Only those whose
   * events say that the erasure has erased them. Of logs with the same first number, only the last one is not empty.
   */
  async logged(erasure: Erasure, limit: number): Promise<readonly LoggedNumber[]> {
    const { rows } = await sql<LoggedNumber>`
      select n.destination_id as "destinationId", n.sequence, g.id as "logId", g.epoch,
             g.first_sequence as "firstSequence"
      from ${numbersOfErased(erasure)}
      cross join lateral (
        select id, epoch, first_sequence, size from proof_logs
        where destination_id = n.destination_id and account_id = ${erasure.account_id}
          and first_sequence <= n.sequence
        order by first_sequence desc, epoch desc limit 1
      ) g
      where n.erasure_id = ${erasure.id} and n.sequence < g.first_sequence + g.size
      order by n.destination_id, n.sequence limit ${limit}`.execute(this.db);
    return rows;
  }

  /** Stores a record of numbers, which are then kept no longer. */
  async record(
    id: string,
    { logId, destinationId }: LoggedNumber,
    numbers: readonly number[],
    note: string,
  ): Promise<void> {
    await sql`insert into erasure_records (erasure_id, log_id, note) values (${id}, ${logId}, ${note})`.execute(
      this.db,
    );
    await sql`
      delete from erased_numbers
      where erasure_id = ${id} and destination_id = ${destinationId} and sequence = any(${numbers}::bigint[])`.execute(
      this.db,
    );
  }

  /**
   * Returns whether numbers are kept whose log will have them. Drops those without a log, as a destination that was
   * deleted within seconds of its first event has none, and those of events that the retention has removed.
   */
  async awaitsLogs(erasure: Erasure): Promise<boolean> {
    await sql`
      delete from erased_numbers n
      where erasure_id = ${erasure.id} and (
        (select true from events where id = n.event_id limit 1) is null
        or not exists (
          select from delivery_lanes where destination_id = n.destination_id and account_id = ${erasure.account_id}
        )
        and not exists (
          select from proof_logs
          where destination_id = n.destination_id and account_id = ${erasure.account_id}
            and (is_open or n.sequence >= first_sequence and n.sequence < first_sequence + size)
        )
      )`.execute(this.db);
    const { rows } = await sql`
      select from ${numbersOfErased(erasure)} where n.erasure_id = ${erasure.id} limit 1`.execute(this.db);
    return rows.length > 0;
  }

  /** Returns how many numbers are kept for an erasure. */
  async kept(id: string): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from erased_numbers where erasure_id = ${id}`.execute(this.db);
    return rows[0]?.count ?? 0;
  }

  /** Returns whether a destination exists. */
  async hasLane(destinationId: string): Promise<boolean> {
    const { rows } = await sql`select from delivery_lanes where destination_id = ${destinationId}`.execute(this.db);
    return rows.length > 0;
  }

  /** Returns records of a log after one, oldest first. */
  async records(
    logId: number,
    afterId: number,
    limit: number,
  ): Promise<readonly { readonly id: number; readonly note: string }[]> {
    const { rows } = await sql<{ id: number; note: string }>`
      select id, note from erasure_records where log_id = ${logId} and id > ${afterId}
      order by id limit ${limit}`.execute(this.db);
    return rows;
  }
}

/** Whether the event of a row can be one of an erasure, by what stays of it. */
function isErasable({ to_time: to, types }: Erasure): RawBuilder<boolean> {
  return sql`created_at < ${to} and type <> all(${KEPT_TYPES}::text[])
        and (cardinality(${types}::text[]) = 0 or type = any(${types}::text[]))`;
}

/**
 * Kept numbers `n`, of events that the erasure has erased. Others were not kept by a step of it. The delivery must have
 * the number. It may be absent only where the retention has removed the deliveries of that time.
 */
function numbersOfErased(erasure: Erasure): RawBuilder<unknown> {
  return sql`erased_numbers n
      cross join lateral (
        select from events
        where id = n.event_id and erasure_id = n.erasure_id and account_id = ${erasure.account_id}
          and ${isErasable(erasure)}
          and (
            select coalesce(bool_or(sequence is not distinct from n.sequence), events.created_at < (
              select complete_since from retention_marks where kind = 'deliveries'
            )) from finished_deliveries where event_id = n.event_id and destination_id = n.destination_id
          )
        limit 1
      ) e`;
}

/** The condition of the index that has the events of an erasure. */
function pathOf({ kind, subject_id: id }: Erasure): RawBuilder<unknown> {
  switch (kind) {
    case 'object':
      return sql`resource_id = ${id}`;
    case 'principal':
      return sql`principal_id = ${id}`;
    case 'account':
      return sql`true`;
  }
}
