import { Controller, Get, Inject, Param } from '@nestjs/common';
import { z } from 'zod';
import { RetentionMarks } from '../../database/partitions/retention-marks.js';
import { LatencyCounts } from '../../delivery/rollups/latency-counts.js';
import { METRICS_DAYS, metricsKeptSince } from '../../delivery/rollups/rollup-store.js';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { notFound } from '../../problems/problem.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import { DestinationMetricsStore, type StepMetrics } from './destination-metrics-store.js';
import { metricsRangeOf, rangeMembers, rangeParameters, rangeResponse, stepsIn } from './metrics-range.js';

/** Most steps of one response. It bounds what is read: a step of five minutes has five rows, a day has 24. */
const MAX_STEPS = 1_500;

const metricsQuery = z.strictObject(rangeParameters(MAX_STEPS));

type MetricsQuery = z.infer<typeof metricsQuery>;

const counts = {
  attempts: z.int().meta({ description: 'Attempts: calls to the target with a batch of events.' }),
  delivered: z.int().meta({ description: 'Deliveries that the target accepted.' }),
  retried: z.int().meta({ description: 'Deliveries that failed and were tried again: each attempt counts.' }),
  rejected: z.int().meta({ description: 'Deliveries that the target rejected permanently.' }),
  expired: z.int().meta({ description: 'Deliveries whose deadline passed.' }),
  latency_p50_ms: z.number().nullable().meta({
    description:
      'Time from a change, or from the request of its redelivery, until its event was delivered, which half of the delivered events did not exceed. At most 10 % off. Null where nothing was delivered.',
  }),
  latency_p99_ms: z.number().nullable().meta({ description: 'The same for 99 % of the delivered events.' }),
  batch_size_mean: z.number().nullable().meta({ description: 'Events of an attempt. Null without an attempt.' }),
  batch_size_max: z.int().nullable().meta({ description: 'Events of the largest attempt. Null without an attempt.' }),
};

const metricsResponse = z
  .object({
    uri: z.string().meta({ description: 'Address of the metrics, without the range.' }),
    ...rangeResponse,
    total: z.object(counts).meta({ description: 'The metrics of the whole range.' }),
    steps: z
      .array(z.object({ from: z.iso.datetime().meta({ description: 'Begin of the step.' }), ...counts }))
      .meta({ description: 'Every step of the range, oldest first, also those in which nothing happened.' }),
  })
  .meta({ id: 'EventDestinationMetrics', description: 'Metrics of an event destination over time.' });

type MetricsResponse = z.infer<typeof metricsResponse>;

/** Metrics of one destination over time. */
@Controller('/event_destinations/:id/metrics')
export class DestinationMetricsController {
  constructor(
    @Inject(DestinationMetricsStore) private readonly store: DestinationMetricsStore,
    @Inject(RetentionMarks) private readonly marks: RetentionMarks,
  ) {}

  @Get()
  @Operation({
    id: 'getEventDestinationMetrics',
    access: 'read',
    summary: 'Get the metrics of an event destination',
    description: `Counts of deliveries, latencies and batch sizes in steps of a minute to a day, for the last ${METRICS_DAYS} days. An attempt counts in the step in which it was recorded.`,
    tag: eventDestination.title.many,
    response: metricsResponse,
  })
  async read(
    @Context() { accountId, baseUrl }: RequestContext,
    @Param('id') id: string,
    @QueryParameters(metricsQuery) query: MetricsQuery,
  ): Promise<MetricsResponse> {
    const now = Date.now();
    const range = metricsRangeOf(query, now, MAX_STEPS);
    const metrics = await this.store.read(accountId, id, range);
    if (!metrics) throw notFound('event destination', id);
    const begins = stepsIn(range);
    const removed = await this.marks.unlessYounger(accountId, metricsKeptSince(now));
    return {
      uri: `${baseUrl}/event_destinations/${id}/metrics`,
      step: query.step,
      ...rangeMembers(range, metrics.completeUntil, removed),
      total: countsOf([...metrics.steps.values()]),
      steps: begins.map((begin) => {
        const step = metrics.steps.get(begin);
        return { from: new Date(begin).toISOString(), ...countsOf(step ? [step] : []) };
      }),
    };
  }
}

/** Adds up the metrics of steps. Latencies merge exactly, since all steps have the same buckets. */
function countsOf(metrics: readonly StepMetrics[]) {
  const sum = (of: (step: StepMetrics) => number): number => metrics.reduce((total, step) => total + of(step), 0);
  const latencies = new LatencyCounts();
  for (const step of metrics) latencies.merge(step.latencies);
  const attempts = sum((step) => step.attempts);
  const batches = metrics.flatMap(({ largestBatch }) => largestBatch ?? []);
  return {
    attempts,
    delivered: sum(({ delivered }) => delivered),
    retried: sum(({ retried }) => retried),
    rejected: sum(({ rejected }) => rejected),
    expired: sum(({ expired }) => expired),
    latency_p50_ms: latencies.quantile(0.5),
    latency_p99_ms: latencies.quantile(0.99),
    batch_size_mean: attempts === 0 ? null : Math.round((10 * sum(({ records }) => records)) / attempts) / 10,
    batch_size_max: batches.length === 0 ? null : Math.max(...batches),
  };
}
