import type { z } from 'zod';
import { checkpointEvent } from '../events/catalogue/checkpoint-event.js';
import { destinationTestEvent } from '../events/catalogue/destination-test-event.js';
import { epochStartedEvent } from '../events/catalogue/epoch-started-event.js';
import { erasureEvent } from '../events/catalogue/erasure-event.js';
import { EventCatalogue } from '../events/catalogue/event-catalogue.js';
import { healthEvents } from '../events/catalogue/health-events.js';
import { recoveryEvents } from '../events/catalogue/recovery-events.js';
import type { EventKind, EventEnvelope } from '../events/envelope/event-envelope.js';
import { families, familiesWithoutEvents } from './families.js';
import { eventDestination } from './families/event-destinations/event-destination.js';

type Definition = (typeof families)[number]['definition'];

/** Name of a family: the first part of its event types. */
export type FamilyName = Definition['name'];

/** Every event type, such as `ip_policy_created.v0`. */
export type EventType = `${FamilyName}_${EventKind}.v0`;

type DefinitionOf<Type extends EventType> = Type extends `${infer Name}_${EventKind}.v0`
  ? Extract<Definition, { readonly name: Name }>
  : never;

/** The delivered payload of an event of one type. */
export type EventPayload<Type extends EventType> = EventEnvelope<Type, z.output<DefinitionOf<Type>['read']>> & {
  readonly epoch: number;
  readonly sequence: number;
};

/** The event catalogue of all families. */
export const eventCatalogue = new EventCatalogue(
  families.map(({ definition }) => definition),
  [{ ...destinationTestEvent, read: eventDestination.read }, epochStartedEvent, checkpointEvent, erasureEvent],
  familiesWithoutEvents.map(({ definition }) => definition.name),
  [...healthEvents, ...recoveryEvents],
);
