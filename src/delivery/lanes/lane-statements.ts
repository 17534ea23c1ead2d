import { sql, type RawBuilder } from 'kysely';
import { finishing } from '../history/finish-statement.js';
import { pairArray } from '../rollups/latency-counts.js';
import { earlierRunsWithCurrent } from './earlier-runs.js';
import type { Lease, UndeliveredDelivery, Settlement } from './lane.js';

/**
 * Most bytes that `appendNumber` adds to a payload: `,"epoch":`, `,"sequence":`, sixteen digits for each, and
 * `,"backfill":true`.
 */
const NUMBER_BYTES = 69;

/**
 * Whether the lane was resumed since the lease was granted, so that no backoff starts: part of an update of the lane.
 */
export function resumedSince(lease: Lease): RawBuilder<boolean> {
  return sql<boolean>`resume_at is distinct from ${lease.resumeAt}::timestamptz`;
}

/**
 * The part `batch` of a statement whose part `lane` holds locked lanes with their limits: the pending deliveries of
 * each lane, in order, up to the limits, and one at least. `unnumbered` counts the deliveries without a number up to
 * each.
 * @param condition which of the pending deliveries may be claimed: from where on, at least
 * @param carried further columns of `lane`, each followed by a comma: a join with `batch` could not be planned
 */
export function nextBatch(condition: RawBuilder<unknown>, carried: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  return sql`
      sized as (
        select lane.destination_id, ${carried} lane.batch_bytes, d.id, d.event_id, d.sequence, e.type,
               row_number() over (partition by lane.destination_id order by d.id) as position,
               sum(ceil((e.bytes + ${NUMBER_BYTES}) * lane.expansion) + lane.overhead)
                 over (partition by lane.destination_id order by d.id) as bytes
        from lane
        cross join lateral (
          select id, event_id, sequence from deliveries
          where destination_id = lane.destination_id and state = 'pending' and ${condition}
          order by id limit lane.records
        ) d
        cross join lateral (
          -- The limit keeps the planner from a scan of all events, which it prefers while they are few.
          select type, octet_length(payload) as bytes from events where id = d.event_id limit 1
        ) e
      ),
      batch as materialized (
        select sized.*, count(*) filter (where sequence is null) over (partition by destination_id order by id) as unnumbered
        from sized
        where bytes <= batch_bytes or position = 1
      )`;
}

/**
 * The parts of a statement that record an attempt: the outcome of each delivery that was tried, the numbers of those
 * that stay in the batch untried, and the attempt itself. They write nothing when the statement's part `lane` has no
 * row.
 */
export function recording(lease: Lease, settlement: Settlement): RawBuilder<unknown> {
  const { delivered, undelivered, error, interruption } = settlement;
  const attempted = undelivered.filter(({ code }) => code !== null);
  const postponed = undelivered.filter(({ code }) => code === null);
  const retried = attempted.filter(({ state }) => state === 'pending');
  const failed = attempted.filter(({ state }) => state !== 'pending');
  const reason = error ?? interruption;
  const rejections = settlement.rejections && JSON.stringify(settlement.rejections);
  return sql`
      ${finishedDeliveries(sql`lane, ${triedArrays(lease, delivered, failed)} as tried`)},
      ${retried.length > 0 ? sql`retried as (${retriedDeliveries(sql`lane, ${triedArrays(lease, [], retried)} as tried`)}),` : sql``}
      ${postponed.length > 0 ? numbering(lease, postponed) : sql``}
      attempt as (${recordedAttempts(sql`
        select ${lease.batchId}, lane.destination_id, ${lease.attempt}, ${settlement.startedAt}, ${settlement.durationMs},
               ${delivered.length + attempted.length}, ${delivered.length}, ${retried.length},
               ${failed.filter(({ state }) => state === 'rejected').length},
               ${settlement.outcome}, ${reason?.code ?? null}, ${reason?.message ?? null}, ${reason?.httpStatus ?? null}::int,
               ${pairArray(settlement.latencies)}::int[], ${rejections}::jsonb
        from lane`)})`;
}

/**
 * The parts `finished` and `recorded` of a statement: the deliveries that attempts have tried for the last time.
 * @param from tables, of which `tried` has a row for each attempt: `destination_id`, `batch_id`, `attempt`, the sorted
 * `ids` of the deliveries, and their `sequences`, `states`, `codes` and `messages` in the same order. The last three
 * are null when each was delivered.
 * @param condition a further condition, which the rows meet: where the planner cannot see that `tried` has few
 */
