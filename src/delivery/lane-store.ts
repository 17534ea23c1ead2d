import { sql, type RawBuilder } from 'kysely';
import type { Database, Transaction } from '../database/database.js';
import { executePrepared } from '../database/prepared.js';
import type { LaneStatus } from '../database/tables.js';
import { targetKinds, type BatchLimits, type TargetKind } from '../targets/target.js';
import { withPresentRun } from './earlier-runs.js';
import type { JobEvent } from './queues/job.js';

/** What each kind of target may be given in one batch. */
export type LimitsByKind = Readonly<Record<TargetKind, BatchLimits>>;

/**
 * Most deliveries in one batch, whatever the target would take: it bounds the memory of a batch, the size of its job and the
 * time that serializing it keeps the event loop.
 */
export const MAX_BATCH_RECORDS = 1_000;

/** `,"sequence":` and sixteen digits: what `appendSequence` makes a payload longer by, at most. */
const SEQUENCE_BYTES = 28;

/** A batch that was claimed just now. */
export interface ClaimedBatch {
  readonly destinationId: string;
  readonly targetKind: TargetKind;
  readonly batchId: string;
  readonly events: readonly JobEvent[];
}

/** The lease on one attempt at a batch, and what the lane knew when it was granted. */
export interface Lease {
  readonly destinationId: string;
  readonly batchId: string;
  /** Fences every write of this attempt: a later attempt has another. */
  readonly token: string;
  readonly accountId: string;
  readonly targetKind: TargetKind;
  /** Version of the destination: its connection is cached by it. */
  readonly version: number;
  /** The batch, as a `bigint[]` in Postgres's own notation: it only ever goes back there. */
  readonly deliveryIds: string;
  readonly firstSequence: number;
  /** Number of this attempt at the batch, from 1. */
  readonly attempt: number;
  /** Attempts in a row, before this one, that delivered nothing. */
  readonly failures: number;
  /** The lane's `resume_at`, as Postgres writes it: another one when the attempt is settled means that it was resumed meanwhile. */
  readonly resumeAt: string | null;
}

/** Whether an attempt may be made now. */
export type Grant =
  | { readonly kind: 'granted'; readonly lease: Lease }
  /** In backoff, or another attempt holds the lease: ask again after so many milliseconds. */
  | { readonly kind: 'later'; readonly delayMs: number }
  /** The lane has another batch, or none, or is gone with its destination: the job has nothing left to do. */
  | { readonly kind: 'void' };

/** What an attempt leaves of a delivery. `pending`: it is tried again; without a code, it was not tried this time. */
export interface SettledDelivery {
  readonly id: number;
  readonly sequence: number;
  readonly state: 'pending' | 'rejected' | 'expired';
  readonly code: string | null;
  readonly message: string | null;
}

/** Why something was not delivered. */
export interface SettledError {
  readonly code: string;
  readonly message: string;
  readonly httpStatus: number | undefined;
}

/** Everything that an attempt at a batch changed; recorded in one statement. */
export interface Settlement {
  readonly delivered: readonly { readonly id: number; readonly sequence: number }[];
  /** The others, in the order of the batch, without those that go back to the lane. */
  readonly others: readonly SettledDelivery[];
  /** Null: the attempt says nothing of the destination, which stays what it was. */
  readonly status: LaneStatus | null;
  /** Attempts in a row that delivered nothing, this one included; 0 when healthy. */
  readonly failures: number;
  /** Backoff before the lane's next attempt, in milliseconds; null where nothing failed. */
  readonly delayMs: number | null;
  /** Whether the lane is freed although some of the batch is pending: the next batch begins with it, and has more beside it. */
  readonly frees: boolean;
  /** The number of the first delivery that goes back to the lane, with all behind it, as they came; null where none does. */
  readonly nextSequence: number | null;
  readonly error: SettledError | null;
  /** Why we ended a call ourselves: for the attempt's record, not for the destination. */
  readonly interruption: SettledError | null;
  readonly outcome: LaneStatus | 'rejected' | 'interrupted';
  readonly startedAt: Date;
  readonly durationMs: number;
}

