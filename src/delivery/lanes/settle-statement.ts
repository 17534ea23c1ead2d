import { sql, type RawBuilder } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import { int8Array } from '../../database/int8-array.js';
import { placeholder, PreparedStatement } from '../../database/prepared.js';
import { finishing } from '../finished/finish-statement.js';
import { pairArray } from '../rollups/latency-counts.js';
import { askedCount, isLaneOf, lockedLane, type LockMode } from './asked-lanes.js';
import { earlierRunsWithCurrent } from './earlier-runs.js';
import type { Lease, Settlement, UndeliveredDelivery } from './lane.js';

/** An attempt that is over, with what follows from it. */
export interface EndedAttempt {
  readonly lease: Lease;
  readonly settlement: Settlement;
}

/** The columns of `askedAttempts`, by name: what each attempt changes. Those that are absent in a value are null. */
const attemptColumns = {
  destination_id: 'text',
  batch_id: 'text',
  token: 'text',
  attempt: 'int',
  /** The lane's `resume_at` when the lease was granted. */
  resume_at: 'timestamptz',
  /** The deliveries that are finished, sorted by id. */
  ids: 'bigint[]',
  sequences: 'bigint[]',
  /** In the same order; null when each was delivered. */
  states: 'text[]',
  codes: 'text[]',
  messages: 'text[]',
  frees_lane: 'boolean',
  /** Number of the first delivery that goes back to the lane; null when none does. */
  next_sequence: 'bigint',
  /** Null: the status of the lane stays. */
  status: 'text',
  failures: 'int',
  delay_ms: 'float8',
  error_code: 'text',
  error_message: 'text',
  latest_timestamp_ms: 'bigint',
  started_at: 'timestamptz',
  duration_ms: 'int',
  delivered: 'int',
  retried: 'int',
  rejected: 'int',
  tried: 'int',
  outcome: 'text',
  code: 'text',
  message: 'text',
  http_status: 'int',
  latencies: 'int[]',
  rejections: 'jsonb',
} as const;

/** The further columns of a statement that keeps deliveries. */
const keptColumns = {
  /** The deliveries that stay pending with their numbers, sorted by id; null when none does. */
  kept_ids: 'bigint[]',
  kept_sequences: 'bigint[]',
  /** In the same order; null for a delivery that was not tried this time. */
  kept_codes: 'text[]',
  kept_messages: 'text[]',
} as const;

type Column = keyof typeof attemptColumns | keyof typeof keptColumns;

/** The values of an attempt, by column. */
export type AttemptValues = Readonly<Partial<Record<Column, unknown>>>;

/**
 * The part `asked` of a prepared statement over attempts, with one row for each. Its first values are the number of the
 * attempts, and an array with the JSON text of each one's values: arrays of arrays of different lengths have no other
 * notation, and forty arrays would cost more to read than the attempts to record. The planner expects one row, as with
 * `askedLanes`.
 * @param further columns that follow those of the attempt
 */
export function askedAttempts(further: Readonly<Record<string, string>> = {}): RawBuilder<unknown> {
  const columns = Object.entries({ ...attemptColumns, ...further });
  const definitions = columns.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
  return sql`
      asked as materialized (
        select attempt.*
        from unnest((select ${placeholder(1)}::json[])) as value
        cross join lateral json_to_record(value) as attempt (${sql.join(definitions)})
        limit (select ${askedCount})
      )`;
}

/** Returns the values of an attempt that is to be recorded. */
export function attemptValues({ lease, settlement }: EndedAttempt): AttemptValues {
  const { undelivered, error, interruption, rejections } = settlement;
  const kept = byId(undelivered.filter(({ state }) => state === 'pending'));
  const failed = undelivered.filter(({ state }) => state !== 'pending');
  const finished = byId<FinishedDelivery>([...settlement.delivered, ...failed]);
  const reason = error ?? interruption;
  const tried = undelivered.filter(({ code }) => code !== null);
  return {
    destination_id: lease.destinationId,
    batch_id: lease.batchId,
    token: lease.token,
    attempt: lease.attempt,
    resume_at: lease.resumeAt,
    ids: int8Array(finished.map(({ id }) => id)),
    sequences: int8Array(finished.map(({ sequence }) => sequence)),
    ...(failed.length > 0 && outcomesOf(finished)),
    ...(kept.length > 0 && keptValues(kept)),
    frees_lane: settlement.freesLane,
    next_sequence: settlement.nextSequence ?? lease.behindFrom,
    status: settlement.status,
    failures: settlement.failures,
    delay_ms: settlement.delayMs,
    error_code: error?.code,
    error_message: error?.message,
    latest_timestamp_ms: settlement.latestTimestampMs,
    started_at: settlement.startedAt,
    duration_ms: settlement.durationMs,
    delivered: settlement.delivered.length,
    retried: tried.filter(({ state }) => state === 'pending').length,
    rejected: failed.filter(({ state }) => state === 'rejected').length,
    tried: settlement.delivered.length + tried.length,
    outcome: settlement.outcome,
    code: reason?.code,
    message: reason?.message,
    http_status: reason?.httpStatus,
    latencies: pairArray(settlement.latencies),
    rejections,
  };
}

