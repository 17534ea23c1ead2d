import type { Store } from '../../src/database/store.js';
import type { StoredEvent } from '../../src/events/envelope/stored-event.js';
import { EventSearchStore } from '../../src/events/log/event-search-store.js';

/** Returns at most `limit` events of an account, newest first, older than `beforeId` and of `type` if given. */
export async function newestEvents(
  store: Store,
  accountId: string,
  { limit, beforeId, type }: { limit: number; beforeId?: string | undefined; type?: string | undefined },
): Promise<readonly StoredEvent[]> {
  const filter = { type: type === undefined ? [] : [type] };
  const range = { order: 'newest_first', before_id: beforeId } as const;
  return (await new EventSearchStore(store.db).page(accountId, filter, range, limit)).events;
}