export function finishedDeliveries(
  from: RawBuilder<unknown>,
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  return finishing(sql`using ${from} where ${isTried} and ${condition}`, {
    ...valuesOfAttempt,
    state: sql`case when tried.states is null then 'delivered' else tried.states[${indexIn('tried')}] end`,
  });
}

/**
 * Records attempts with the deliveries that are tried again.
 * @param from as of `finishedDeliveries`
 */
function retriedDeliveries(from: RawBuilder<unknown>): RawBuilder<unknown> {
  const { sequence, batchId, attempts, errorCode, errorMessage, earlierRuns } = valuesOfAttempt;
  return sql`
        update deliveries d
        set sequence = ${sequence}, batch_id = ${batchId}, attempts = ${attempts}, error_code = ${errorCode},
            error_message = ${errorMessage}, earlier_runs = ${earlierRuns}
        from ${from} where ${isTried}`;
}

/**
 * Records attempts.
 * @param rows a query of their columns, in the order of this statement
 */
export function recordedAttempts(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
        insert into delivery_attempts (batch_id, destination_id, number, started_at, duration_ms, records, delivered, retried,
                                       rejected, outcome, code, message, http_status, latencies, rejections)
        ${rows}`;
}

/** The row of `finishedDeliveries` for one attempt. */
function triedArrays(
  { destinationId, batchId, attempt }: Lease,
  delivered: Settlement['delivered'],
  attempted: readonly UndeliveredDelivery[],
): RawBuilder<unknown> {
  const ids = sql`${destinationId}::text as destination_id, ${batchId}::text as batch_id, ${attempt}::int as attempt`;
  if (attempted.length === 0) return sql`(select ${ids}, ${numberedArrays(byId(delivered))}, ${outcomeArrays(null)})`;
  const rest = { state: 'delivered', code: null, message: null };
  const tried = byId([...delivered.map((one) => ({ ...one, ...rest })), ...attempted]);
  return sql`(select ${ids}, ${numberedArrays(tried)}, ${outcomeArrays(tried)})`;
}

interface Numbered {
  readonly id: number;
  readonly sequence: number;
}

function numberedArrays(deliveries: readonly Numbered[]): RawBuilder<unknown> {
  return sql`${int8Array(deliveries.map(({ id }) => id))}::bigint[] as ids,
             ${int8Array(deliveries.map(({ sequence }) => sequence))}::bigint[] as sequences`;
}

function outcomeArrays(
  tried: readonly Readonly<Record<'state' | 'code' | 'message', string | null>>[] | null,
): RawBuilder<unknown> {
  const texts = (name: 'state' | 'code' | 'message') => tried?.map((one) => one[name]) ?? null;
  return sql`${texts('state')}::text[] as states, ${texts('code')}::text[] as codes, ${texts('message')}::text[] as messages`;
}

/** The part that numbers the deliveries which stay in the batch untried. */
function numbering(lease: Lease, postponed: readonly UndeliveredDelivery[]): RawBuilder<unknown> {
  return sql`numbered as (
        update deliveries d set sequence = kept.sequences[${indexIn('kept')}]
        from lane, (select ${numberedArrays(byId(postponed))}) as kept
        where d.destination_id = ${lease.destinationId} and d.id = any(kept.ids) and d.state = 'pending' and d.sequence is null
      ),`;
}

/**
 * The index of the delivery `d` in the sorted array `ids` of `table`, by binary search. A join with the arrays as rows
 * would be planned without their number: at worst, every row is compared with every other.
 */
function indexIn(table: string): RawBuilder<number> {
  return sql<number>`width_bucket(d.id, ${sql.ref(`${table}.ids`)})`;
}

/** Whether the pending delivery `d` is among those of an attempt. */
const isTried = sql<boolean>`d.destination_id = tried.destination_id and d.id = any(tried.ids) and d.state = 'pending'`;

/** What an attempt changes of the delivery `d`, beside its state. */
const valuesOfAttempt = {
  sequence: sql`tried.sequences[${indexIn('tried')}]`,
  batchId: sql`tried.batch_id`,
  attempts: sql`tried.attempt`,
  errorCode: sql`tried.codes[${indexIn('tried')}]`,
  errorMessage: sql`tried.messages[${indexIn('tried')}]`,
  earlierRuns: sql`case when d.batch_id = tried.batch_id then d.earlier_runs else ${earlierRunsWithCurrent} end`,
};

/** Returns deliveries in the order of `finishedDeliveries`. */
export function byId<T extends { readonly id: number }>(deliveries: readonly T[]): readonly T[] {
  return deliveries.toSorted((a, b) => a.id - b.id);
}

/** A bigint array in Postgres's notation; the driver's own encoding quotes each element. */
export function int8Array(values: readonly number[]): string {
  return `{${values.join(',')}}`;
}
