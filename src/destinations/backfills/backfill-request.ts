import { z } from 'zod';
import { boundedString, boundedTime } from '../../bounds/bounded.js';
import { refuseReversed } from '../../events/log/event-filter.js';
import { LONGEST_EVENT_TYPE } from '../../events/resource-types/event-type-name.js';
import { LONGEST_FILTER } from '../../events/rules/filters/filter-language.js';

/** Most event types that a request names. */
const MOST_TYPES = 200;

/** The highest value of the setting BACKFILL_EVENTS_PER_SECOND. */
const HIGHEST_RATE = 1_000;

/** A request for the earlier events of a destination. */
export const backfillRequest = z
  .strictObject({
    from: boundedTime.meta({ description: 'Only events that were recorded at or after this time.' }),
    to: boundedTime.optional().meta({
      description:
        'Only events that were recorded before this time. Default, and latest: behind the newest event at the request.',
    }),
    types: z
      .array(boundedString(LONGEST_EVENT_TYPE))
      .max(MOST_TYPES)
      .min(1)
      .refine((types) => new Set(types).size === types.length, { error: 'must not name the same type twice' })
      .optional()
      .meta({
        description: `Only events of these types, at most ${MOST_TYPES}. Each must be one that a subscription sends to the destination. Default: all of those, without snapshots.`,
        uniqueItems: true,
        example: ['ip_policy_created.v0'],
      }),
    filter: boundedString(LONGEST_FILTER).min(1).nullish().meta({
      description:
        'Only events that match this expression in CEL over the payload. It must fit the schema of each type. An event for which it cannot be evaluated matches.',
      example: 'object.action == "deny"',
    }),
    events_per_second: z.int().min(1).max(HIGHEST_RATE).optional().meta({
      description: 'Most events that are sent in a second. Default and most: `BACKFILL_EVENTS_PER_SECOND`.',
      example: 50,
    }),
    dry_run: z.boolean().default(false).meta({
      description: 'Whether the backfill ends when its events are counted, and sends nothing.',
    }),
  })
  .superRefine(refuseReversed);

/** A request for the earlier events of a destination. */
export type BackfillRequest = z.infer<typeof backfillRequest>;
