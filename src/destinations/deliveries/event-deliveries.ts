import type { RetentionMarks } from '../../database/partitions/retention-marks.js';
import { appendNumber } from '../../delivery/lanes/delivered-event.js';
import type { Projections } from '../../delivery/lanes/projections.js';
import type { EventSearchStore } from '../../events/log/event-search-store.js';
import type { RequestContext } from '../../http/request/request-context.js';
import { notFound, Problem } from '../../problems/problem.js';
import { deliveryCursor, deliveryNumber, toDeliveryResponse, type DeliveryResponse } from './view/delivery-response.js';
import type { DeliveryViewStore } from './view/delivery-view-store.js';
import { integrityOf } from './view/delivery-view.js';

/** Deliveries of one event. */
export interface DeliveriesOfEvent {
  readonly items: readonly DeliveryResponse[];
  /** Where the list stopped before its limit and before its end; null otherwise. */
  readonly resumeAt: string | null;
  /** Since when deliveries are complete; null when those of the event are. */
  readonly completeSince: Date | null;
}

/** Dependencies of EventDeliveries. */
export interface EventDeliveriesParts {
  readonly events: Pick<EventSearchStore, 'withIds'>;
  readonly views: DeliveryViewStore;
  readonly marks: RetentionMarks;
  /** Reads what a destination receives instead of whole events. */
  readonly projections: (destinationId: string, eventIds: readonly string[]) => Promise<Pick<Projections, 'of'>>;
  /** Begins the origin of each log. */
  readonly logName: string;
}

/** Reads the deliveries of the account's events. */
export class EventDeliveries {
  constructor(private readonly parts: EventDeliveriesParts) {}

  /**
   * Returns a part of the deliveries of one event, newest first.
   * @throws Problem `not_found`
   */
  async list(
    { accountId }: RequestContext,
    id: string,
    { limit, beforeId }: { limit: number; beforeId: string | undefined },
  ): Promise<DeliveriesOfEvent> {
    const page = { limit, beforeId: deliveryCursor(beforeId) };
    const { events, views, marks } = this.parts;
    const [event] = await events.withIds(accountId, [id]);
    if (!event) throw notFound('event', id);
    const { deliveries, resumeAt } = await views.ofEvent(accountId, event.id, page);
    return {
      items: deliveries.map(toDeliveryResponse),
      resumeAt: resumeAt === null ? null : `dlv_${resumeAt}`,
      completeSince: await marks.completeSince(accountId, ['deliveries'], event.createdAt),
    };
  }

  /**
   * Returns an event as a delivery sends it: byte for byte.
   * @throws Problem `not_found` also for a delivery without a number, or whose destination was deleted
   */
  async payload({ accountId }: RequestContext, id: string, deliveryId: string): Promise<string> {
    const { events, views, projections, logName } = this.parts;
    const [event] = await events.withIds(accountId, [id]);
    if (!event) throw notFound('event', id);
    if (event.erasureId !== null) throw new Problem('not_found', 'not_found', 'The event was erased on request.');
    const number = deliveryNumber(deliveryId);
    const delivery = number === undefined ? undefined : await views.stateOf(accountId, id, number);
    if (!delivery) throw notFound('delivery', deliveryId);
    const { destinationId, sequence, epoch, backfillId } = delivery;
    if (sequence === null || epoch === null) {
      const detail = 'The delivery has no number: its event was not sent yet, or its destination was deleted.';
      throw new Problem('not_found', 'not_found', detail);
    }
    const { payload, salt } = (await projections(destinationId, [id])).of(id) ?? { ...event, salt: delivery.salt };
    const integrity = integrityOf({ ...delivery, salt }, logName);
    return appendNumber(payload, { epoch, sequence, isBackfill: backfillId !== null, integrity });
  }
}
