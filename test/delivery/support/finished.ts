import { partitionName, startOfDay } from '../../../src/database/partitions/day-partitions.js';
import type { Store } from '../../../src/database/store.js';
import type { DeliveryState } from '../../../src/database/tables.js';
import { idBound } from '../../../src/ids/id-time.js';

const DAY_MS = 86_400_000;

const COLUMNS = `id, event_id, destination_id, account_id, sequence, batch_id, attempts, created_at, error_code,
  error_message, redelivered_at, earlier_runs`;

/** A finished delivery's end. */
export interface FinishedAs {
  readonly state: Exclude<DeliveryState, 'pending'>;
  /** How long ago it finished, in days. */
  readonly daysAgo?: number;
}

/** Finishes the deliveries of these events, as a settlement does. */
export async function finishDeliveries(
  store: Store,
  eventIds: readonly string[],
  { state, daysAgo = 0 }: FinishedAs,
): Promise<void> {
  await store.pool.query(
    `with finished as (delete from deliveries where event_id = any($1) returning ${COLUMNS})
     insert into finished_deliveries (${COLUMNS}, state, finished_at)
     select ${COLUMNS}, $2, now() - $3 * interval '1 day' from finished`,
    [eventIds, state, daysAgo],
  );
}

/** Returns the beginning of the day so many days ago. */
export function dayAgo(days: number): Date {
  return startOfDay(new Date(Date.now() - days * DAY_MS));
}

/** Returns the name of the partition of finished deliveries of the day so many days ago. */
export function finishedDay(daysAgo: number): string {
  return partitionName('finished_deliveries', dayAgo(daysAgo));
}

/** Returns the beginnings of event ids of the last so many days, oldest first; 16 characters are left. */
export function dayPrefixes(days: number): readonly string[] {
  return Array.from({ length: days }, (_, index) => idBound('evt', dayAgo(days - 1 - index)));
}

/** Creates the partition of a past day, as it was created while that day was one of the next ones. */
export async function createDay(store: Store, daysAgo: number): Promise<string> {
  const name = finishedDay(daysAgo);
  const bounds = [idBound('evt', dayAgo(daysAgo)), idBound('evt', dayAgo(daysAgo - 1))];
  await store.pool.query(
    `create table if not exists ${name} partition of finished_deliveries for values from ('${bounds[0]}') to ('${bounds[1]}')`,
  );
  return name;
}

/** Creates the partitions of the last so many days. */
export async function createDays(store: Store, days: number): Promise<void> {
  for (let daysAgo = 0; daysAgo < days; daysAgo += 1) await createDay(store, daysAgo);
}
