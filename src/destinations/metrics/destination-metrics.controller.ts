import { Controller, Get, Inject, Param } from '@nestjs/common';
import { METRICS_DAYS } from '../../delivery/rollups/rollup-store.js';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import {
  DestinationMetrics,
  destinationMetricsQuery,
  destinationMetricsResponse,
  type DestinationMetricsQuery,
  type DestinationMetricsResponse,
} from './destination-metrics.js';

/** Metrics of one destination over time. */
@Controller('/event_destinations/:id/metrics')
export class DestinationMetricsController {
  constructor(@Inject(DestinationMetrics) private readonly metrics: DestinationMetrics) {}

  @Get()
  @Operation({
    id: 'getEventDestinationMetrics',
    access: 'read',
    summary: 'Get the metrics of an event destination',
    description: `Counts of deliveries, latencies and batch sizes in steps of a minute to a day, for the last ${METRICS_DAYS} days. An attempt counts in the step in which it was recorded.`,
    tag: eventDestination.title.many,
    response: destinationMetricsResponse,
  })
  read(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @QueryParameters(destinationMetricsQuery) query: DestinationMetricsQuery,
  ): Promise<DestinationMetricsResponse> {
    return this.metrics.read(context, id, query);
  }
}
