import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../src/database/database.js';
import { newId } from '../../../../src/ids/id.js';
import type { SeededDestination } from '../seed.js';

/** The direct SQL of the model on the rows of lanes and deliveries. */

/** Creates destinations without secrets, with their lanes: the model calls no vendor. */
export async function createLanes(
  db: Database,
  accountId: string,
  count: number,
): Promise<readonly SeededDestination[]> {
  const ids = Array.from({ length: count }, () => newId('ed'));
  await sql`
    with destination as (
      insert into resources (id, account_id, kind, attributes, created_at, updated_at)
      select id, ${accountId}, 'event_destination', '{}', now(), now() from unnest(${ids}::text[]) id
      returning id
    )
    insert into delivery_lanes (destination_id, account_id, target_kind, epoch)
    select id, ${accountId}, 'data_stream', (select epoch from installation) from destination`.execute(db);
  return ids.map((id) => ({ id, accountId, kind: 'data_stream', address: id }));
}

/** Inserts an event of a resource with its deliveries, in the writer's transaction. Returns the event's id. */
export async function insertChange(
  trx: Transaction,
  destinations: readonly SeededDestination[],
  resourceId: string,
): Promise<string> {
  const event = newId('evt');
  const accountId = destinations[0]?.accountId ?? '';
  await sql`
    insert into events (id, account_id, type, resource_id, payload, created_at, commitment)
    values (${event}, ${accountId}, 'ip_policy_updated.v0', ${resourceId}, '{"object":{}}', now(), '')`.execute(trx);
  await sql`
    insert into deliveries (event_id, destination_id, account_id, created_at)
    select ${event}, id, ${accountId}, now()
    from unnest(${destinations.map(({ id }) => id)}::text[]) as destination (id)`.execute(trx);
  return event;
}

/**
 * Lets an hour pass for a lane: its backoff and the leases of these tokens end. An attempt under way takes the changed
 * `resume_at` for a resume, and is recorded without a backoff.
 * @returns whether the lane had no batch and was in backoff
 */
export async function passTime(db: Database, destinationId: string, tokens: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ idle_in_backoff: boolean }>`
    update delivery_lanes lane
    set claimed_at = lane.claimed_at - interval '1 hour',
        attempt_until = case when lane.attempt_token = any(${tokens}::text[])
                             then least(lane.attempt_until, now() - interval '1 hour') else lane.attempt_until end,
        resume_at = lane.resume_at - interval '1 hour'
    from (select destination_id, batch_id is null and resume_at > now() as idle_in_backoff
          from delivery_lanes where destination_id = ${destinationId}) before
    where lane.destination_id = before.destination_id
    returning before.idle_in_backoff is true as idle_in_backoff`.execute(db);
  return rows[0]?.idle_in_backoff ?? false;
}

/** Makes the pending deliveries of a destination older than their deadline. */
export async function passDeadline(db: Database, destinationId: string): Promise<void> {
  await sql`
    update deliveries
    set created_at = created_at - interval '1 day', redelivered_at = redelivered_at - interval '1 day'
    where destination_id = ${destinationId} and state = 'pending'`.execute(db);
}

/**
 * Lets a day pass for a paused lane, whose deadlines stand still: for its pause, its earlier pauses, and what waits.
 */
export async function passPausedDay(db: Database, destinationId: string): Promise<void> {
  await sql`
    with lane as (
      update delivery_lanes l
      set paused_at = l.paused_at - interval '1 day',
          pauses = (select range_agg(tstzrange(lower(pause) - interval '1 day', upper(pause) - interval '1 day'))
                    from unnest(l.pauses) as pause)
      where l.destination_id = ${destinationId} and l.paused_at is not null
      returning l.destination_id
    )
    update deliveries d
    set created_at = d.created_at - interval '1 day', redelivered_at = d.redelivered_at - interval '1 day'
    from lane where d.destination_id = lane.destination_id and d.state = 'pending'`.execute(db);
}

/** The state of a lane for the rule of wake-ups. */
export interface LaneState {
  readonly batch_id: string | null;
  readonly is_paused: boolean;
  /** The deliveries of the batch. */
  readonly batch: readonly string[];
  readonly in_backoff: boolean;
  /** Whether a committed delivery is pending. */
  readonly has_pending: boolean;
}

/** Returns the states of lanes, in their order. */
export async function laneStates(db: Database, destinationIds: readonly string[]): Promise<readonly LaneState[]> {
  const { rows } = await sql<LaneState>`
    select lane.batch_id, coalesce(lane.resume_at > now(), false) as in_backoff, lane.paused_at is not null as is_paused,
           coalesce(lane.batch_delivery_ids, '{}')::text[] as batch,
           exists (select from deliveries d
                   where d.destination_id = lane.destination_id and d.state = 'pending') as has_pending
    from unnest(${destinationIds}::text[]) with ordinality as wanted (id, position)
    join delivery_lanes lane on lane.destination_id = wanted.id
    order by wanted.position`.execute(db);
  return rows;
}

/** Returns the events of a destination whose deliveries were redelivered, and are pending or finished again. */
export async function redeliveredEvents(db: Database, destinationId: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ event_id: string }>`
    select event_id from all_deliveries where destination_id = ${destinationId} and redelivered_at is not null`.execute(
    db,
  );
  return new Set(rows.map(({ event_id }) => event_id));
}

/** Removes lanes at the end of a run: the sweepers of later runs do not visit them. */
export async function removeLanes(db: Database, destinationIds: readonly string[]): Promise<void> {
  await sql`delete from delivery_lanes where destination_id = any(${destinationIds}::text[])`.execute(db);
}

/** Returns how many of these server processes wait for a lock. */
export async function waitingForLocks(db: Database, pids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting
    from unnest(${`{${pids.join(',')}}`}::int[]) as asked, pg_stat_get_activity(asked)
    where wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.waiting ?? 0;
}
