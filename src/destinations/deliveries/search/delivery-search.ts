import type { RetentionMarks } from '../../../database/partitions/retention-marks.js';
import { repeatedOf, timeIn } from '../../../events/log/event-filter.js';
import type { EventSearch } from '../../../events/log/event-search.js';
import type { RequestContext } from '../../../http/request/request-context.js';
import { JsonItem, page, type Page } from '../../../http/response/pagination.js';
import { toDeliveryResponse } from '../view/delivery-response.js';
import { cursorBehind } from './delivery-cursor.js';
import { deliveryRangeOf, type DeliverySearchQuery } from './delivery-filter.js';
import { orderOf } from './delivery-scan.js';
import type { DeliverySearchStore } from './delivery-search-store.js';

/** Dependencies of DeliverySearch. */
export interface DeliverySearchParts {
  readonly store: DeliverySearchStore;
  readonly marks: Pick<RetentionMarks, 'completeSince'>;
  readonly events: Pick<EventSearch, 'refuseUnknownTypes'>;
}

/** Searches the deliveries of a destination. */
export class DeliverySearch {
  constructor(private readonly parts: DeliverySearchParts) {}

  /**
   * Returns a page of the deliveries that pass the filters of a query; undefined when the account has no such
   * destination.
   * @param path the path of the list
   * @throws Problem `invalid_input` for a cursor or an event type that does not exist
   */
  async search(
    context: RequestContext,
    destinationId: string,
    query: DeliverySearchQuery,
    path: string,
  ): Promise<Page | undefined> {
    const { accountId, baseUrl } = context;
    const { limit } = query;
    const range = deliveryRangeOf(query);
    const order = orderOf(query);
    const { store, marks, events } = this.parts;
    await events.refuseUnknownTypes(context, query);
    const found = await store.page(accountId, destinationId, query, range, limit + 1);
    if (!found) return undefined;
    return page({
      items: found.deliveries.map(
        (one) => new JsonItem(cursorBehind(order, one), JSON.stringify(toDeliveryResponse(one))),
      ),
      limit,
      listKey: 'deliveries',
      path,
      baseUrl,
      query: repeatedOf(query),
      oldestFirst: query.order === 'oldest_first',
      resumeAt: found.resumeAt,
      completeSince: await marks.completeSince(accountId, ['deliveries'], timeIn(query.from)),
    });
  }
}
