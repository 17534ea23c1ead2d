import { sql, type RawBuilder } from 'kysely';
import { laterByRanges } from '../../database/database-time.js';
import type { Database } from '../../database/database.js';
import type { EarlierEpoch } from '../../database/tables.js';
import { joinFirstPending } from '../../delivery/lanes/first-pending.js';
import { laneState, laneStateSince, laneStates, type LaneState } from '../../delivery/lanes/lane-state.js';
import type { TargetKind } from '../../targets/target.js';

/**
 * Counts are exact up to this number, and lower bounds beyond. It bounds the index entries that a count reads.
 */
export const MAX_COUNTED = 10_000;
/** The same for each destination of a page: a page of 100 reads at most 100,000 index entries for its counts. */
export const MAX_COUNTED_IN_PAGE = 1_000;

/** Is after every id in the order of the ids. */
const BEHIND_ALL_IDS = '~';

/** Pending deliveries of a destination that are read for the next expiry after a redelivery. */
const MOST_READ = 1_000;

/** A count up to a bound. */
export interface BoundedCount {
  readonly count: number;
  /** Whether there are more. */
  readonly isLowerBound: boolean;
}

/** The status of a destination as it is read. */
export interface LaneView {
  readonly destinationId: string;
  /** The description of the destination; null without one. */
  readonly description: string | null;
  readonly targetKind: TargetKind;
  readonly state: LaneState;
  readonly since: Date;
  /** The pause as the destination's `attributes` have it; null while it is not paused. */
  readonly paused: unknown;
  /** The mute as the destination's `attributes` have it; null while it is not muted. */
  readonly muted: unknown;
  /** Of the last error, however long ago. Null without one. */
  readonly lastErrorCode: string | null;
  readonly lastErrorMessage: string | null;
  readonly lastErrorAt: Date | null;
  /** Number of unfinished deliveries, with those in flight: at most one more than `mostCounted`. */
  readonly counted: number;
  readonly mostCounted: number;
  readonly inFlight: number;
  /** When the event of the first pending delivery was recorded. */
  readonly oldestPendingAt: Date | null;
  /** When the next pending delivery expires, unless it is taken; null without one, and while the lane is paused. */
  readonly oldestExpiresAt: Date | null;
  /** End of the backoff; null without a backoff, and while the lane is paused. */
  readonly nextAttemptAt: Date | null;
  /** The highest number of a delivery, 0 before the first. */
  readonly lastSequence: number;
  /** The current epoch of the numbers. */
  readonly epoch: number;
  readonly epochFirstSequence: number;
  /** The epochs before, oldest first. */
  readonly earlierEpochs: readonly EarlierEpoch[] | null;
}

/** A page of lanes. */
export interface LanePage {
  /** The states to show; null: all. */
  readonly states: readonly LaneState[] | null;
  readonly limit: number;
  /** Only destinations older than this id. */
  readonly beforeId: string | undefined;
}

/** Reads lanes for the API. */
export class LaneViewStore {
  /** @param deadlineMs how long a delivery is tried, without pauses, in milliseconds */
  constructor(
    private readonly db: Database,
    private readonly deadlineMs: number,
  ) {}

  /** Returns the status of a destination of the account; undefined when there is no such destination. */
  async find(accountId: string, destinationId: string): Promise<LaneView | undefined> {
    const isWanted = sql`l.destination_id = ${destinationId} and l.account_id = ${accountId}`;
    return (await this.read(MAX_COUNTED, isWanted)).at(0);
  }

  /** Returns whether the account has this destination. */
  async exists(accountId: string, destinationId: string): Promise<boolean> {
    const { rows } = await sql`
      select from delivery_lanes where destination_id = ${destinationId} and account_id = ${accountId}`.execute(
      this.db,
    );
    return rows.length > 0;
  }

  /**
   * Returns the status of a page of the account's destinations, newest first, with counts up to `MAX_COUNTED_IN_PAGE`.
   * Reads a page of index entries for each state, and the lanes of the page alone.
   */
  async list(accountId: string, { states, limit, beforeId }: LanePage): Promise<readonly LaneView[]> {
    const wanted = [...new Set(states ?? laneStates)];
    // A range of pairs, in an order that only the index of the states has. For one state in the order of the ids,
    // Postgres may choose the primary key, and read lanes of other states and accounts.
    const isOfPage = sql`
      l.destination_id = any(array(
        select found.destination_id from unnest(${wanted}::text[]) as wanted (state)
        cross join lateral (
          select destination_id from delivery_lanes
          where account_id = ${accountId} and ${laneState} >= wanted.state
            and (${laneState}, destination_id) < (wanted.state, ${beforeId ?? BEHIND_ALL_IDS})
          order by ${laneState} desc, destination_id desc limit ${limit}
        ) found
        order by found.destination_id desc limit ${limit}
      ))`;
    return this.read(MAX_COUNTED_IN_PAGE, isOfPage);
  }

