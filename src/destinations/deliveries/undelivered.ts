import { z } from 'zod';
import { completeSince } from '../../database/complete-since.js';
import type { RetentionMarks } from '../../database/retention-marks.js';
import type { RequestContext } from '../../http/request/request-context.js';
import { page, type Page } from '../../http/response/pagination.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import { destinationIdParameter } from '../destination-id-parameter.js';
import { deliveryCursor, deliveryPageParameters, toDeliveryResponse } from './view/delivery-response.js';
import type { DeliveryViewStore } from './view/delivery-view-store.js';
import { undeliveredStates } from './view/delivery-view.js';

/** Path of the list. No id of a destination is `deliveries`: ids have a prefix. */
export const UNDELIVERED_PATH = `${eventDestination.path}/deliveries`;

/** Most destinations of a query: each costs two index lookups for every day of finished deliveries. */
const MAX_DESTINATIONS = 10;

/** The query of the deliveries that ended without being delivered. */
export const undeliveredQuery = z.strictObject({
  ...deliveryPageParameters,
  state: z.enum(undeliveredStates).optional().meta({
    description:
      'Returns only deliveries in this state. `rejected`: refused by the target for good. `expired`: not delivered before its deadline.',
  }),
  destination_id: destinationIdParameter(
    MAX_DESTINATIONS,
    'Returns only deliveries to these destinations, which may be deleted. Unknown ones are left out.',
  ),
});

export type UndeliveredQuery = z.infer<typeof undeliveredQuery>;

/** Lists the deliveries of an account that ended without being delivered. */
export class Undelivered {
  constructor(
    private readonly views: Pick<DeliveryViewStore, 'undelivered'>,
    private readonly marks: Pick<RetentionMarks, 'completeSince'>,
  ) {}

  /** @throws Problem `invalid_input` for a cursor that is not the id of a delivery */
  async list({ accountId, baseUrl }: RequestContext, query: UndeliveredQuery): Promise<Page> {
    const { limit, before_id: beforeId, state, destination_id: destinationIds } = query;
    const wanted = { limit: limit + 1, beforeId: deliveryCursor(beforeId) };
    const { deliveries, resumeAt } = await this.views.undelivered(accountId, { state, destinationIds }, wanted);
    // After the list: what is removed in between is marked by then.
    const removed = await this.marks.completeSince(accountId, 'deliveries');
    return page({
      items: deliveries.map(toDeliveryResponse),
      limit,
      listKey: 'deliveries',
      path: UNDELIVERED_PATH,
      baseUrl,
      query: { state, destination_id: destinationIds },
      resumeAt: resumeAt === null ? null : `dlv_${resumeAt}`,
      completeSince: completeSince(undefined, [removed]),
    });
  }
}
