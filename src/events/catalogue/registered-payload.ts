import { eventNameOf } from '../resource-types/event-type-name.js';
import type { ListedEventType, RegisteredEventType } from '../resource-types/resource-type-store.js';
import type { EventCatalogue } from './event-catalogue.js';

/** Returns the name of a listed event type, such as `order_created.v0`. */
export function eventTypeOf({ resource, action, version }: ListedEventType): string {
  return `${eventNameOf(resource, action)}.v${version}`;
}

/** Returns the description of an event type of a resource type. */
export function describeRegistered(resource: string, action: string): string {
  return `Published by the account: action \`${action}\` of its resource type \`${resource}\`.`;
}

/** Returns the JSON Schema (2020-12) of the delivered payload of an event type of a resource type. */
export function registeredPayloadSchema(
  catalogue: EventCatalogue,
  { type, action }: RegisteredEventType,
): Readonly<Record<string, unknown>> {
  const { name: resource, version, id, schema } = type;
  const { $schema: _, ...object } = schema ?? { type: 'object' };
  const eventType = eventTypeOf({ resource, action, version });
  // Its references start at its own root, so it is a schema resource of its own.
  const embedded = { ...object, $id: `urn:waybill:${id}:${version}` };
  return catalogue.publishedSchema(eventType, describeRegistered(resource, action), embedded);
}
