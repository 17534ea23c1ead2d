import { checkpointEvent } from '../events/catalogue/checkpoint-event.js';
import { destinationTestEvent } from '../events/catalogue/destination-test-event.js';
import { epochStartedEvent } from '../events/catalogue/epoch-started-event.js';
import { erasureEvent } from '../events/catalogue/erasure-event.js';
import { EventCatalogue } from '../events/catalogue/event-catalogue.js';
import { healthEvents } from '../events/catalogue/health-events.js';
import { recoveryEvents } from '../events/catalogue/recovery-events.js';
import { families, familiesWithoutEvents } from './families.js';
import { eventDestination } from './families/event-destinations/event-destination.js';

/** The event catalogue of all families. */
export const eventCatalogue = new EventCatalogue(
  families.map(({ definition }) => definition),
  [{ ...destinationTestEvent, read: eventDestination.read }, epochStartedEvent, checkpointEvent, erasureEvent],
  familiesWithoutEvents.map(({ definition }) => definition.name),
  [...healthEvents, ...recoveryEvents],
);
