import { page, withCompleteSince, type Page } from '../../http/pagination.js';
import type { RequestContext } from '../../http/request-context.js';
import { invalidInput } from '../../problems/problem.js';
import type { EventCatalogue } from '../event-catalogue.js';
import { toEventResponse } from '../event-log.js';
import type { RegisteredTypeStore } from '../registered-types/registered-type-store.js';
import type { StoredEvent } from '../stored-event.js';
import type { Completeness } from './completeness.js';
import { filterOf, type EventFilter, rangeOf, repeatedOf, type EventSearchQuery } from './event-filter.js';
import type { EventSearchStore } from './event-search-store.js';

/** Dependencies of EventSearch. */
export interface EventSearchParts {
  readonly store: EventSearchStore;
  readonly completeness: Completeness;
  readonly catalogue: EventCatalogue;
  readonly types: Pick<RegisteredTypeStore, 'byEventType'>;
}

/** Searches the events of an account. */
export class EventSearch {
  constructor(private readonly parts: EventSearchParts) {}

  /**
   * Returns a page of the events that pass the filters of a query.
   * @param path the path of the list
   * @param fixed the parameters that the path stands for
   * @throws Problem `invalid_input` for a cursor or an event type that does not exist
   */
  async search(
    context: RequestContext,
    query: EventSearchQuery,
    path: string,
    fixed: readonly string[] = [],
  ): Promise<Page> {
    const { limit } = query;
    const filter = filterOf(query);
    const range = rangeOf(query);
    await this.refuseUnknownTypes(context, filter.types);
    const { events, resumeAt } = await this.parts.store.page(context.accountId, filter, range, limit + 1);
    const since = await this.parts.completeness.of(context.accountId, 'events', filter);
    const listed = page({
      items: events.map((event) => toEventResponse(event, context.baseUrl)),
      limit,
      listKey: 'events',
      path,
      baseUrl: context.baseUrl,
      query: repeatedOf(query, fixed),
      oldestFirst: query.order === 'oldest_first',
      resumeAt,
    });
    return withCompleteSince(listed, since);
  }

  /** Returns the newest event of a resource, or undefined. */
  async newestOf({ accountId }: RequestContext, objectId: string): Promise<StoredEvent | undefined> {
    const query = { order: 'newest_first', limit: 1, object_id: objectId } as const;
    const { events } = await this.parts.store.page(accountId, filterOf(query), rangeOf(query), 1);
    return events[0];
  }

  /** Since when a search with this filter misses no event; null when it misses none. */
  completeSince(accountId: string, filter: EventFilter) {
    return this.parts.completeness.of(accountId, 'events', filter);
  }

  /**
   * Refuses event types that do not exist: a list without their events would be misleading.
   * @param pointer where the types are in the request
   * @throws Problem `invalid_input`
   */
  async refuseUnknownTypes({ accountId }: RequestContext, types: readonly string[], pointer = '?type'): Promise<void> {
    const others = types.filter((type) => this.parts.catalogue.find(type) === undefined);
    if (others.length === 0) return;
    const registered = await this.parts.types.byEventType(accountId, others);
    const unregistered = others.filter((type) => !registered.has(type));
    if (unregistered.length === 0) return;
    // A type may have been deleted since.
    const unknown = await this.parts.store.typesWithoutEvents(accountId, unregistered);
    if (unknown.length === 0) return;
    throw invalidInput(
      unknown.map((type) => ({
        pointer,
        detail: `${JSON.stringify(type)} is not an event type; see /event_types`,
      })),
    );
  }
}
