import { sql, type RawBuilder } from 'kysely';
import type { Database, Transaction } from '../../database/database.js';
import { healthEventTypes, type HealthEventType } from '../../delivery/attempts/health-event-types.js';
import { laneState, laneStates, laneStateSince, type LaneState } from '../../delivery/lanes/lane-state.js';
import { readMute, readPause, type RecordedMute, type RecordedPause } from '../../delivery/lanes/recorded-pause.js';
import { takeUnreported } from '../../delivery/rollups/rollup-store.js';

/** How long a status lasts before it is reported, and rejections wait for more, in milliseconds. */
const HOLD_MS = 60_000;

/** After so long without a report, a destination is quiet: its changes count anew. In milliseconds. */
const QUIET_MS = 86_400_000;

/** Deliveries that are looked at for one that is no event about health. */
const RECENT_DELIVERIES = 100;

/** Rejections of one event. */
const MOST_REJECTIONS = 10_000;

/** What an event says of a destination. */
export interface ReportedDestination {
  readonly accountId: string;
  readonly description: string;
  readonly metadata: string;
}

/** A change of the status to report. */
export interface StatusReport extends ReportedDestination {
  readonly status: LaneState;
  readonly since: Date;
  readonly previous: LaneState;
  /** Null where the last attempt succeeded. */
  readonly errorCode: string | null;
  /** Null unless the status is `paused`. */
  readonly paused: RecordedPause | null;
  /** Null unless the destination is muted now. */
  readonly muted: RecordedMute | null;
}

/** Rejections to report. */
export interface RejectionReport extends ReportedDestination {
  readonly count: number;
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly errorCode: string;
}

/** The columns of a `ReportedDestination` from the lane `l` and the resource `r`. */
const destinationColumns = sql`l.account_id as "accountId", coalesce(r.attributes ->> 'description', '') as description,
  coalesce(r.attributes ->> 'metadata', '') as metadata`;

/** The states that are looked for: each index entry of them is read. */
const states: readonly LaneState[] = laneStates.filter((state) => state !== 'healthy');

/** The lanes `l`, each with its state. */
const lanes = sql`(
      select destination_id, account_id, status, last_error_code, muted_until, ${laneState} as state, ${laneStateSince} as since
      from delivery_lanes
    ) l`;

/** Whether the state of the lane `l` can be reported, given the reported status `s`, whose columns may be null. */
function isHeld(holdMs: number, changes: RawBuilder<unknown>): RawBuilder<boolean> {
  // The hold time doubles after each failure that was reported, and after each recovery.
  return sql<boolean>`l.since <= now()
    - ${holdMs}::float8 * power(2, least((${changes})::int / 2, 20)) * interval '1 millisecond'`;
}

/** Whether the last report `s` is so long ago that the destination may be quiet. */
const isOld = sql<boolean>`coalesce(s.reported_at <= now() - ${sql.lit(QUIET_MS)} * interval '1 millisecond', true)`;

/**
 * What is to be reported of the health of destinations. Each report is written down in the transaction of its event, so
 * a process that dies reports nothing twice. docs/decisions/destinations.md has the rules.
 */
export class HealthStore {
  /** @param holdMs how long a status lasts before it is reported, in milliseconds */
  constructor(
    private readonly db: Database,
    private readonly holdMs: number = HOLD_MS,
  ) {}

  /**
   * Returns destinations behind an id whose status may have to be reported, in order. Reads the lanes that are not
   * healthy, or were not when they were reported, of the accounts in which a destination is subscribed to the event.
   */
  async changed(after: string, limit: number): Promise<readonly string[]> {
    const { rows } = await sql<{ destination_id: string }>`
      with account as materialized (
        select distinct account_id from event_routes where event_type = ${sql.lit(healthEventTypes.statusChanged)}
      ),
      lane as materialized (
        select l.destination_id, l.account_id, l.state, l.since
        from account cross join lateral (
          select * from ${lanes} where l.account_id = account.account_id and l.state = any(${states}::text[])
        ) l
        union all
        select l.destination_id, l.account_id, l.state, l.since
        from reported_statuses s join ${lanes} using (destination_id)
        where s.status <> 'healthy' and l.state = 'healthy' and l.account_id in (select account_id from account)
      )
      select l.destination_id
      from lane l left join reported_statuses s using (destination_id)
      where l.destination_id > ${after} and l.state <> coalesce(s.status, 'healthy')
        and ${isHeld(this.holdMs, sql`case when ${isOld} then 0 else s.changes end`)}
        and ${hasReader(healthEventTypes.statusChanged)}
      order by l.destination_id limit ${limit}`.execute(this.db);
    return rows.map(({ destination_id }) => destination_id);
  }

