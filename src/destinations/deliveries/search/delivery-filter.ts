import { z } from 'zod';
import {
  objectParameterOf,
  refuseReversed,
  searchParametersOf,
  type SearchRange,
} from '../../../events/log/event-filter.js';
import { wholeNumberParameter } from '../../../http/input/whole-number-parameter.js';
import { idPattern } from '../../../ids/id.js';
import { DELIVERY_ID, deliveryNumber, deliveryState } from '../view/delivery-response.js';

/** What a search of deliveries lists, for the descriptions of its parameters. */
const ITEMS = 'deliveries of events';

/** The pattern of a cursor: the id of a delivery, or of an event. */
const CURSOR = `^(${[DELIVERY_ID, idPattern('evt')].map((pattern) => pattern.slice(1, -1)).join('|')})$`;

const number = wholeNumberParameter(1, 999_999_999_999_999).optional();

/** The query of a search of deliveries. */
export const deliverySearchQuery = z
  .strictObject({
    ...searchParametersOf(ITEMS, 'dlv', CURSOR),
    ...objectParameterOf(ITEMS),
    state: deliveryState.optional(),
    sequence_from: number.meta({
      description: 'Returns only deliveries with this `sequence` or a higher one, also those in flight.',
    }),
    sequence_to: number.meta({
      description: 'Returns only deliveries with this `sequence` or a lower one, also those in flight.',
    }),
  })
  .superRefine((query, context) => {
    refuseReversed(query, context);
    const { sequence_from: from, sequence_to: to } = query;
    if (from === undefined || to === undefined || from <= to) return;
    context.addIssue({ code: 'custom', path: ['sequence_to'], message: 'must not be lower than sequence_from' });
  });

export type DeliverySearchQuery = z.infer<typeof deliverySearchQuery>;

/** What deliveries and their events must have; absent members do not matter. */
export type DeliveryFilter = Omit<DeliverySearchQuery, 'limit' | keyof SearchRange>;

/** Where a page begins: at a delivery, or at an event where no delivery was found before the page ended. */
export type DeliveryCursor = { readonly deliveryId: number } | { readonly eventId: string };

/** Where a page of deliveries begins and ends. */
export interface DeliveryRange {
  readonly order: SearchRange['order'];
  /** Only deliveries older than this one. */
  readonly before: DeliveryCursor | undefined;
  /** Only deliveries newer than this one. */
  readonly after: DeliveryCursor | undefined;
}

/** Returns the range of a query. */
export function deliveryRangeOf({ order, before_id: before, after_id: after }: DeliverySearchQuery): DeliveryRange {
  return { order, before: cursorOf(before), after: cursorOf(after) };
}

function cursorOf(id: string | undefined): DeliveryCursor | undefined {
  const deliveryId = deliveryNumber(id);
  if (deliveryId !== undefined) return { deliveryId };
  return id === undefined ? undefined : { eventId: id };
}