interface ClaimRow {
  target_kind: TargetKind;
  event_id: string;
  type: string;
  number: number;
}

interface LeaseRow {
  account_id: string;
  target_kind: TargetKind;
  version: number;
  delivery_ids: string;
  batch_first_sequence: number;
  batch_attempts: number;
  failures: number;
  resume_at: string | null;
}

/** What became of the record of an attempt. */
export type Settled =
  | 'settled'
  /** Settled without a backoff: the lane was resumed while the attempt was being made, for a destination that is another by now. */
  | 'resumed'
  /** Nothing was written: the lease was lost, and a later attempt has taken over. */
  | 'lost';

/**
 * The lanes: one row for each destination, at most one batch in flight in each. The rules that keep sequences gapless and
 * lose no wake-up are in docs/decisions/lanes.md; every statement here depends on them.
 */
export class LaneStore {
  readonly #db: Database;
  readonly #limits: RawBuilder<unknown>;

  /** @param limits what a claim may take, for each kind of target */
  constructor(db: Database, limits: LimitsByKind) {
    this.#db = db;
    const rows = targetKinds.map((kind) => {
      const { records, batchBytes, overheadBytes, expansion } = limits[kind];
      const most = Math.min(records, MAX_BATCH_RECORDS);
      return sql`(${kind}::text, ${most}::int, ${batchBytes}::float8, ${overheadBytes}::float8, ${expansion}::float8)`;
    });
    this.#limits = sql`(values ${sql.join(rows)}) as limits (kind, records, batch_bytes, overhead, expansion)`;
  }

  /** Opens the lane of a new destination, in the transaction that creates it. */
  async create(
    trx: Transaction,
    lane: { destinationId: string; accountId: string; targetKind: TargetKind },
  ): Promise<void> {
    await trx
      .insertInto('delivery_lanes')
      .values({
        destination_id: lane.destinationId,
        account_id: lane.accountId,
        target_kind: lane.targetKind,
      })
      .execute();
  }

