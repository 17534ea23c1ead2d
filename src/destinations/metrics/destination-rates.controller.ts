import { Controller, Get, Inject } from '@nestjs/common';
import { z } from 'zod';
import { RetentionMarks } from '../../database/partitions/retention-marks.js';
import { METRICS_DAYS, metricsKeptSince } from '../../delivery/rollups/rollup-store.js';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { MAX_VALUES } from '../../http/input/repeatable-parameter.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { nextPageUri, page, pageParametersOf, type Page } from '../../http/response/pagination.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import { destinationIdParameter } from '../destination-id-parameter.js';
import { DestinationMetricsStore } from './destination-metrics-store.js';
import { metricsRangeOf, rangeMembers, rangeParameters, rangeResponse, stepsIn } from './metrics-range.js';

/** Path of the list. No id of a destination is `metrics`: ids have a prefix. */
const PATH = `${eventDestination.path}/metrics`;

/** Most steps of each destination: a week in hours. With a page of 100, a response has at most 40,000 numbers. */
const MAX_STEPS = 200;

const listQuery = z.strictObject({
  ...rangeParameters(MAX_STEPS),
  ...pageParametersOf(eventDestination.prefix),
  destination_id: destinationIdParameter(MAX_VALUES, 'Returns only these destinations. Unknown ones are left out.'),
});

type ListQuery = z.infer<typeof listQuery>;

const perStep = z.array(z.int());

const listResponse = z
  .object({
    uri: z.string().meta({ description: 'Address of this list, without the query.' }),
    ...rangeResponse,
    destinations: z
      .array(
        z.object({
          id: z.string().meta({ description: 'Id of the destination.' }),
          delivered: perStep.meta({ description: 'Deliveries that the target accepted, for each step.' }),
          failed: perStep.meta({
            description:
              'Deliveries that failed, for each step: those that were tried again, each time, rejected and expired ones.',
          }),
        }),
      )
      .meta({ description: 'Newest first, each with every step of the range, oldest first.' }),
    next_page_uri: nextPageUri,
  })
  .meta({ id: 'EventDestinationRates', description: 'How much destinations delivered over time.' });

/** Metrics of many destinations over time. */
@Controller(PATH)
export class DestinationRatesController {
  constructor(
    @Inject(DestinationMetricsStore) private readonly store: DestinationMetricsStore,
    @Inject(RetentionMarks) private readonly marks: RetentionMarks,
  ) {}

  @Get()
  @Operation({
    id: 'listEventDestinationMetrics',
    access: 'read',
    summary: 'List the metrics of event destinations',
    description: `How much each destination delivered, and how much failed, in steps of a minute to a day, for the last ${METRICS_DAYS} days. \`GET /event_destinations/{id}/metrics\` has more of one destination.`,
    tag: eventDestination.title.many,
    response: listResponse,
  })
  async list(
    @Context() { accountId, baseUrl }: RequestContext,
    @QueryParameters(listQuery) query: ListQuery,
  ): Promise<Page> {
    const { limit, before_id: beforeId, destination_id: ids, step } = query;
    const now = Date.now();
    const range = metricsRangeOf(query, now, MAX_STEPS);
    const wanted = { ids: ids ?? null, limit: limit + 1, beforeId };
    const { completeUntil, destinations } = await this.store.readRates(accountId, wanted, range);
    const removed = await this.marks.unlessYounger(accountId, metricsKeptSince(now));
    const members = rangeMembers(range, completeUntil, removed);
    const begins = stepsIn(range);
    const items = Array.from(destinations, ([id, steps]) => ({
      id,
      delivered: begins.map((begin) => steps.get(begin)?.delivered ?? 0),
      failed: begins.map((begin) => steps.get(begin)?.failed ?? 0),
    }));
    return page({
      items,
      limit,
      listKey: 'destinations',
      path: PATH,
      baseUrl,
      // The same steps on every page, also where the range was not given.
      query: { from: members.from, to: members.to, step, destination_id: ids },
      members: { step, ...members },
    });
  }
}
