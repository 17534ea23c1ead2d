import { Controller, Get, Inject } from '@nestjs/common';
import { z } from 'zod';
import { boundedTime } from '../../bounds/bounded.js';
import { RetentionMarks } from '../../database/partitions/retention-marks.js';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { page, pageParametersOf, pageSchema, retainedPageSchema, type Page } from '../../http/response/pagination.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import { uriOf } from '../../resources/framework/definition/links.js';
import { destinationIdParameter } from '../destination-id-parameter.js';
import {
  deliveryNumber,
  deliveryPageParameters,
  deliverySchema,
  toDeliveryResponse,
} from './view/delivery-response.js';
import { DeliveryViewStore } from './view/delivery-view-store.js';
import { undeliveredStates, type UndeliveredState } from './view/delivery-view.js';
import { MOST_COUNTED, MOST_REASONS, type UndeliveredCountRow } from './view/undelivered-rows.js';

/** Path of the list. No id of a destination is `deliveries`: ids have a prefix. */
const PATH = `${eventDestination.path}/deliveries`;

/** Most destinations of a query: each costs two index lookups for every day of finished deliveries. */
const MAX_DESTINATIONS = 10;

const listQuery = z.strictObject({
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

type ListQuery = z.infer<typeof listQuery>;

const countsQuery = z.strictObject({
  ...pageParametersOf(eventDestination.prefix),
  from: boundedTime.optional().meta({
    description: 'Counts only deliveries of events that were recorded, or queued by a backfill, at or after this time.',
  }),
});

type CountsQuery = z.infer<typeof countsQuery>;

const counted = `The newest ${MOST_COUNTED} of each state are read`;

const undeliveredCount = z
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

/** The deliveries to all destinations that ended without being delivered. */
@Controller(PATH)
export class UndeliveredController {
  constructor(
    @Inject(DeliveryViewStore) private readonly views: DeliveryViewStore,
    @Inject(RetentionMarks) private readonly marks: RetentionMarks,
  ) {}

  @Get()
  @Operation({
    id: 'listUndeliveredDeliveries',
    access: 'read',
    summary: 'List the deliveries that ended without being delivered',
    description:
      'The `rejected` and `expired` deliveries to every destination, newest first. One that is redelivered leaves the list while it is pending, and returns if it fails again. Deliveries that ended before their destination was deleted remain in the list until their retention has passed. Those that waited then are `cancelled`, and not in the list: `GET /events/{id}/deliveries` has them. Waiting deliveries are not in it either: `GET /event_destinations/status` counts them.',
    tag: eventDestination.title.many,
    response: retainedPageSchema('deliveries', deliverySchema),
  })
  async list(
    @Context() { accountId, baseUrl }: RequestContext,
    @QueryParameters(listQuery) query: ListQuery,
  ): Promise<Page> {
    const { limit, before_id: beforeId, state, destination_id: destinationIds } = query;
    const wanted = { limit: limit + 1, beforeId: deliveryNumber(beforeId) };
    const { deliveries, resumeAt } = await this.views.undelivered(accountId, { state, destinationIds }, wanted);
    return page({
      items: deliveries.map(toDeliveryResponse),
      limit,
      listKey: 'deliveries',
      path: PATH,
      baseUrl,
      query: { state, destination_id: destinationIds },
      resumeAt: resumeAt === null ? null : `dlv_${resumeAt}`,
      completeSince: await this.marks.completeSince(accountId, ['deliveries']),
    });
  }

  @Get('counts')
  @Operation({
    id: 'countUndeliveredDeliveries',
    access: 'read',
    summary: 'Count the deliveries that ended without being delivered',
    description:
      'For each destination with `rejected` or `expired` deliveries: how many, and why. A destination without any is not in the list. With `from`, its numbers may be 0.',
    tag: eventDestination.title.many,
    response: pageSchema('counts', undeliveredCount),
    costly: 'always',
  })
  async counts(
    @Context() { accountId, baseUrl }: RequestContext,
    @QueryParameters(countsQuery) query: CountsQuery,
  ): Promise<Page> {
    const { limit, before_id: beforeId, from } = query;
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
      path: `${PATH}/counts`,
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