  /** Those of these lanes that a claim would not leave alone at once, being busy or in backoff. */
  async claimable(destinationIds: readonly string[]): Promise<readonly string[]> {
    const query = sql<{ id: string }>`
      select destination_id as id from delivery_lanes
      where destination_id = any(${destinationIds}::text[])
        and batch_id is null and (resume_at is null or resume_at <= now())`;
    const rows = await executePrepared(this.#db, query.compile(this.#db));
    return rows.map(({ id }) => id);
  }

  /**
   * Takes the lane's next batch, in order, within the target's limits, and numbers it. Null when the lane is busy, in backoff
   * or has nothing pending, and when it changed while this waited for it: then whoever changed it claims after us.
   */
  async claim(destinationId: string, batchId: string): Promise<ClaimedBatch | null> {
    const { rows } = await sql<ClaimRow>`
      with lane as materialized (
        select lane.destination_id, lane.target_kind, lane.next_sequence,
               limits.records, limits.batch_bytes, limits.overhead, limits.expansion
        from delivery_lanes seen
        join delivery_lanes lane on lane.destination_id = seen.destination_id and lane.revision = seen.revision
        join ${this.#limits} on limits.kind = seen.target_kind
        where seen.destination_id = ${destinationId}
          and seen.batch_id is null and (seen.resume_at is null or seen.resume_at <= now())
        for update of lane
      ),
      sized as (
        select d.id, d.event_id, d.sequence, e.type,
               row_number() over (order by d.id) as position,
               sum(ceil((e.bytes + ${SEQUENCE_BYTES}) * lane.expansion) + lane.overhead) over (order by d.id) as bytes
        from lane
        cross join lateral (
          select id, event_id, sequence from deliveries
          where destination_id = lane.destination_id and state = 'pending'
          order by id limit lane.records
        ) d
        cross join lateral (
          -- The limit keeps the planner from reading all of events, which it does gladly while they are few.
          select type, octet_length(payload) as bytes from events where id = d.event_id limit 1
        ) e
      ),
      batch as materialized (
        select sized.*, count(*) filter (where sequence is null) over (order by id) as unnumbered
        from sized, lane
        where sized.bytes <= lane.batch_bytes or sized.position = 1
      ),
      claimed as (
        update delivery_lanes l
        set batch_id = ${batchId}, claimed_at = now(), revision = l.revision + 1, batch_attempts = 0,
            batch_delivery_ids = (select array_agg(id order by id) from batch),
            batch_first_sequence = lane.next_sequence,
            next_sequence = lane.next_sequence + (select max(unnumbered) from batch)
        from lane
        where l.destination_id = lane.destination_id and exists (select from batch)
        returning l.target_kind, lane.next_sequence as first_sequence
      )
      select claimed.target_kind, batch.event_id, batch.type,
             coalesce(batch.sequence, claimed.first_sequence + batch.unnumbered - 1) as number
      from claimed, batch order by batch.id`.execute(this.#db);
    const [first] = rows;
    if (!first) return null;
    const events = rows.map(({ event_id, type, number }) => ({ id: event_id, type, sequence: number }));
    return { destinationId, targetKind: first.target_kind, batchId, events };
  }

  /**
   * Grants the lease on an attempt at the lane's batch, unless the lane has another batch, is in backoff, or another attempt
   * holds the lease.
   * @param leaseMs how long it lasts unless renewed, in milliseconds
   */
  async lease(destinationId: string, batchId: string, token: string, leaseMs: number): Promise<Grant> {
    const { rows } = await sql<LeaseRow>`
      update delivery_lanes l
      set attempt_token = ${token}, attempt_until = ${fromNow(leaseMs)}, batch_attempts = l.batch_attempts + 1
      from resources r
      where l.destination_id = ${destinationId} and l.batch_id = ${batchId} and r.id = l.destination_id
        and (l.resume_at is null or l.resume_at <= now())
        and (l.attempt_until is null or l.attempt_until <= now())
      returning l.account_id, l.target_kind, r.version, l.batch_delivery_ids::text as delivery_ids, l.batch_first_sequence, l.batch_attempts, l.failures, l.resume_at::text as resume_at`.execute(
      this.#db,
    );
    const [row] = rows;
    if (!row) return this.#whyNot(destinationId, batchId);
    const lease: Lease = {
      destinationId,
      batchId,
      token,
      accountId: row.account_id,
      targetKind: row.target_kind,
      version: row.version,
      deliveryIds: row.delivery_ids,
      firstSequence: row.batch_first_sequence,
      attempt: row.batch_attempts,
      failures: row.failures,
      resumeAt: row.resume_at,
    };
    return { kind: 'granted', lease };
  }

  async #whyNot(destinationId: string, batchId: string): Promise<Grant> {
    const { rows } = await sql<{ delay_ms: number }>`
      select greatest(
        0, extract(epoch from resume_at - now()) * 1000, extract(epoch from attempt_until - now()) * 1000
      )::float8 as delay_ms
      from delivery_lanes where destination_id = ${destinationId} and batch_id = ${batchId}`.execute(
      this.#db,
    );
    const [row] = rows;
    return row ? { kind: 'later', delayMs: Math.ceil(row.delay_ms) } : { kind: 'void' };
  }

  /** Prolongs the lease of an attempt that is still being made. False: it was lost, and the attempt must end unrecorded. */
  async renew({ destinationId, batchId, token }: Lease, leaseMs: number): Promise<boolean> {
    const { numAffectedRows } = await sql`
      update delivery_lanes set attempt_until = ${fromNow(leaseMs)}
      where destination_id = ${destinationId} and batch_id = ${batchId} and attempt_token = ${token}`.execute(
      this.#db,
    );
    return numAffectedRows === 1n;
  }

  /**
   * Records what an attempt did, in one statement: the outcome of each delivery, the lane's health and backoff, the attempt
   * itself; and frees the lane, or keeps in it what is to be tried again. What was not sent goes back to the lane with its number.
   */
  async settle(lease: Lease, settlement: Settlement): Promise<Settled> {
    const { delivered, others, error, status } = settlement;
    const kept = others.filter(({ state }) => state === 'pending');
    const keptIds = kept.length > 0 && !settlement.frees ? int8Array(kept.map(({ id }) => id)) : null;
    const attempted = others.filter(({ code }) => code !== null);
    const postponed = others.filter(({ code }) => code === null);
    const reason = error ?? settlement.interruption;
    const resumed = sql`resume_at is distinct from ${lease.resumeAt}::timestamptz`;
    const { rows } = await sql<{ backs_off: boolean }>`
      with lane as (
        update delivery_lanes
        set batch_id = case when ${keptIds}::bigint[] is null then null else batch_id end,
            batch_delivery_ids = ${keptIds}::bigint[],
            claimed_at = case when ${keptIds}::bigint[] is null then null else claimed_at end,
            attempt_token = null, attempt_until = null, revision = revision + 1,
            next_sequence = coalesce(${settlement.nextSequence}::bigint, next_sequence),
            failures = case when ${status}::text is null then failures
                            when ${resumed} then least(${settlement.failures}::int, 1) else ${settlement.failures}::int end,
            status = coalesce(${status}, status),
            status_since = case when status = coalesce(${status}, status) then status_since else now() end,
            resume_at = case when ${resumed} then null else now() + ${settlement.delayMs}::float8 * interval '1 millisecond' end,
            last_error_code = coalesce(${error?.code ?? null}, last_error_code),
            last_error_message = coalesce(${error?.message ?? null}, last_error_message),
            last_error_at = case when ${error !== null} then now() else last_error_at end
        where destination_id = ${lease.destinationId} and batch_id = ${lease.batchId} and attempt_token = ${lease.token}
        returning destination_id, resume_at is not null as backs_off
      ),
      outcome as (
        select id, sequence, 'delivered' as state, null::text as code, null::text as message
        from unnest(${int8Array(delivered.map(({ id }) => id))}::bigint[],
                    ${int8Array(delivered.map(({ sequence }) => sequence))}::bigint[]) as t (id, sequence)
        union all
        select * from unnest(
          ${int8Array(attempted.map(({ id }) => id))}::bigint[],
          ${int8Array(attempted.map(({ sequence }) => sequence))}::bigint[],
          ${attempted.map(({ state }) => state)}::text[],
          ${attempted.map(({ code }) => code)}::text[],
          ${attempted.map(({ message }) => message)}::text[])
      ),
      marked as (
        update deliveries d
        set state = outcome.state, sequence = outcome.sequence, batch_id = ${lease.batchId}, attempts = ${lease.attempt},
            finished_at = case when outcome.state = 'pending' then null else now() end,
            error_code = outcome.code, error_message = outcome.message,
            earlier_runs = case when d.batch_id = ${lease.batchId} then d.earlier_runs else ${withPresentRun} end
        from lane, outcome
        where d.destination_id = ${lease.destinationId} and d.id = any(${lease.deliveryIds}::bigint[])
          and d.id = outcome.id and d.state = 'pending'
      ),
      ${postponed.length > 0 ? numbering(lease, postponed) : sql``}
      attempt as (
        insert into delivery_attempts (batch_id, destination_id, number, started_at, duration_ms, records, delivered, retried,
                                       rejected, outcome, code, message, http_status)
        select ${lease.batchId}, lane.destination_id, ${lease.attempt}, ${settlement.startedAt}, ${settlement.durationMs},
               ${delivered.length + attempted.length}, ${delivered.length}, ${attempted.filter(({ state }) => state === 'pending').length},
               ${others.filter(({ state }) => state === 'rejected').length}, ${settlement.outcome},
               ${reason?.code ?? null}, ${reason?.message ?? null}, ${reason?.httpStatus ?? null}::int
        from lane
      )
      select backs_off from lane`.execute(this.#db);
    const [row] = rows;
    if (!row) return 'lost';
    return settlement.delayMs !== null && !row.backs_off ? 'resumed' : 'settled';
  }

  /**
   * Expires deliveries that a failing lane never got to: in order, at most `limit` of the first that wait, those that are
   * older than the deadline. They are numbered, so that the destination can see what it did not get.
   * @returns how many; 0 also when the lane is busy, not failing, or changed meanwhile
   */
  async expireWaiting(destinationId: string, deadlineMs: number, limit: number): Promise<number> {
    const { rows } = await sql<{ expired: number }>`
      with lane as materialized (
        select lane.destination_id, lane.next_sequence, lane.last_error_message
        from delivery_lanes seen
        join delivery_lanes lane on lane.destination_id = seen.destination_id and lane.revision = seen.revision
        where seen.destination_id = ${destinationId} and seen.batch_id is null and seen.failures > 0
        for update of lane
      ),
      overdue as materialized (
        select d.id, d.sequence, count(*) filter (where d.sequence is null) over (order by d.id) as unnumbered
        from lane
        cross join lateral (
          select id, sequence, coalesce(redelivered_at, created_at) as asked_at from deliveries
          where destination_id = lane.destination_id and state = 'pending'
          order by id limit ${limit}
        ) d
        where d.asked_at <= ${fromNow(-deadlineMs)}
      ),
      numbered as (
        update delivery_lanes l
        set next_sequence = lane.next_sequence + (select max(unnumbered) from overdue), revision = l.revision + 1
        from lane where l.destination_id = lane.destination_id and exists (select from overdue)
      ),
      marked as (
        update deliveries d
        set state = 'expired', finished_at = now(), error_code = 'deadline_exceeded',
            sequence = coalesce(overdue.sequence, lane.next_sequence + overdue.unnumbered - 1),
            error_message = concat_ws(' ', 'Its deadline passed while the destination did not take events.', lane.last_error_message)
        from overdue, lane where d.destination_id = lane.destination_id and d.id = overdue.id
        returning d.id
      )
      select count(*)::int as expired from marked`.execute(this.#db);
    return rows[0]?.expired ?? 0;
  }

  /**
   * Ends the lane's backoff, also the one that an attempt under way would begin, and starts its schedule anew.
   * @returns the batch it holds, or null when it holds none
   */
  async resume(destinationId: string): Promise<{ batchId: string; targetKind: TargetKind } | null> {
    const { rows } = await sql<{ batch_id: string | null; target_kind: TargetKind }>`
      update delivery_lanes set resume_at = now(), failures = 0
      where destination_id = ${destinationId}
      returning batch_id, target_kind`.execute(this.#db);
    const [row] = rows;
    return row && row.batch_id !== null ? { batchId: row.batch_id, targetKind: row.target_kind } : null;
  }
}

/** A point in time so many milliseconds from now, on the database's clock: the only clock that lanes know. */
export function fromNow(ms: number): RawBuilder<Date> {
  return sql<Date>`now() + ${ms}::float8 * interval '1 millisecond'`;
}

/** Part of `settle`: keeps the numbers of what stays in the batch untried. */
function numbering(lease: Lease, postponed: readonly SettledDelivery[]): RawBuilder<unknown> {
  return sql`numbered as (
    update deliveries d set sequence = kept.sequence
    from lane, unnest(${int8Array(postponed.map(({ id }) => id))}::bigint[],
                      ${int8Array(postponed.map(({ sequence }) => sequence))}::bigint[]) as kept (id, sequence)
    where d.destination_id = lane.destination_id and d.id = kept.id and d.state = 'pending' and d.sequence is null
  ),`;
}

/** A bigint array as Postgres writes it; the driver's own encoding quotes every element. */
function int8Array(values: readonly number[]): string {
  return `{${values.join(',')}}`;
}
