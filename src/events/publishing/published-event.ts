import { z } from 'zod';
import { boundedJson, boundedString, boundedTime } from '../../bounds/bounded.js';
import { publishingLimits as limits } from './publishing-limits.js';

const json = () => boundedJson(limits.mostObjectBytes, limits.deepestObject);
const id = () => boundedString(limits.longestId);

const publishedEvent = z
  .strictObject({
    id: id().min(1).nullish().meta({
      description:
        'Id of the event at the publisher, unique in the account for as long as events are kept. If it was used before with the same content, the response has the first event. Without it, every request is a new event.',
      example: '8211',
    }),
    type: boundedString(limits.longestEventType).meta({
      description: 'Event type of a resource type of the account.',
      example: 'order_created.v0',
    }),
    resource_id: id().min(1).meta({
      description:
        'Id of the resource at the publisher. Events of one resource arrive in the order of their acceptance.',
      example: 'order-1042',
    }),
    object: json().meta({
      description:
        'The resource after the change; for a deletion, its last state. At most 56 KiB of JSON with the rest of the event.',
      example: { total: 1200 },
    }),
    changes: z.strictObject({ before: json(), after: json() }).nullish().meta({
      description:
        'The changed members before and after. For a type with `changes: computed`, they replace those that Waybill would compute.',
    }),
    principal: z
      .strictObject({
        id: id().min(1),
        subject: id().nullish().meta({ description: 'Display name. Default: the id.' }),
      })
      .nullish()
      .meta({
        description:
          'Who made the change. Without it, the event has the principal `unknown`. The event names the API key in any case. The ids `unknown` and `system`, and subjects that begin with `system:`, are reserved.',
      }),
    request: z
      .strictObject({
        id: id().nullish(),
        ip: boundedString(limits.longestAddress).nullish(),
        user_agent: boundedString(limits.longestUserAgent)
          .nullish()
          .meta({ description: 'The event has at most its first 256 characters.' }),
      })
      .nullish()
      .meta({ description: 'The request of the principal at the publisher.' }),
    occurred_at: boundedTime.nullish().meta({
      description:
        'When the change was made, by the clock of the publisher: at most 5 minutes in the future, and 366 days in the past.',
      example: '2026-01-31T12:00:00Z',
    }),
    repaired: z
      .strictObject({
        by: boundedString(limits.longestRepairer).min(1).meta({ description: 'Who changed the event.' }),
        reason: boundedString(limits.longestReason).min(1).meta({ description: 'Why it was changed.' }),
        at: boundedTime.meta({ description: 'When it was changed, by the clock of the publisher.' }),
      })
      .nullish()
      .meta({
        description:
          'For an event that was changed after it was recorded, so that Waybill accepts it: a record of the change, which the delivered event has too.',
      }),
  })
  .meta({ id: 'PublishedEvent' });

/** An event as it is published. */
export type PublishedEvent = z.output<typeof publishedEvent>;

/** The body of a request that publishes events. */
export const publishBody = z.strictObject({
  events: z
    .array(publishedEvent)
    .max(limits.mostEvents)
    .min(1)
    .meta({
      description: `1 to ${limits.mostEvents} events, in order. All are accepted, or none.`,
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
