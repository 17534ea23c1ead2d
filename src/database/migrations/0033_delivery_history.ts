import { sql, type Kysely } from 'kysely';
import { timeOfId } from '../../ids/id-time.js';
import {
  createDayPartition,
  createDefaultPartition,
  daysBetween,
  startOfDay,
  type DayPartitionedTable,
} from '../day-partitions.js';

/** A release before it does not find finished deliveries. */
export const additive = false;

const DAY_MS = 86_400_000;

/** Days before today that get a partition, at most; older deliveries are in the default partition. */
const MAX_PAST_DAYS = 100;
/** Days after today that get one. The worker creates the later ones. */
const DAYS_AHEAD = 3;

const history: DayPartitionedTable = { name: 'delivery_history', key: 'event_id', prefix: 'evt' };

const columns = sql`id, event_id, destination_id, account_id, state, sequence, batch_id, attempts, created_at,
  finished_at, error_code, error_message, redelivered_at, earlier_runs`;

const statements = [
  // Finished deliveries. The partition key is the event's id, which begins with its time: a day of events is a
  // partition, and what belongs to an event is in one of them. The primary key serves the deliveries of an event. The
  // columns of eight bytes are first: they need no padding there.
  sql`create table delivery_history (
    id bigint not null,
    sequence bigint,
    created_at timestamptz not null,
    finished_at timestamptz not null,
    redelivered_at timestamptz,
    attempts integer not null,
    event_id text collate "C" not null,
    destination_id text collate "C" not null,
    account_id text collate "C" not null,
    batch_id text collate "C",
    state text not null check (state in ('delivered', 'rejected', 'expired', 'cancelled')),
    error_code text,
    error_message text,
    earlier_runs jsonb,
    primary key (event_id, id)
  ) partition by range (event_id)`,
  sql`create index delivery_history_by_destination on delivery_history (destination_id, id)`,
  sql`create index delivery_history_by_state on delivery_history (destination_id, state, created_at, id)`,
  // Whether anything of a day finished lately. Rows are added in that order: a summary of each range of pages is
  // enough.
  sql`create index delivery_history_by_end on delivery_history using brin (finished_at)`,

  // deliveries holds the pending ones, and what processes of an older release have finished.
  sql`create view all_deliveries as
    select ${columns} from deliveries union all select ${columns} from delivery_history`,
];

/** The history of deliveries, apart from those that wait. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
  await createDefaultPartition(db, history);
  const now = Date.now();
  for (const day of daysBetween(await firstDay(db, now), new Date(now + DAYS_AHEAD * DAY_MS))) {
    await createDayPartition(db, history, day);
  }
}

/** The day of the oldest event with a delivery; yesterday, where there is none or where it is later. */
async function firstDay(db: Kysely<unknown>, now: number): Promise<Date> {
  const { rows } = await sql<{ event_id: string }>`
    select event_id from deliveries order by event_id limit 1`.execute(db);
  const oldest = rows[0] ? timeOfId(rows[0].event_id).getTime() : now;
  return startOfDay(new Date(Math.min(Math.max(oldest, now - MAX_PAST_DAYS * DAY_MS), now - DAY_MS)));
}
