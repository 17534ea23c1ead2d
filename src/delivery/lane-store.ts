import { sql, type RawBuilder } from 'kysely';
import type { Database, Transaction } from '../database/database.js';
import { executePrepared } from '../database/prepared.js';
import { targetKinds, type BatchLimits, type TargetKind } from '../targets/target.js';
import type { Lease, Settlement } from './lane.js';
import { int8Array, nextBatch, recording, resumedSince } from './lane-statements.js';
import type { JobEvent } from './queues/job.js';

/** What each kind of target may be given in one batch. */
export type LimitsByKind = Readonly<Record<TargetKind, BatchLimits>>;

/**
 * Most deliveries in one batch, whatever the target would take: it bounds the memory of a batch, the size of its job and the
 * time that serializing it keeps the event loop.
 */
export const MAX_BATCH_RECORDS = 1_000;

/**
 * Most bytes in one batch, as the vendor counts them, whatever the target would take (Kinesis 5 MiB, Firehose 4): it bounds the
 * memory of a batch of large events. A thousand of the usual size, about 1 KB, fit.
 */
export const MAX_BATCH_BYTES = 2 * 1024 * 1024;

/** A batch that was claimed just now. */
export interface ClaimedBatch {
  readonly destinationId: string;
  readonly targetKind: TargetKind;
  readonly batchId: string;
  readonly events: readonly JobEvent[];
}

/** Whether an attempt may be made now. */
export type Grant =
  | { readonly kind: 'granted'; readonly lease: Lease }
  /** In backoff, or another attempt holds the lease: ask again after so many milliseconds. */
  | { readonly kind: 'later'; readonly delayMs: number }
  /** The lane has another batch, or none, or is gone with its destination: the job has nothing left to do. */
  | { readonly kind: 'void' };

interface ClaimRow {
  target_kind: TargetKind;
  event_id: string;
  type: string;
  number: number;
}

interface NextRow {
  delivery_ids: string | null;
  first_sequence: number;
  version: number;
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

/** Ids for a batch that a run may go on with. */
export interface NextBatch {
  readonly batchId: string;
  readonly token: string;
}

/** What became of an attempt that was recorded together with the taking of the next batch. */
export type WentOn =
  /** The next batch is the lane's, and this is the lease on its first attempt. */
  | { readonly kind: 'leased'; readonly lease: Lease }
  /** Recorded, and nothing else waited: the lane is free. */
  | { readonly kind: 'freed' }
  /** Nothing was written: the lease was lost, and a later attempt has taken over. */
  | { readonly kind: 'lost' };

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
      const mostBytes = Math.min(batchBytes, MAX_BATCH_BYTES);
      return sql`(${kind}::text, ${most}::int, ${mostBytes}::float8, ${overheadBytes}::float8, ${expansion}::float8)`;
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
      ${nextBatch(sql`true`)},
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

  /** Gives a lease back of which no use was made. The attempt is not counted. */
  async giveBack({ destinationId, batchId, token }: Lease): Promise<void> {
    await sql`
      update delivery_lanes set attempt_token = null, attempt_until = null, batch_attempts = batch_attempts - 1
      where destination_id = ${destinationId} and batch_id = ${batchId} and attempt_token = ${token}`.execute(
      this.#db,
    );
  }

  /**
   * Records what an attempt did, in one statement: the outcome of each delivery, the lane's health and backoff, the attempt
   * itself; and frees the lane, or keeps in it what is to be tried again. What was not sent goes back to the lane with its number.
   */
  async settle(lease: Lease, settlement: Settlement): Promise<Settled> {
    const { others, error, status } = settlement;
    const kept = others.filter(({ state }) => state === 'pending');
    const keptIds = kept.length > 0 && !settlement.frees ? int8Array(kept.map(({ id }) => id)) : null;
    const resumed = resumedSince(lease);
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
      ${recording(lease, settlement)}
      select backs_off from lane`.execute(this.#db);
    const [row] = rows;
    if (!row) return 'lost';
    return settlement.delayMs !== null && !row.backs_off ? 'resumed' : 'settled';
  }

  /**
   * Records an attempt after which nothing is left of the batch and the destination is healthy, as `settle` does, and takes the
   * lane's next batch in the same statement, with the lease on its first attempt: the lane is not free in between. Where nothing
   * else waits, it frees the lane, and whoever frees a lane claims again.
   * @param next ids of the next batch and of its lease
   * @param leaseMs how long the lease lasts unless renewed, in milliseconds
   */
  async goOn(lease: Lease, settlement: Settlement, next: NextBatch, leaseMs: number): Promise<WentOn> {
    const { error } = settlement;
    const { rows } = await sql<NextRow>`
      with lane as materialized (
        select l.destination_id, l.next_sequence, limits.records, limits.batch_bytes, limits.overhead, limits.expansion
        from delivery_lanes l join ${this.#limits} on limits.kind = l.target_kind
        where l.destination_id = ${lease.destinationId} and l.batch_id = ${lease.batchId} and l.attempt_token = ${lease.token}
        for update of l
      ),
      ${nextBatch(sql`id not in (select unnest(${lease.deliveryIds}::bigint[]))`)},
      taken as materialized (
        select array_agg(id order by id) as ids, max(unnumbered) as unnumbered, count(*) > 0 as found from batch
      ),
      released as (
        update delivery_lanes l
        set batch_id = case when taken.found then ${next.batchId} end,
            batch_delivery_ids = taken.ids,
            batch_first_sequence = lane.next_sequence,
            next_sequence = lane.next_sequence + coalesce(taken.unnumbered, 0),
            claimed_at = case when taken.found then now() end,
            attempt_token = case when taken.found then ${next.token} end,
            attempt_until = case when taken.found then ${fromNow(leaseMs)} end,
            batch_attempts = case when taken.found then 1 else 0 end,
            revision = l.revision + 1, failures = 0, resume_at = null, status = 'healthy',
            status_since = case when l.status = 'healthy' then l.status_since else now() end,
            last_error_code = coalesce(${error?.code ?? null}, l.last_error_code),
            last_error_message = coalesce(${error?.message ?? null}, l.last_error_message),
            last_error_at = case when ${error !== null} then now() else l.last_error_at end
        from lane, taken, resources r
        where l.destination_id = lane.destination_id and r.id = lane.destination_id
        returning l.batch_delivery_ids::text as delivery_ids, l.batch_first_sequence as first_sequence, r.version
      ),
      ${recording(lease, settlement)}
      select * from released`.execute(this.#db);
    const [row] = rows;
    if (!row) return { kind: 'lost' };
    if (row.delivery_ids === null) return { kind: 'freed' };
    const { delivery_ids: deliveryIds, first_sequence: firstSequence, version } = row;
    const first = { attempt: 1, failures: 0, resumeAt: null };
    return { kind: 'leased', lease: { ...lease, ...next, ...first, version, deliveryIds, firstSequence } };
  }

  /**
   * Expires deliveries that a failing lane never got to: in order, at most `limit` of the first that wait, those that are
   * older than the deadline. They are numbered, so that the destination can see what it did not get.
   * It voids a claim that waits for the lane: who has expired any looks at the lane afterwards.
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
