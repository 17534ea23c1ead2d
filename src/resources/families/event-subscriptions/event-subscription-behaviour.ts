import { destinationTestEvent } from '../../../events/destination-test-event.js';
import type { EventCatalogue } from '../../../events/event-catalogue.js';
import { invalidInput } from '../../../problems/problem.js';
import type { PendingChange, ResourceBehaviour, WrittenChange } from '../../framework/behaviour.js';
import type { Attributes } from '../../framework/definition.js';
import { linksOf } from '../../framework/links.js';
import { EventRouteStore } from './event-route-store.js';
import { eventSubscription, sourceTypes } from './event-subscription.js';

/** Checks the sources of a subscription and derives its event routes. */
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
                  ? `${type} cannot be subscribed to: a test event is delivered only to the tested destination`
                  : `${JSON.stringify(type)} is not an event type: GET /event_types lists the event types`,
            },
          ],
    );
    if (unknown.length > 0) throw invalidInput(unknown);
    return { ...attributes, sources: types.map((type) => ({ type })) };
  }

  async afterWrite({ trx, row }: WrittenChange): Promise<void> {
    await new EventRouteStore(trx).replace({
      accountId: row.accountId,
      subscriptionId: row.id,
      eventTypes: sourceTypes(row.attributes),
      destinationIds: linksOf(eventSubscription.links ?? [], row.attributes).map(({ toId }) => toId),
    });
  }
}