/**
 * The parts of a statement that record the attempts of its part `lane`, which has the columns of `askedAttempts` for
 * each lane that it has locked: the deliveries that are finished, and the attempt itself. They write nothing for a row
 * without an attempt.
 */
export const recordedAttempts = sql`
      ${finishing(sql`using lane where ${isDelivery('ids')}`, {
        ...valuesOfAttempt('ids', 'sequences', 'codes', 'messages'),
        state: sql`case when lane.states is null then 'delivered' else lane.states[${indexIn('ids')}] end`,
      })},
      attempt as (
        insert into delivery_attempts (batch_id, destination_id, number, started_at, duration_ms, records, delivered, retried,
                                       rejected, outcome, code, message, http_status, latencies, rejections)
        select batch_id, destination_id, attempt, started_at, duration_ms, tried, delivered, retried,
               rejected, outcome, code, message, http_status, latencies, rejections
        from lane where attempt is not null
      )`;

/** Updates the deliveries that stay pending. One that was not tried gets its number, unless it has one. */
function keptDeliveries(): RawBuilder<unknown> {
  const { sequence, batchId, attempts, errorCode, errorMessage, earlierRuns } = valuesOfAttempt(
    'kept_ids',
    'kept_sequences',
    'kept_codes',
    'kept_messages',
  );
  const isTried = sql`${errorCode} is not null`;
  return sql`
        update deliveries d
        set sequence = ${sequence},
            batch_id = case when ${isTried} then ${batchId} else d.batch_id end,
            attempts = case when ${isTried} then ${attempts} else d.attempts end,
            error_code = case when ${isTried} then ${errorCode} else d.error_code end,
            error_message = case when ${isTried} then ${errorMessage} else d.error_message end,
            earlier_runs = case when ${isTried} then ${earlierRuns} else d.earlier_runs end
        from lane
        where ${isDelivery('kept_ids')} and (${isTried} or d.sequence is null)`;
}

/** A lane whose attempt was recorded. */
interface SettledRow {
  token: string;
  /** Whether the lane backs off. */
  backs_off: boolean;
}

/**
 * Records attempts, and frees their lanes or keeps the rest of the batches: one row for each lane. No row for a lane
 * whose lease was lost; and for one that another transaction has locked, when locks are skipped.
 * @param keeps whether a delivery of the attempts may stay pending. The part that records those costs a tenth of the
 * statement for a lone delivery, even when it finds none.
 */
export function settleStatement(mode: LockMode, keeps: boolean): PreparedStatement<SettledRow> {
  const keepsBatch = keeps ? sql`lane.kept_ids is not null and not lane.frees_lane` : sql`false`;
  const keptIds = keeps ? sql`lane.kept_ids` : sql`null::bigint[]`;
  const isResumed = sql`l.resume_at is distinct from lane.resume_at`;
  return new PreparedStatement(sql<SettledRow>`
      with ${askedAttempts(keeps ? keptColumns : {})},
      lane as materialized (
        select asked.*
        from asked
        cross join lateral (
          select from delivery_lanes
          where destination_id = asked.destination_id and batch_id = asked.batch_id and attempt_token = asked.token
          ${lockedLane(mode)}
        ) locked
      ),
      settled as (
        update delivery_lanes l
        set batch_id = case when ${keepsBatch} then l.batch_id end,
            batch_delivery_ids = case when ${keepsBatch} then ${keptIds} end,
            claimed_at = case when ${keepsBatch} then l.claimed_at end,
            attempt_token = null, attempt_until = null, revision = l.revision + 1,
            next_sequence = coalesce(lane.next_sequence, l.next_sequence),
            failures = case when lane.status is null then l.failures
                            when ${isResumed} then least(lane.failures, 1) else lane.failures end,
            status = coalesce(lane.status, l.status),
            status_since = case when l.status = coalesce(lane.status, l.status) then l.status_since else now() end,
            -- Null without a delay: nothing failed.
            resume_at = case when not (${isResumed}) then ${fromNow(sql`lane.delay_ms`)} end,
            last_error_code = coalesce(lane.error_code, l.last_error_code),
            last_error_message = coalesce(lane.error_message, l.last_error_message),
            last_error_at = case when lane.error_code is null then l.last_error_at else now() end,
            latest_timestamp_ms = greatest(l.latest_timestamp_ms, lane.latest_timestamp_ms)
        from lane
        where l.destination_id = lane.destination_id and ${isLaneOf('lane')}
        returning lane.token, l.resume_at is not null as backs_off
      ),
      ${keeps ? sql`kept as (${keptDeliveries()}),` : sql``}
      ${recordedAttempts}
      select token, backs_off from settled`);
}

