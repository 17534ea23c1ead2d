import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import { LatencyCounts } from '../../../delivery/rollups/latency-counts.js';
import { METRICS_DAYS, type RollupTable } from '../../../delivery/rollups/rollup-store.js';
import type {
  DestinationMetricsStore,
  MetricsRange,
  StepMetrics,
} from '../../../delivery/views/destination-metrics-store.js';
import type { RequestContext } from '../../../http/request-context.js';
import { invalidInput, notFound, type Problem } from '../../../problems/problem.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 366 * DAY_MS;

/** Most steps of one response. It bounds what is read: a step of five minutes has five rows, a day has 24. */
const MAX_STEPS = 1_500;

interface Step {
  readonly ms: number;
  readonly table: RollupTable;
}

const steps = {
  '1m': { ms: MINUTE_MS, table: 'destination_minutes' },
  '5m': { ms: 5 * MINUTE_MS, table: 'destination_minutes' },
  '1h': { ms: HOUR_MS, table: 'destination_hours' },
  '1d': { ms: DAY_MS, table: 'destination_hours' },
} as const satisfies Readonly<Record<string, Step>>;

const stepNames = ['1m', '5m', '1h', '1d'] as const satisfies readonly (keyof typeof steps)[];

const time = boundedString(64).check(z.iso.datetime({ offset: true }));

/** The query of the metrics of a destination. */
export const destinationMetricsQuery = z.strictObject({
  from: time.optional().meta({ description: 'Begin of the range. Default: a day before `to`.' }),
  to: time.optional().meta({ description: 'End of the range. Default: now.' }),
  step: z
    .enum(stepNames)
    .default('1h')
    .meta({ description: `Length of a step, at most ${MAX_STEPS} of which are returned. Days begin at midnight UTC.` }),
});

export type DestinationMetricsQuery = z.infer<typeof destinationMetricsQuery>;

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

/** The metrics of a destination in a response. */
export const destinationMetricsResponse = z
  .object({
    uri: z.string().meta({ description: 'Address of the metrics, without the range.' }),
    step: z.enum(stepNames),
    from: z.iso.datetime().meta({ description: 'Begin of the first step: the given time or earlier.' }),
    to: z.iso.datetime().meta({ description: 'End of the last step: the given time or later.' }),
    complete_since: z.iso
      .datetime()
      .optional()
      .meta({
        description: `Present when the range begins earlier than ${METRICS_DAYS} days ago: what happened before this time is not counted.`,
      }),
    complete_until: z.iso.datetime().meta({
      description: 'What was recorded before this time is counted, usually until half a minute ago.',
    }),
    total: z.object(counts).meta({ description: 'The metrics of the whole range.' }),
    steps: z
      .array(z.object({ from: z.iso.datetime().meta({ description: 'Begin of the step.' }), ...counts }))
      .meta({ description: 'Every step of the range, oldest first, also those in which nothing happened.' }),
  })
  .meta({ id: 'EventDestinationMetrics', description: 'Metrics of an event destination over time.' });

export type DestinationMetricsResponse = z.infer<typeof destinationMetricsResponse>;

/** Reads the metrics of destinations. */
export class DestinationMetrics {
  constructor(private readonly store: DestinationMetricsStore) {}

  /** @throws Problem `not_found`, or `invalid_input` for a range */
  async read(
    { accountId, baseUrl }: RequestContext,
    id: string,
    query: DestinationMetricsQuery,
  ): Promise<DestinationMetricsResponse> {
    const now = Date.now();
    const range = metricsRangeOf(query, now);
    const metrics = await this.store.read(accountId, id, range);
    if (!metrics) throw notFound('event destination', id);
    const begins = stepsIn(range);
    const keptSince = now - METRICS_DAYS * DAY_MS;
    return {
      uri: `${baseUrl}/event_destinations/${id}/metrics`,
      step: query.step,
      from: range.from.toISOString(),
      to: range.to.toISOString(),
      ...(range.from.getTime() < keptSince && { complete_since: new Date(keptSince).toISOString() }),
      complete_until: metrics.completeUntil.toISOString(),
      total: countsOf([...metrics.steps.values()]),
      steps: begins.map((begin) => {
        const step = metrics.steps.get(begin);
        return { from: new Date(begin).toISOString(), ...countsOf(step ? [step] : []) };
      }),
    };
  }
}

/**
 * Returns the range of a query, extended to whole steps.
 * @param now in milliseconds
 * @throws Problem `invalid_input` when it is reversed, out of bounds, or has more than MAX_STEPS steps
 */
function metricsRangeOf({ from, to, step }: DestinationMetricsQuery, now: number): MetricsRange {
  const { ms: stepMs, table } = steps[step];
  const end = to === undefined ? now : Date.parse(to);
  const begin = from === undefined ? end - DAY_MS : Date.parse(from);
  if (begin < 0) throw refuse(from === undefined ? 'to' : 'from', 'must not be before 1970');
  if (end > now + YEAR_MS) throw refuse('to', 'must not be later than a year from now');
  if (begin >= end) {
    throw to === undefined ? refuse('from', 'must be earlier than now') : refuse('to', 'must be later than from');
  }
  const first = Math.floor(begin / stepMs) * stepMs;
  const last = Math.ceil(end / stepMs) * stepMs;
  const count = (last - first) / stepMs;
  if (count > MAX_STEPS) {
    const detail = `makes ${count} steps of this range, and at most ${MAX_STEPS} are returned: take a longer step or a shorter range`;
    throw refuse('step', detail);
  }
  return { from: new Date(first), to: new Date(last), stepMs, table };
}

/** Returns the problem of one query parameter. */
function refuse(name: string, detail: string): Problem {
  return invalidInput([{ pointer: `?${name}`, detail }]);
}

function stepsIn({ from, to, stepMs }: MetricsRange): readonly number[] {
  const count = (to.getTime() - from.getTime()) / stepMs;
  return Array.from({ length: count }, (_, index) => from.getTime() + index * stepMs);
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
