import type { Family } from '../../framework/family.js';
import { eventSubscription } from './event-subscription.js';
import { EventSubscriptionBehaviour } from './event-subscription-behaviour.js';
import { EventSourcesController } from './event-sources.controller.js';

/** Event subscriptions, and their sources under `/event_subscriptions/{subscription_id}/sources`. */
export const eventSubscriptions = {
  definition: eventSubscription,
  behaviour: ({ catalogue }) => new EventSubscriptionBehaviour(catalogue),
  controllers: [EventSourcesController],
} satisfies Family;
