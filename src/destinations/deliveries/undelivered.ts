import { z } from 'zod';
import { boundedTime } from '../../bounds/bounded.js';
import type { RetentionMarks } from '../../database/partitions/retention-marks.js';
import type { RequestContext } from '../../http/request/request-context.js';
import { assertCursor, page, pageParametersOf, type Page } from '../../http/response/pagination.js';
import { idPattern } from '../../ids/id.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import { uriOf } from '../../resources/framework/definition/links.js';
import { destinationIdParameter } from '../destination-id-parameter.js';
import { deliveryCursor, deliveryPageParameters, toDeliveryResponse } from './view/delivery-response.js';
import type { DeliveryViewStore } from './view/delivery-view-store.js';
import { undeliveredStates, type UndeliveredState } from './view/delivery-view.js';
import { MOST_COUNTED, MOST_REASONS, type UndeliveredCountRow } from './view/undelivered-rows.js';

/** Path of the list. No id of a destination is `deliveries`: ids have a prefix. */
export const UNDELIVERED_PATH = `${eventDestination.path}/deliveries`;

/** Most destinations of a query: each costs two index lookups for every day of finished deliveries. */
const MAX_DESTINATIONS = 10;

/** The query of the deliveries that ended without being delivered. */
export const undeliveredQuery = z.strictObject({
  ...deliveryPageParameters,
  state: z.enum(undeliveredStates).optional().meta({
    description:
      'Returns only deliveries in this state. `rejected`: refused by the target for good. `expired`: not delivered before its deadline.',
  }),
  destination_id: destinationIdParameter(
    MAX_DESTINATIONS,
    'Returns only deliveries to these destinations, which may be deleted. Unknown ones are left out.',
  ),
});

export type UndeliveredQuery = z.infer<typeof undeliveredQuery>;

/** The query of their counts. */
export const undeliveredCountsQuery = z.strictObject({
  ...pageParametersOf(idPattern(eventDestination.prefix)),
  from: boundedTime.optional().meta({
    description: 'Counts only deliveries of events that were recorded, or queued by a backfill, at or after this time.',
  }),
});

export type UndeliveredCountsQuery = z.infer<typeof undeliveredCountsQuery>;

const counted = `The newest ${MOST_COUNTED} of each state are read`;

/** The counts of a destination in a response. */
export const undeliveredCount = z
  .object({
    id: z.string().meta({ description: 'Id of the destination, which may be deleted.' }),
    uri: z.string().meta({ description: 'Address of the destination.' }),
    rejected: z.int().meta({ description: `Number of rejected deliveries. ${counted}.` }),
    expired: z.int().meta({ description: `Number of expired deliveries. ${counted}.` }),
    is_lower_bound: z.boolean().meta({
      description: `Whether the real numbers may be higher. ${counted}, and older ones are not counted.`,
    }),
    reasons: z
      .array(
        z.object({
          state: z.enum(undeliveredStates),
          code: z.string().nullable().meta({ description: 'The error code. Null when none was recorded.' }),
          message: z.string().nullable().meta({ description: 'The message of the newest of these deliveries.' }),
          count: z.int(),
        }),
      )
      .meta({ description: `The reasons, at most ${MOST_REASONS}: those with most deliveries.` }),
  })
  .meta({ id: 'UndeliveredCount', description: 'What a destination did not receive.' });

type UndeliveredCount = z.infer<typeof undeliveredCount>;

/** Lists the deliveries of an account that ended without being delivered. */
export class Undelivered {
  constructor(
    private readonly views: Pick<DeliveryViewStore, 'undelivered' | 'undeliveredCounts'>,
    private readonly marks: Pick<RetentionMarks, 'completeSince'>,
  ) {}

  /** @throws Problem `invalid_input` for a cursor that is not the id of a delivery */
  async list({ accountId, baseUrl }: RequestContext, query: UndeliveredQuery): Promise<Page> {
    const { limit, before_id: beforeId, state, destination_id: destinationIds } = query;
    const wanted = { limit: limit + 1, beforeId: deliveryCursor(beforeId) };
    const { deliveries, resumeAt } = await this.views.undelivered(accountId, { state, destinationIds }, wanted);
    return page({
      items: deliveries.map(toDeliveryResponse),
      limit,
      listKey: 'deliveries',
      path: UNDELIVERED_PATH,
      baseUrl,
      query: { state, destination_id: destinationIds },
      resumeAt: resumeAt === null ? null : `dlv_${resumeAt}`,
      completeSince: await this.marks.completeSince(accountId, ['deliveries']),
    });
  }

  /**
   * Counts these deliveries for each destination that has any.
   * @throws Problem `invalid_input` for a cursor that is not the id of a destination
   */
  async counts({ accountId, baseUrl }: RequestContext, query: UndeliveredCountsQuery): Promise<Page> {
    const { limit, before_id: beforeId, from } = query;
    assertCursor(eventDestination.prefix, beforeId);
    const time = from === undefined ? undefined : new Date(from);
    const rows = await this.views.undeliveredCounts(accountId, { from: time, limit: limit + 1, beforeId });
    const ids = [...new Set(rows.map(({ destination_id: id }) => id))];
    return page({
      items: ids.map((id) =>
        toCount(
          id,
          rows.filter(({ destination_id: of }) => of === id),
          baseUrl,
        ),
      ),
      limit,
      listKey: 'counts',
      path: `${UNDELIVERED_PATH}/counts`,
      baseUrl,
      query: { from },
    });
  }
}

function toCount(id: string, rows: readonly UndeliveredCountRow[], baseUrl: string): UndeliveredCount {
  const reasons = rows.flatMap(({ state, code, message, count }) =>
    state === null ? [] : [{ state, code, message, count }],
  );
  const sum = (wanted: UndeliveredState) =>
    reasons.reduce((total, { state, count }) => total + (state === wanted ? count : 0), 0);
  return {
    id,
    uri: uriOf(eventDestination, id, baseUrl),
    rejected: Math.min(sum('rejected'), MOST_COUNTED),
    expired: Math.min(sum('expired'), MOST_COUNTED),
    is_lower_bound: rows.some(({ is_lower_bound: more }) => more),
    reasons: reasons.slice(0, MOST_REASONS),
  };
}
