import type { RetentionMarks } from '../../database/partitions/retention-marks.js';
import type { RequestContext } from '../../http/request/request-context.js';
import { page, type Page } from '../../http/response/pagination.js';
import { invalidInput, notFound, type Problem } from '../../problems/problem.js';
import type { EventCatalogue } from '../catalogue/event-catalogue.js';
import type { StoredEvent } from '../envelope/stored-event.js';
import type { ResourceTypeStore } from '../resource-types/resource-type-store.js';
import {
  repeatedOf,
  timeIn,
  typesIn,
  type EventFilter,
  type EventSearchQuery,
  type ResourceHistoryQuery,
  type SearchParameters,
} from './event-filter.js';
import { toEventItem, toEventResponse, type EventResponse } from './event-log.js';
import type { EventCounts, EventSearchStore } from './event-search-store.js';

/** Dependencies of EventSearch. */
export interface EventSearchParts {
  readonly store: EventSearchStore;
  readonly marks: Pick<RetentionMarks, 'completeSince'>;
  readonly catalogue: EventCatalogue;
  readonly types: Pick<ResourceTypeStore, 'byEventType'>;
}

/** Reads the events of an account. */
export class EventSearch {
  private readonly builtInTypes: readonly string[];

  constructor(private readonly parts: EventSearchParts) {
    this.builtInTypes = parts.catalogue.all().map(({ type }) => type);
  }

  /**
   * Returns a page of the events that pass the filters of a query.
   * @param path the path of the list
   * @throws Problem `invalid_input` for an event type that does not exist
   */
  async search(context: RequestContext, query: EventSearchQuery, path: string): Promise<Page> {
    await this.refuseUnknownTypes(context, query);
    return this.listed(context, query, query, path);
  }

  /**
   * Returns one event.
   * @throws Problem `not_found`
   */
  async get({ accountId, baseUrl }: RequestContext, id: string): Promise<EventResponse> {
    const [event] = await this.parts.store.withIds(accountId, [id]);
    if (!event) throw notFound('event', id);
    return toEventResponse(event, baseUrl);
  }

  /**
   * Counts the events that pass the filters of a query, over time.
   * @throws Problem `invalid_input` for an event type that does not exist
   */
  async counts(context: RequestContext, filter: EventFilter): Promise<EventCounts> {
    await this.refuseUnknownTypes(context, filter);
    return this.parts.store.counts(context.accountId, filter);
  }

  /**
   * Returns a page of the built-in events of a resource. Published events are left out: publishers choose the ids of
   * their resources, so they may name any.
   * @param path the path of the list
   * @throws Problem `invalid_input` for an event type that is not built in
   */
  async history(context: RequestContext, objectId: string, query: ResourceHistoryQuery, path: string): Promise<Page> {
    const types = typesIn(query);
    const others = types.filter((type) => !this.builtInTypes.includes(type));
    if (others.length > 0)
      throw unknownTypes(others, '?type', 'is not an event type of built-in resources; see /event_types');
    const type = [...(types.length === 0 ? this.builtInTypes : types)];
    return this.listed(context, { ...query, object_id: objectId, type }, query, path);
  }

  private async listed(
    { accountId, baseUrl }: RequestContext,
    filter: EventFilter,
    query: SearchParameters,
    path: string,
  ): Promise<Page> {
    const { limit } = query;
    const { events, resumeAt } = await this.parts.store.page(accountId, filter, query, limit + 1);
    return page({
      items: events.map((event) => toEventItem(event, baseUrl)),
      limit,
      listKey: 'events',
      path,
      baseUrl,
      query: repeatedOf(query),
      oldestFirst: query.order === 'oldest_first',
      resumeAt,
      completeSince: await this.parts.marks.completeSince(accountId, ['events'], timeIn(filter.from)),
    });
  }

  /**
   * Looks for the newest event of a type that a resource has, in a bounded number of its events.
   * @returns undefined when it has none; null when it has too many events to know
   */
  async newestOf(
    { accountId }: RequestContext,
    objectId: string,
    type: string,
  ): Promise<StoredEvent | undefined | null> {
    const filter = { object_id: objectId, type: [type] };
    const { events, resumeAt } = await this.parts.store.page(accountId, filter, { order: 'newest_first' }, 1);
    return events[0] ?? (resumeAt === null ? undefined : null);
  }

  /**
   * Refuses event types that do not exist: a list without their events would be misleading.
   * @param pointer where the types are in the request
   * @throws Problem `invalid_input`
   */
  async refuseUnknownTypes({ accountId }: RequestContext, filter: EventFilter, pointer = '?type'): Promise<void> {
    const others = typesIn(filter).filter((type) => this.parts.catalogue.find(type) === undefined);
    if (others.length === 0) return;
    const registered = await this.parts.types.byEventType(accountId, others);
    const unregistered = others.filter((type) => !registered.has(type));
    if (unregistered.length === 0) return;
    // A type may have been deleted since.
    const unknown = await this.parts.store.typesWithoutEvents(accountId, unregistered);
    if (unknown.length > 0) throw unknownTypes(unknown, pointer, 'is not an event type; see /event_types');
  }
}

function unknownTypes(types: readonly string[], pointer: string, detail: string): Problem {
  return invalidInput(types.map((type) => ({ pointer, detail: `${JSON.stringify(type)} ${detail}` })));
}
