import { z } from 'zod';
import type { RetentionMarks } from '../../database/partitions/retention-marks.js';
import { metricsKeptSince } from '../../delivery/rollups/rollup-store.js';
import type { RequestContext } from '../../http/request/request-context.js';
import { assertCursor, nextPageUri, page, pageParametersOf, type Page } from '../../http/response/pagination.js';
import { idPattern } from '../../ids/id.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import { MAX_VALUES } from '../../resources/framework/definition/list-filters.js';
import { destinationIdParameter } from '../destination-id-parameter.js';
import type { DestinationMetricsStore } from './destination-metrics-store.js';
import { metricsRangeOf, rangeMembers, rangeParameters, rangeResponse, stepsIn } from './metrics-range.js';

/** Path of the list. No id of a destination is `metrics`: ids have a prefix. */
export const RATES_PATH = `${eventDestination.path}/metrics`;

/** Most steps of each destination: a week in hours. With a page of 100, a response has at most 40,000 numbers. */
const MAX_STEPS = 200;

/** The query of the metrics of many destinations. */
export const destinationRatesQuery = z.strictObject({
  ...rangeParameters(MAX_STEPS),
  ...pageParametersOf(idPattern(eventDestination.prefix)),
  destination_id: destinationIdParameter(MAX_VALUES, 'Returns only these destinations. Unknown ones are left out.'),
});

export type DestinationRatesQuery = z.infer<typeof destinationRatesQuery>;

const perStep = z.array(z.int());

/** The metrics of many destinations in a response. */
export const destinationRatesResponse = z
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

/** Reads how much destinations delivered. */
export class DestinationRates {
  constructor(
    private readonly store: DestinationMetricsStore,
    private readonly marks: Pick<RetentionMarks, 'unlessYounger'>,
  ) {}

  /** @throws Problem `invalid_input` for a range or a cursor */
  async list({ accountId, baseUrl }: RequestContext, query: DestinationRatesQuery): Promise<Page> {
    const { limit, before_id: beforeId, destination_id: ids, step } = query;
    assertCursor(eventDestination.prefix, beforeId);
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
      path: RATES_PATH,
      baseUrl,
      // The same steps on every page, also where the range was not given.
      query: { from: members.from, to: members.to, step, destination_id: ids },
      members: { step, ...members },
    });
  }
}