  /** Writes down the status of a destination, and returns what to report; null when nothing is to be reported. */
  async takeStatus(trx: Transaction, destinationId: string): Promise<StatusReport | null> {
    await sql`
      insert into reported_statuses (destination_id) values (${destinationId}) on conflict do nothing`.execute(trx);
    type Row = Omit<StatusReport, 'paused' | 'muted'> & { paused: unknown; muted: unknown; isQuiet: boolean };
    const { rows } = await sql<Row>`
      select ${destinationColumns}, l.state as status, l.since, s.status as previous, quiet.is_quiet as "isQuiet",
             case when l.status <> 'healthy' then l.last_error_code end as "errorCode",
             case when l.state = 'paused' then r.attributes -> 'paused' end as paused,
             case when l.muted_until > now() then r.attributes -> 'muted' end as muted
      from reported_statuses s
      join ${lanes} using (destination_id)
      join resources r on r.id = l.destination_id
      cross join lateral (select ${isOld} and (s.reported_at is null or ${hasOtherDeliveries}) as is_quiet) quiet
      where s.destination_id = ${destinationId} and l.state <> s.status
        and ${isHeld(this.holdMs, sql`case when quiet.is_quiet then 0 else s.changes end`)}
      for update of s`.execute(trx);
    const [row] = rows;
    if (!row) return null;
    const { isQuiet, ...report } = row;
    await sql`
      update reported_statuses
      set status = ${row.status}, reported_at = now(), changes = case when ${isQuiet} then 1 else changes + 1 end
      where destination_id = ${destinationId}`.execute(trx);
    return { ...report, paused: readPause(row.paused), muted: readMute(row.muted) };
  }

  /** Removes some rejections of which no destination is to know. Returns how many, at most `limit`. */
  async dropUnread(limit: number): Promise<number> {
    const { rows } = await takeUnreported(sql`
          select u.id from unreported_rejections u left join delivery_lanes l using (destination_id)
          where l.destination_id is null or not ${hasReader(healthEventTypes.deliveryRejected)}
          limit ${limit}`).execute(this.db);
    return rows.length;
  }

  /** Returns destinations behind an id with rejections that have waited for more, in order. */
  async withRejections(after: string, limit: number): Promise<readonly string[]> {
    const { rows } = await sql<{ destination_id: string }>`
      select destination_id from unreported_rejections
      where destination_id > ${after} group by destination_id
      having min(recorded_at) <= now() - ${this.holdMs}::float8 * interval '1 millisecond'
      order by destination_id limit ${limit}`.execute(this.db);
    return rows.map(({ destination_id }) => destination_id);
  }

  /** Takes the rejections of a destination; null when it was deleted, or no destination is to know of them. */
  async takeRejections(trx: Transaction, destinationId: string): Promise<RejectionReport | null> {
    const { rows } = await sql<RejectionReport>`
      with taken as (${takeUnreported(sql`
          select id from unreported_rejections where destination_id = ${destinationId} order by id limit ${MOST_REJECTIONS}`)}
      ),
      summed as (
        select sum((rejections ->> 'count')::bigint)::bigint as count,
               min((rejections ->> 'first_sequence')::bigint) as "firstSequence",
               max((rejections ->> 'last_sequence')::bigint) as "lastSequence",
               min(recorded_at) as "firstAt", max(recorded_at) as "lastAt",
               (array_agg(rejections ->> 'code' order by id))[1] as "errorCode"
        from taken
      )
      select ${destinationColumns}, summed.*
      from summed join delivery_lanes l on l.destination_id = ${destinationId}
      join resources r on r.id = l.destination_id
      where summed.count > 0 and ${hasReader(healthEventTypes.deliveryRejected)}`.execute(trx);
    return rows[0] ?? null;
  }

  /** Removes what was written down of deleted destinations, and of those that have been healthy for long. */
  async prune(): Promise<void> {
    await sql`
      delete from reported_statuses s
      where (s.status = 'healthy' and s.reported_at <= now() - interval '30 days')
         or not exists (select from delivery_lanes where destination_id = s.destination_id)`.execute(this.db);
  }
}

/** Whether another destination than that of the lane `l` is subscribed to an event type. */
function hasReader(type: HealthEventType): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from event_routes
    where account_id = l.account_id and event_type = ${sql.lit(type)} and destination_id <> l.destination_id
  )`;
}

/** Whether one of the last deliveries of the lane `l` since the last report `s` is no event about health. */
const hasOtherDeliveries = sql<boolean>`exists (
    select from (
      select event_id, created_at from all_deliveries
      where destination_id = l.destination_id order by id desc limit ${sql.lit(RECENT_DELIVERIES)}
    ) d
    cross join lateral (select type from events where id = d.event_id limit 1) e
    where d.created_at > s.reported_at
      and e.type not in (${sql.join(Object.values(healthEventTypes).map((type) => sql.lit(type)))})
  )`;
