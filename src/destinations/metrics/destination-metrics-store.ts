import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import type { BucketCount } from '../../delivery/rollups/latency-counts.js';
import type { RollupTable } from '../../delivery/rollups/rollup-store.js';

/** A range of time in steps. Both ends are multiples of the step. */
export interface MetricsRange {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly stepMs: number;
  /** The table whose rows are added up. */
  readonly table: RollupTable;
}

/** What the attempts of one step did. */
export interface StepMetrics {
  readonly attempts: number;
  /** Records of all attempts. */
  readonly records: number;
  /** Records of the largest batch; null without an attempt. */
  readonly largestBatch: number | null;
  readonly delivered: number;
  readonly retried: number;
  readonly rejected: number;
  readonly expired: number;
  /** Of what was delivered. */
  readonly latencies: readonly BucketCount[];
}

/** The metrics of one destination. */
export interface DestinationMetrics {
  /** Attempts that were recorded before this time are counted. */
  readonly completeUntil: Date;
  /** The steps in which anything happened, by their beginning in milliseconds. */
  readonly steps: ReadonlyMap<number, StepMetrics>;
}

/** The destinations whose rates are read. */
export interface RatedDestinations {
  /** Only these; null: all of the account. */
  readonly ids: readonly string[] | null;
  readonly limit: number;
  /** Only destinations older than this id. */
  readonly beforeId: string | undefined;
}

/** What the attempts of one step did with deliveries. */
export interface StepRates {
  readonly delivered: number;
  /** Deliveries that an attempt failed to deliver, whether they are tried again or not, and expired ones. */
  readonly failed: number;
}

/** The rates of several destinations. */
export interface DestinationRates {
  /** Attempts that were recorded before this time are counted. */
  readonly completeUntil: Date;
  /** Newest first, each with the steps in which anything happened, by their beginning in milliseconds. */
  readonly destinations: ReadonlyMap<string, ReadonlyMap<number, StepRates>>;
}

/** Reads the roll-ups of attempts for the API. */
export class DestinationMetricsStore {
  constructor(private readonly db: Database) {}

  /**
   * Returns the metrics of a destination of the account; undefined when there is no such destination. Reads the rows of
   * this destination in the range, each once.
   */
  async read(
    accountId: string,
    destinationId: string,
    { from, to, stepMs, table }: MetricsRange,
  ): Promise<DestinationMetrics | undefined> {
    // First: what is rolled up between the two statements is counted as well.
    const { rows: lanes } = await sql<{ complete_until: Date }>`
      select complete_until from attempt_rollup
      where exists (select from delivery_lanes where destination_id = ${destinationId} and account_id = ${accountId})`.execute(
      this.db,
    );
    const [lane] = lanes;
    if (!lane) return undefined;
    const { rows } = await sql<StepMetrics & { readonly step_ms: number }>`
      with kept as materialized (
        select date_bin(${stepMs}::float8 * interval '1 millisecond', begins_at, timestamptz 'epoch') as step,
               attempts, records, largest_batch, delivered, retried, rejected, expired, latencies
        from ${sql.table(table)}
        where destination_id = ${destinationId} and begins_at >= ${from} and begins_at < ${to}
      ),
      sums as (
        select step, sum(attempts)::bigint as attempts, sum(records)::bigint as records,
               max(largest_batch) as largest_batch, sum(delivered)::bigint as delivered,
               sum(retried)::bigint as retried, sum(rejected)::bigint as rejected, sum(expired)::bigint as expired
        from kept group by step
      ),
      buckets as (
        select step, json_agg(json_build_array(bucket, count) order by bucket) as latencies
        from (
          select step, latencies[i][1] as bucket, sum(latencies[i][2]) as count
          from kept cross join lateral generate_subscripts(latencies, 1) as i
          group by 1, 2
        ) merged
        group by step
      )
      select (1000 * extract(epoch from step))::bigint as step_ms, attempts, records,
             largest_batch as "largestBatch", delivered, retried, rejected, expired,
             coalesce(latencies, '[]'::json) as latencies
      from sums left join buckets using (step)`.execute(this.db);
    return { completeUntil: lane.complete_until, steps: new Map(rows.map(({ step_ms, ...step }) => [step_ms, step])) };
  }

  /** Returns the rates of destinations of the account. Reads the rows of these destinations in the range, each once. */
  async readRates(
    accountId: string,
    { ids, limit, beforeId }: RatedDestinations,
    { from, to, stepMs, table }: MetricsRange,
  ): Promise<DestinationRates> {
    const named = ids === null ? sql`` : sql`and destination_id = any(${ids}::text[])`;
    const older = beforeId === undefined ? sql`` : sql`and destination_id < ${beforeId}`;
    // First, as above.
    const { rows: found } = await sql<{ complete_until: Date; ids: string[] }>`
      select complete_until, array(
        select destination_id from delivery_lanes where account_id = ${accountId} ${named} ${older}
        order by destination_id desc limit ${limit}
      ) as ids
      from attempt_rollup`.execute(this.db);
    const [rollup] = found;
    if (!rollup) throw new Error('The table of the position of the roll-up is empty.');
    const destinations = new Map(rollup.ids.map((id) => [id, new Map<number, StepRates>()]));
    const { rows } = await sql<{ destination_id: string; step_ms: number } & StepRates>`
      select destination_id, (1000 * extract(epoch from step))::bigint as step_ms, sum(delivered)::bigint as delivered,
             sum(retried + rejected + expired)::bigint as failed
      from (
        select destination_id, delivered, retried, rejected, expired,
               date_bin(${stepMs}::float8 * interval '1 millisecond', begins_at, timestamptz 'epoch') as step
        from ${sql.table(table)}
        where destination_id = any(${rollup.ids}::text[]) and begins_at >= ${from} and begins_at < ${to}
      ) kept
      group by destination_id, step`.execute(this.db);
    for (const { destination_id: id, step_ms: step, delivered, failed } of rows) {
      destinations.get(id)?.set(step, { delivered, failed });
    }
    return { completeUntil: rollup.complete_until, destinations };
  }
}
