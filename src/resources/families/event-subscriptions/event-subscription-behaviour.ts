import type { EventCatalogue } from '../../../events/event-catalogue.js';
import { destinationTestEvent } from '../../../events/destination-test-event.js';
import { invalidInput } from '../../../problems/problem.js';
import type { PendingChange, ResourceBehaviour, WrittenChange } from '../../framework/behaviour.js';
import type { Attributes } from '../../framework/definition.js';
import { linksOf } from '../../framework/links.js';
import { eventRouteStore } from './event-route-store.js';
import { eventSubscription, sourceTypes } from './event-subscription.js';

/** A subscription's sources are event types that exist; its routes follow from its sources and destinations. */
export class EventSubscriptionBehaviour implements ResourceBehaviour {
  constructor(private readonly catalogue: EventCatalogue) {}

  prepare({ attributes }: PendingChange): Attributes {
    const types = sourceTypes(attributes);
    const unknown = types.flatMap((type, index) =>
      this.catalogue.has(type)
        ? []
        : [
            {
              pointer: `/sources/${index}/type`,
              detail:
                type === destinationTestEvent.type
                  ? `${type} cannot be subscribed to: it goes to the destination that is tested, and to no other`
                  : `there is no event type ${JSON.stringify(type)}: see /event_types`,
            },
          ],
    );
    if (unknown.length > 0) throw invalidInput(unknown);
    return { ...attributes, sources: types.map((type) => ({ type })) };
  }

  async afterWrite({ trx, row }: WrittenChange): Promise<void> {
    await eventRouteStore.replace(trx, {
      accountId: row.accountId,
      subscriptionId: row.id,
      eventTypes: sourceTypes(row.attributes),
      destinationIds: linksOf(eventSubscription.links ?? [], row.attributes).map(({ toId }) => toId),
    });
  }
}
