import { echoed } from '../../bounds/storable.js';
import type { Redeliveries } from '../../delivery/redelivery/redeliveries.js';
import type { RequestContext } from '../../http/request/request-context.js';
import { assertCursor, type Page } from '../../http/response/pagination.js';
import { invalidInput, notFound, Problem } from '../../problems/problem.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import { toStatusResponse, type DestinationStatus } from '../status/destination-status.js';
import type { LanePage, LaneView, LaneViewStore } from '../status/lane-view-store.js';
import type { RedeliveryResponse, RedeliveryRequest } from './redelivery-request.js';
import type { DeliverySearchQuery } from './search/delivery-filter.js';
import type { DeliverySearch } from './search/delivery-search.js';

/** Dependencies of DestinationDeliveries. */
export interface DestinationDeliveriesParts {
  readonly lanes: LaneViewStore;
  readonly search: DeliverySearch;
  readonly redeliveries: Redeliveries;
}

/** Reads the status and the deliveries of destinations, and redelivers events. */
export class DestinationDeliveries {
  constructor(private readonly parts: DestinationDeliveriesParts) {}

  /** @throws Problem `not_found` */
  async status(context: RequestContext, id: string): Promise<DestinationStatus> {
    return toStatusResponse(await this.lane(context, id), context.baseUrl);
  }

  /** The status of the account's destinations, newest first. @throws Problem `invalid_input` for a cursor */
  async statuses(context: RequestContext, lanePage: LanePage): Promise<readonly DestinationStatus[]> {
    assertCursor(eventDestination.prefix, lanePage.beforeId);
    const lanes = await this.parts.lanes.list(context.accountId, lanePage);
    return lanes.map((lane) => toStatusResponse(lane, context.baseUrl));
  }

  /**
   * Returns a page of the deliveries that pass the filters of a query.
   * @throws Problem `not_found`, or `invalid_input` for a cursor or an event type that does not exist
   */
  async list(context: RequestContext, id: string, query: DeliverySearchQuery): Promise<Page> {
    const listed = await this.parts.search.search(context, id, query, `${eventDestination.path}/${id}/deliveries`);
    if (!listed) throw notFound('event destination', id);
    return listed;
  }

  /**
   * @throws Problem `not_found`; `invalid_input` for events without a delivery to the destination; `event_erased` for
   * those that were erased
   */
  async redeliver(context: RequestContext, id: string, request: RedeliveryRequest): Promise<RedeliveryResponse> {
    await this.lane(context, id);
    const { event_ids: ids, state, from, to } = request;
    if (state !== undefined) {
      const range = { state, from: new Date(from ?? 0), to: to === undefined ? undefined : new Date(to) };
      const { count, nextFrom } = await this.parts.redeliveries.range(id, range);
      return { count, next_from: nextFrom?.toISOString() ?? null };
    }
    const result = await this.parts.redeliveries.events(context.accountId, id, ids ?? []);
    if ('count' in result) return { count: result.count, next_from: null };
    if ('erased' in result) {
      const detail = `Erased events cannot be delivered again: ${result.erased.slice(0, 10).join(', ')}. Nothing was changed.`;
      throw new Problem('conflict', 'event_erased', detail);
    }
    throw invalidInput(
      result.unknown.map((event) => ({
        pointer: `/event_ids/${ids?.indexOf(event)}`,
        detail: `there is no delivery of the event ${JSON.stringify(echoed(event))} to this destination`,
      })),
    );
  }

  private async lane({ accountId }: RequestContext, id: string): Promise<LaneView> {
    const lane = await this.parts.lanes.find(accountId, id);
    if (!lane) throw notFound('event destination', id);
    return lane;
  }
}
