import { z } from 'zod';
import { boundedTime } from '../../bounds/bounded.js';
import { MAX_REDELIVERED } from '../../delivery/redelivery/redeliveries.js';
import { idList } from '../../resources/framework/definition/fields.js';

/** Most events of one request. */
const MAX_EVENTS = 1_000;

/** A request for redelivery. */
export const redeliveryRequest = z
  .strictObject({
    event_ids: idList(MAX_EVENTS, `Ids of the events to redeliver, at most ${MAX_EVENTS}. Excludes \`state\`.`)
      .min(1)
      .optional(),
    state: z
      .enum(['rejected', 'expired', 'delivered'])
      .optional()
      .meta({ description: 'Redelivers every delivery in this state. Excludes `event_ids`.' }),
    from: boundedTime.optional().meta({
      description:
        'With `state`: only events that were recorded, or queued by a backfill, at or after this time. Required for `delivered`.',
    }),
    to: boundedTime.optional().meta({
      description:
        'With `state`: only events that were recorded, or queued by a backfill, before this time. Default: now.',
    }),
  })
  .superRefine(({ event_ids: ids, state, from, to }, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if ((ids === undefined) === (state === undefined)) refuse([], 'must have either event_ids or state');
    if (state === undefined && from !== undefined) refuse(['from'], 'is allowed only with state');
    if (state === undefined && to !== undefined) refuse(['to'], 'is allowed only with state');
    if (state === 'delivered' && from === undefined) refuse(['from'], 'is required when state is delivered');
    if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to))
      refuse(['to'], 'must be later than from');
  })
  .meta({
    id: 'Redelivery',
    description: 'Events to deliver again: either those of `event_ids`, or those in `state`.',
  });

export type RedeliveryRequest = z.infer<typeof redeliveryRequest>;

/** Response of a redelivery. */
export const redeliveryResponse = z
  .object({
    count: z.int().meta({
      description:
        'Number of deliveries that became pending again. Deliveries that were already pending are not counted.',
    }),
    next_from: z.iso
      .datetime()
      .nullable()
      .meta({
        description: `Start of the rest of a range, where it has more than about ${MAX_REDELIVERED} deliveries or a part of it failed: the \`from\` of the next request. Null when the range is complete.`,
      }),
  })
  .meta({ id: 'RedeliveryAccepted' });

export type RedeliveryResponse = z.infer<typeof redeliveryResponse>;
