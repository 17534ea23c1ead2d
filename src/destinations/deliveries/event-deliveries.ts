import { completeSince } from '../../database/complete-since.js';
import type { RetentionMarks } from '../../database/partitions/retention-marks.js';
import type { EventStore } from '../../events/fan-out/event-store.js';
import type { RequestContext } from '../../http/request/request-context.js';
import { notFound } from '../../problems/problem.js';
import { deliveryCursor, toDeliveryResponse, type DeliveryResponse } from './view/delivery-response.js';
import type { DeliveryViewStore } from './view/delivery-view-store.js';

/** Deliveries of one event. */
export interface DeliveriesOfEvent {
  readonly items: readonly DeliveryResponse[];
  /** Where the list stopped before its limit and before its end; null otherwise. */
  readonly resumeAt: string | null;
  /** Since when deliveries are complete; null when those of the event are. */
  readonly completeSince: Date | null;
}

/** Reads the deliveries of the account's events. */
export class EventDeliveries {
  constructor(
    private readonly events: Pick<EventStore, 'find'>,
    private readonly views: DeliveryViewStore,
    private readonly marks: RetentionMarks,
  ) {}

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
    const event = await this.events.find(accountId, id);
    if (!event) throw notFound('event', id);
    const { deliveries, resumeAt } = await this.views.ofEvent(accountId, event.id, page);
    const since = await this.marks.completeSince(accountId, 'deliveries');
    return {
      items: deliveries.map(toDeliveryResponse),
      resumeAt: resumeAt === null ? null : `dlv_${resumeAt}`,
      completeSince: completeSince(event.createdAt, [since]),
    };
  }
}