  /** As `list`, for these destinations of the account. Unknown ones are left out. */
  async listOf(accountId: string, destinationIds: readonly string[]): Promise<readonly LaneView[]> {
    const isWanted = sql`l.destination_id = any(${destinationIds}::text[]) and l.account_id = ${accountId}`;
    return this.read(MAX_COUNTED_IN_PAGE, isWanted);
  }

  /**
   * Returns lanes, newest first.
   * @param most the pending deliveries are counted up to this number
   * @param isWanted a condition on a lane `l`
   */
  private async read(most: number, isWanted: RawBuilder<unknown>): Promise<readonly LaneView[]> {
    const from = laterByRanges(sql`first.asked_at`, sql`l.pauses`);
    // Counted from the newest: the oldest end of the index has the dead entries of what was just delivered.
    const { rows } = await sql<LaneView>`
      select l.destination_id as "destinationId", l.target_kind as "targetKind", ${laneState} as state,
             (select attributes ->> 'description' from resources where id = l.destination_id) as description,
             ${laneStateSince} as since,
             case when l.paused_at is not null
                  then (select attributes -> 'paused' from resources where id = l.destination_id) end as paused,
             case when l.muted_until > now()
                  then (select attributes -> 'muted' from resources where id = l.destination_id) end as muted,
             l.last_error_code as "lastErrorCode", l.last_error_message as "lastErrorMessage",
             l.last_error_at as "lastErrorAt",
             coalesce(cardinality(l.batch_delivery_ids), 0) as "inFlight", l.next_sequence - 1 as "lastSequence",
             l.epoch, l.epoch_first_sequence as "epochFirstSequence", l.earlier_epochs as "earlierEpochs",
             case when l.resume_at > now() and l.paused_at is null then l.resume_at end as "nextAttemptAt",
             (select count(*)::int from (
               select from deliveries where destination_id = l.destination_id and state = 'pending' and id > l.floor_id
               order by id desc limit ${most + 1}) pending) as counted,
             ${most}::int as "mostCounted",
             first.created_at as "oldestPendingAt",
             case when l.paused_at is null
                  then ${from} + ${this.deadlineMs}::float8 * interval '1 ms' end as "oldestExpiresAt"
      from delivery_lanes l ${joinFirstPending(MOST_READ)}
      where ${isWanted}
      order by l.destination_id desc`.execute(this.db);
    return rows;
  }

  /**
   * Returns a text for each of the account's newest destinations, which differs after most changes of its status: after
   * every update of its lane, and after a new delivery. Reads two rows for each.
   */
  async marks(accountId: string, limit: number): Promise<ReadonlyMap<string, string>> {
    const { rows } = await sql<{ id: string; mark: string }>`
      select l.destination_id as id, concat_ws(' ', l.xmin, (
        select id from deliveries
        where destination_id = l.destination_id and state = 'pending' and id > l.floor_id order by id desc limit 1
      )) as mark
      from delivery_lanes l where l.account_id = ${accountId}
      order by l.destination_id desc limit ${limit}`.execute(this.db);
    return new Map(rows.map(({ id, mark }) => [id, mark]));
  }

  /** Counts the pending deliveries that go before this one. */
  async countAhead(destinationId: string, deliveryId: number): Promise<BoundedCount> {
    const { rows } = await sql<{ ahead: number }>`
      select count(*)::int as ahead from (
        select from delivery_lanes l join deliveries d on d.destination_id = l.destination_id and d.id > l.floor_id
        where l.destination_id = ${destinationId} and d.state = 'pending' and d.id < ${deliveryId}
        order by d.id desc limit ${MAX_COUNTED + 1}) counted`.execute(this.db);
    const ahead = rows[0]?.ahead ?? 0;
    return { count: Math.min(ahead, MAX_COUNTED), isLowerBound: ahead > MAX_COUNTED };
  }
}
