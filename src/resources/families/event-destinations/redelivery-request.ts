import { z } from 'zod';
import { MAX_REDELIVERED } from '../../../delivery/redelivery/redeliveries.js';
import { idList } from '../../framework/fields.js';

/** Most events that a request may name. */
const MAX_EVENTS = 1_000;

const time = z.iso.datetime({ offset: true });

/** Which deliveries are wanted again. */
export const redeliveryRequest = z
  .strictObject({
    event_ids: idList(MAX_EVENTS, `These events, at most ${MAX_EVENTS}. Instead of \`state\`.`)
      .min(1)
      .optional(),
    state: z
      .enum(['rejected', 'expired', 'delivered'])
      .optional()
      .meta({ description: 'Everything that ended like this. Instead of `event_ids`.' }),
    from: time
      .optional()
      .meta({ description: 'With `state`: only events from this time on. Needed for `delivered`.' }),
    to: time
      .optional()
      .meta({ description: 'With `state`: only events before this time. Now, unless given.' }),
  })
  .superRefine(({ event_ids: ids, state, from, to }, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if ((ids === undefined) === (state === undefined)) refuse([], 'must have either event_ids or state');
    if (state === undefined && from !== undefined) refuse(['from'], 'goes with state only');
    if (state === undefined && to !== undefined) refuse(['to'], 'goes with state only');
    if (state === 'delivered' && from === undefined) refuse(['from'], 'is required with the state delivered');
    if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to))
      refuse(['to'], 'must be later than from');
  })
  .meta({ id: 'Redelivery' });

export type RedeliveryRequest = z.infer<typeof redeliveryRequest>;

/** What a request for redelivery is answered with. */
export const redeliveryAnswer = z
  .object({
    count: z.int().meta({
      description: 'Deliveries that are pending again. Those that are pending anyway do not count.',
    }),
    next_from: z.iso
      .datetime()
      .nullable()
      .meta({
        description: `Where the rest of the range begins, when it has more than about ${MAX_REDELIVERED} deliveries: the \`from\` of the next request. Null otherwise.`,
      }),
  })
  .meta({ id: 'RedeliveryAccepted' });

export type RedeliveryAnswer = z.infer<typeof redeliveryAnswer>;