/** Returns whether a delivery of an attempt stays pending. */
export function keepsDeliveries({ settlement }: EndedAttempt): boolean {
  return settlement.undelivered.some(({ state }) => state === 'pending');
}

/** Returns the values of a `settleStatement`. */
export function settleValues(attempts: readonly EndedAttempt[]): readonly unknown[] {
  return [attempts.length, attempts.map((attempt) => storableJson(attemptValues(attempt)))];
}

type IdsColumn = 'ids' | 'kept_ids';
type ArrayColumn = Extract<Column, `${string}sequences` | `${string}codes` | `${string}messages`>;

/**
 * Whether the pending delivery `d` is one of the lane's in this column. The second half bounds by the size of the
 * statement what the planner may compare with the rows of `lane`, as `isLaneOf` does.
 */
function isDelivery(ids: IdsColumn): RawBuilder<boolean> {
  const column = sql.ref(ids);
  return sql<boolean>`d.destination_id = lane.destination_id and d.id = any(lane.${column}) and d.state = 'pending'
          and d.destination_id = any(array(select destination_id from lane))
          and d.id = any(array(select unnest(${column}) from lane))`;
}

/**
 * The index of the delivery `d` in a sorted column of its lane, by binary search. A join with the arrays as rows would
 * be planned without their number: at worst, every row is compared with every other.
 */
function indexIn(ids: IdsColumn): RawBuilder<number> {
  return sql<number>`width_bucket(d.id, lane.${sql.ref(ids)})`;
}

/** What an attempt changes of the delivery `d`, beside its state. */
function valuesOfAttempt(ids: IdsColumn, sequences: ArrayColumn, codes: ArrayColumn, messages: ArrayColumn) {
  const of = (column: ArrayColumn) => sql`lane.${sql.ref(column)}[${indexIn(ids)}]`;
  return {
    sequence: of(sequences),
    batchId: sql`lane.batch_id`,
    attempts: sql`lane.attempt`,
    errorCode: of(codes),
    errorMessage: of(messages),
    earlierRuns: sql`case when d.batch_id = lane.batch_id then d.earlier_runs else ${earlierRunsWithCurrent} end`,
  };
}

type FinishedDelivery = Settlement['delivered'][number] | UndeliveredDelivery;

function outcomesOf(finished: readonly FinishedDelivery[]): AttemptValues {
  const all = finished.map((one) => ('state' in one ? one : { state: 'delivered', code: null, message: null }));
  return {
    states: all.map(({ state }) => state),
    codes: all.map(({ code }) => code),
    messages: all.map(({ message }) => message),
  };
}

function keptValues(kept: readonly UndeliveredDelivery[]): AttemptValues {
  return {
    kept_ids: int8Array(kept.map(({ id }) => id)),
    kept_sequences: int8Array(kept.map(({ sequence }) => sequence)),
    kept_codes: kept.map(({ code }) => code),
    kept_messages: kept.map(({ message }) => message),
  };
}

/** What Postgres does not accept in JSON: NUL, and an unpaired surrogate, in which a shortened message may end. */
const unstorable = /\\u(0000|d[89a-f])/;

/** Returns the JSON text of values, in which U+FFFD replaces what Postgres does not accept. */
export function storableJson(values: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(values);
  if (!unstorable.test(text)) return text;
  return JSON.stringify(values, (_, value: unknown) =>
    typeof value === 'string' ? Buffer.from(value).toString().replaceAll('\0', '\uFFFD') : value,
  );
}

function byId<T extends { readonly id: number }>(deliveries: readonly T[]): readonly T[] {
  return deliveries.toSorted((a, b) => a.id - b.id);
}
