import { z } from 'zod';
import { boundedJson, boundedString } from '../../bounds/bounded.js';
import { MAX_EVENT_BYTES } from '../event-envelope.js';

/** Most events of one request. */
export const MOST_EVENTS = 500;
/** Largest body of a request, in bytes. */
export const MOST_BATCH_BYTES = 2_097_152;
/** Most nested objects and lists of an object. A body has 32 levels, and three of them are around the object. */
const DEEPEST_OBJECT = 24;
/** Longest id that a publisher chooses, in characters. */
const LONGEST_ID = 255;
/** Longest IP address with a zone, or a list of a few. */
const LONGEST_ADDRESS = 100;

const json = () => boundedJson(MAX_EVENT_BYTES, DEEPEST_OBJECT);

const publishedEvent = z
  .strictObject({
    id: boundedString(LONGEST_ID).min(1).nullish().meta({
      description:
        'Id of the event at the publisher, unique in the account for as long as events are kept. If it was used before with the same content, the response has the first event. Without it, every request is a new event.',
      example: '8211',
    }),
    type: boundedString(110).meta({
      description: 'Event type of a resource type of the account.',
      example: 'order_created.v0',
    }),
    resource_id: boundedString(LONGEST_ID).min(1).meta({
      description:
        'Id of the resource at the publisher. Events of one resource arrive in the order of their acceptance.',
      example: 'order-1042',
    }),
    object: json().meta({
      description:
        'The resource after the change; for a deletion, its last state. At most 56 KiB of JSON with the rest of the event.',
      example: { total: 1200 },
    }),
    changes: z
      .strictObject({ before: json(), after: json() })
      .nullish()
      .meta({ description: 'The changed members before and after. Only for types with `changes: given`.' }),
    principal: z
      .strictObject({
        id: boundedString(LONGEST_ID).min(1),
        subject: boundedString(LONGEST_ID).nullish().meta({ description: 'Display name. Default: the id.' }),
      })
      .nullish()
      .meta({
        description:
          'Who made the change. Default: the owner of the API key. The event names the key in any case. The id `system`, and a subject that begins with `system:`, are reserved for changes that Waybill itself makes.',
      }),
    request: z
      .strictObject({
        id: boundedString(LONGEST_ID).nullish(),
        ip: boundedString(LONGEST_ADDRESS).nullish(),
        user_agent: boundedString(512).nullish(),
      })
      .nullish()
      .meta({ description: 'The request of the principal at the publisher.' }),
    occurred_at: boundedString(64)
      .check(z.iso.datetime({ offset: true }))
      .nullish()
      .meta({
        description:
          'When the change was made, by the clock of the publisher: at most 5 minutes in the future, and 366 days in the past.',
        example: '2026-01-31T12:00:00Z',
      }),
  })
  .meta({ id: 'PublishedEvent' });

/** An event as it is published. */
export type PublishedEvent = z.output<typeof publishedEvent>;

/** The body of a request that publishes events. */
export const publishBody = z.strictObject({
  events: z
    .array(publishedEvent)
    .max(MOST_EVENTS)
    .min(1)
    .meta({
      description: `1 to ${MOST_EVENTS} events, in order. All are accepted, or none.`,
    }),
});

/** The response to accepted events. */
export const publishResponse = z.object({
  events: z
    .array(
      z.object({
        event_id: z.string(),
        duplicate: z.boolean().meta({
          description: 'Whether the event was published before with the same `id`. `event_id` is the first one then.',
        }),
      }),
    )
    .meta({ description: 'The events in the order of the request.' }),
});

/** The response to accepted events. */
export type PublishResponse = z.output<typeof publishResponse>;
