import { setTimeout as sleep } from 'node:timers/promises';
import { BackfillFeeder } from '../../../src/destinations/backfills/backfill-feeder.js';
import { BackfillStore, type Backfill, type NewBackfill } from '../../../src/destinations/backfills/backfill-store.js';
import type { Pipeline } from './pipeline.js';
import type { SeededDestination } from './seed.js';

const DAY_MS = 86_400_000;

/** The type of the seeded events. */
export const SEEDED_TYPE = 'ip_policy_created.v0';

/** Returns a feeder of the backfills in a pipeline. */
export function feederOf(pipeline: Pipeline, eventsMs = 400 * DAY_MS, catchUpMs = 0): BackfillFeeder {
  const { store, dispatcher, logger } = pipeline;
  return new BackfillFeeder({ db: store.db, dispatcher, logger, eventsMs, catchUpMs });
}

/** Adds routes to a destination. The subscription is any resource: the destination itself. */
export async function subscribe(
  { store, accountId }: Pipeline,
  { id }: SeededDestination,
  types: readonly string[] = [SEEDED_TYPE],
): Promise<void> {
  await store.pool.query(
    `insert into event_routes (account_id, event_type, destination_id, subscription_id)
     select $1, type, $2, $2 from unnest($3::text[]) type`,
    [accountId, id, types],
  );
}

/** Requests a backfill of what is recorded so far. Later events have a later time. */
export async function requestBackfill(
  { store, accountId }: Pick<Pipeline, 'store' | 'accountId'>,
  { id: destinationId }: SeededDestination,
  options: Partial<NewBackfill> = {},
): Promise<Backfill> {
  const to = new Date(Date.now() + 1);
  await sleep(2);
  const created = await new BackfillStore(store.db).create({
    account_id: accountId,
    destination_id: destinationId,
    from_time: new Date(0),
    to_time: to,
    types: [SEEDED_TYPE],
    filter: null,
    events_per_second: 1_000,
    dry_run: false,
    complete_since: null,
    repeats_before: null,
    ...options,
  });
  if (!created) throw new Error('There is an unfinished backfill already.');
  return created;
}

/** Returns a backfill as it is now. */
export async function progressOf({ store }: Pipeline, backfill: Backfill): Promise<Backfill> {
  const found = await new BackfillStore(store.db).find(backfill, backfill.id);
  if (!found) throw new Error('The backfill does not exist.');
  return found;
}

/** Makes the next step of a backfill due, whatever its rate. */
export async function makeDue({ store }: Pipeline, { id }: Backfill): Promise<void> {
  await store.pool.query('update backfills set next_at = now() where id = $1', [id]);
}

/** Feeds until no backfill is unfinished. */
export async function feedAll(feeder: BackfillFeeder): Promise<void> {
  await feeder.run({ stopped: new AbortController().signal, progressed: () => undefined });
}
