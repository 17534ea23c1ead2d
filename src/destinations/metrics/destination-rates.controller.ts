import { Controller, Get, Inject } from '@nestjs/common';
import { METRICS_DAYS } from '../../delivery/rollups/rollup-store.js';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import type { Page } from '../../http/response/pagination.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import {
  DestinationRates,
  destinationRatesQuery,
  destinationRatesResponse,
  RATES_PATH,
  type DestinationRatesQuery,
} from './destination-rates.js';

/** Metrics of many destinations over time. */
@Controller(RATES_PATH)
export class DestinationRatesController {
  constructor(@Inject(DestinationRates) private readonly rates: DestinationRates) {}

  @Get()
  @Operation({
    id: 'listEventDestinationMetrics',
    access: 'read',
    summary: 'List the metrics of event destinations',
    description: `How much each destination delivered, and how much failed, in steps of a minute to a day, for the last ${METRICS_DAYS} days. \`GET /event_destinations/{id}/metrics\` has more of one destination.`,
    tag: eventDestination.title.many,
    response: destinationRatesResponse,
  })
  list(
    @Context() context: RequestContext,
    @QueryParameters(destinationRatesQuery) query: DestinationRatesQuery,
  ): Promise<Page> {
    return this.rates.list(context, query);
  }
}
