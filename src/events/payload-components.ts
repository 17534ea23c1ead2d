import { z } from 'zod';
import type { Schemas } from '../http/openapi/openapi-types.js';
import { convertSchema } from '../http/openapi/schema-converter.js';
import { payloadSchema, type EventCatalogue } from './event-catalogue.js';

const members = z.record(z.string(), z.unknown());
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/**
 * Returns the named schemas of the payloads of events, for the OpenAPI document: one for each built-in event type, such as
 * `IpPolicyCreatedPayload`, and their union on `event_type`.
 */
export function payloadComponents(catalogue: EventCatalogue): Schemas {
  const mapping: Record<string, string> = {};
  const types = catalogue.payloads().map(({ type, schema }) => {
    const id = payloadName(type);
    mapping[type] = reference(id).$ref;
    return schema.partial({ epoch: true, sequence: true }).meta({ ...schema.meta(), id });
  });
  const converted = convertSchema(z.tuple([z.union(types), publishedPayload()]), { schemaType: 'output' });
  return {
    ...converted?.components,
    BuiltInEventPayload: {
      description: 'Payload of an event of a built-in resource.',
      oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
      discriminator: { propertyName: 'event_type', mapping },
    },
    EventPayload: {
      description:
        'Payload of an event. Each delivery adds `epoch` and `sequence`, which each destination numbers by itself.',
      anyOf: [reference('BuiltInEventPayload'), reference('PublishedEventPayload')],
    },
    DeliveredEvent: {
      description: 'An event as it arrives at a destination: one JSON object.',
      allOf: [
        reference('EventPayload'),
        {
          type: 'object',
          properties: {
            epoch: { type: 'integer', format: 'int64', minimum: 1 },
            sequence: { type: 'integer', format: 'int64', minimum: 1 },
          },
          required: ['epoch', 'sequence'],
        },
      ],
    },
  };
}

/** `ip_policy_created.v0` is `IpPolicyCreatedPayload`. */
function payloadName(type: string): string {
  const words = type.replace(/\.v0$/, '').split(/[_.]/);
  return `${words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')}Payload`;
}

function publishedPayload() {
  const description = 'Payload of an event that the account published.';
  const base = payloadSchema({ type: 'published', description, read: z.looseObject({}) });
  const { principal, request } = base.shape;
  return base
    .extend({
      event_type: z.string().meta({ description: 'Event type of a resource type of the account.' }),
      principal: principal.extend({
        via: z
          .object({ id: z.string(), uri: z.string() })
          .optional()
          .meta({ description: 'The key that published it.' }),
      }),
      occurred_at: z
        .string()
        .optional()
        .meta({ description: 'When the change was made, by the clock of the publisher.' }),
      changes: z.object({ before: members, after: members, omitted: z.array(z.string()).optional() }).optional(),
      request: request.extend({
        id: z.string().optional().meta({ description: 'Id of the request at the publisher.' }),
      }),
    })
    .partial({ epoch: true, sequence: true })
    .meta({ id: 'PublishedEventPayload', description });
}
