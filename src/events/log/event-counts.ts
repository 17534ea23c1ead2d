import { z } from 'zod';
import { deliveryStates, type EventCounts } from './event-search-store.js';

const count = z.int().min(0);

/** Counts of a search in a response. */
export const eventCountsSchema = z
  .object({
    from: z.iso.datetime().meta({ description: 'When the first step begins.' }),
    to: z.iso
      .datetime()
      .meta({ description: 'When the last step ends: `to` of the search, or just after the newest event.' }),
    steps: z.array(count).meta({ description: 'Number of events in each of 60 steps of the same length.' }),
    events: count.meta({ description: 'Number of events in all steps.' }),
    reached: z.iso.datetime().nullable().meta({
      description: 'Events before this time were not read. Null: all of the search were read.',
    }),
    deliveries: z.object(Object.fromEntries(deliveryStates.map((state) => [state, count]))).meta({
      description:
        'Number of deliveries of the newest `deliveries_of` events, by state: at most 100 of each event. `pending` includes those in flight.',
    }),
    deliveries_of: count.meta({ description: 'Number of events whose deliveries were counted, at most 500.' }),
  })
  .meta({
    id: 'EventCounts',
    description: 'How many events of a search there are over time, with the states of their deliveries.',
  });

/** Returns counts as a response has them. */
export function toCountsResponse(counts: EventCounts): z.infer<typeof eventCountsSchema> {
  const { from, to, steps, events, reached, deliveries, deliveriesOf } = counts;
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    steps: [...steps],
    events,
    reached: reached?.toISOString() ?? null,
    deliveries: { ...deliveries },
    deliveries_of: deliveriesOf,
  };
}
