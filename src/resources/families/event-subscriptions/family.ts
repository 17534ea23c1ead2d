import { EventCatalogue } from '../../../events/catalogue/event-catalogue.js';
import { defineFamily } from '../../framework/definition/family.js';
import { EventPreviewController } from './event-preview.controller.js';
import { EventSnapshotsController } from './event-snapshots.controller.js';
import { EventSourcesController } from './event-sources.controller.js';
import { EventSubscriptionBehaviour } from './event-subscription-behaviour.js';
import { eventSubscription } from './event-subscription.js';

/** Event subscriptions, with their sources and snapshots under `/event_subscriptions/{subscription_id}`. */
export const eventSubscriptions = defineFamily({
  definition: eventSubscription,
  behaviour: {
    inject: [EventCatalogue],
    create: (catalogue) => new EventSubscriptionBehaviour(catalogue),
  },
  controllers: [EventSourcesController, EventSnapshotsController, EventPreviewController],
});
