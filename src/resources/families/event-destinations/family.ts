import type { Family } from '../../framework/family.js';
import { eventDestination } from './event-destination.js';
import { EventDestinationBehaviour } from './event-destination-behaviour.js';

/** Event destinations. */
export const eventDestinations = {
  definition: eventDestination,
  behaviour: ({ lanes, dispatcher }) => new EventDestinationBehaviour(lanes, dispatcher),
} satisfies Family;
