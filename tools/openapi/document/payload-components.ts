import { z } from 'zod';
import {
  changesSchema,
  payloadSchema,
  publishedPayloadSchema,
  type EventCatalogue,
  type PayloadOptions,
} from '../../../src/events/catalogue/event-catalogue.js';
import { pascalCase } from '../../../src/resources/framework/definition/definition.js';
import type { Schemas } from './openapi-types.js';
import { convertSchema } from './schema-converter.js';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/**
 * Returns the named schemas of the payloads of events, for the OpenAPI document: one for each built-in event type, such
 * as `IpPolicyCreatedPayload`, and their union on `event_type`.
 */
export function payloadComponents(catalogue: EventCatalogue): Schemas {
  const mapping: Record<string, string> = {};
  const types = catalogue.all().map((entry) => {
    const id = payloadName(entry.type);
    mapping[entry.type] = reference(id).$ref;
    return builtInPayload(entry).meta({ id, description: entry.description });
  });
  const converted = convertSchema(z.tuple([z.union(types), publishedPayload(), deliveredEvent()]), {
    schemaType: 'output',
  });
  return {
    ...converted?.components,
    BuiltInEventPayload: {
      description: 'Payload of an event of a built-in resource.',
      oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
      discriminator: { propertyName: 'event_type', mapping },
    },
    EventPayload: {
      description:
        'Payload of an event. Each delivery adds `epoch` and `sequence`, which each destination numbers by itself, and that of a backfill adds `backfill`.',
      anyOf: [reference('BuiltInEventPayload'), reference('PublishedEventPayload')],
    },
  };
}

/** `ip_policy_created.v0` is `IpPolicyCreatedPayload`. */
function payloadName(type: string): string {
  return `${pascalCase(type.replace(/\.v0$/, ''))}Payload`;
}

/** The members that the payloads of all changes have. A component of its own keeps the document small. */
const common = payloadSchema({ type: '', description: '', read: z.object({}) })
  .omit({ event_type: true, object: true })
  .partial({ epoch: true, sequence: true })
  .meta({ id: 'EventPayloadBase', description: 'What the payloads of the events of all built-in resources have.' });

/** Returns the schema of the payload of a built-in event type: the common members, and its own. */
function builtInPayload(entry: PayloadOptions): z.ZodType {
  const whole = payloadSchema(entry);
  if (entry.version) return whole.partial({ epoch: true, sequence: true });
  const { event_type, object } = whole.shape;
  const own = z.object({ event_type, object });
  return z.intersection(common, entry.kind === 'updated' ? own.extend({ changes: namedChanges(entry) }) : own);
}

/** Returns the changes of an update, with a name for the part of the resource that `before` and `after` have. */
function namedChanges({ type, read }: PayloadOptions) {
  const id = `Partial${pascalCase(type.replace(/_updated\.v0$/, ''))}`;
  return changesSchema(read.partial().meta({ id, description: 'Some of the members of the resource.' }));
}

function publishedPayload() {
  const description = 'Payload of an event that the account published.';
  return publishedPayloadSchema({ type: 'published', description, read: z.looseObject({}) })
    .extend({ event_type: z.string().meta({ description: 'Event type of a resource type of the account.' }) })
    .partial({ epoch: true, sequence: true })
    .meta({ id: 'PublishedEventPayload', description });
}

/** Returns the schema of every event as it arrives: one object, which generators can make a type of. */
function deliveredEvent() {
  const description =
    'An event as it arrives at a destination, of any event type: one JSON object. `EventPayload` has the types of `object` and `changes`.';
  return publishedPayloadSchema({ type: 'delivered', description, read: z.looseObject({}), version: z.int().min(0) })
    .extend({ event_type: z.string() })
    .meta({ id: 'DeliveredEvent', description });
}
