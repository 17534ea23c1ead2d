import type { EventDestinationMetrics } from '@waybill/client';
import { durationText } from '../../../time/format.js';

type Step = EventDestinationMetrics['steps'][number];

/** A value of each step; null where there is none. */
export interface Series {
  readonly name: string;
  readonly tone: 'good' | 'bad' | 'calm' | 'plain';
  readonly values: readonly (number | null)[];
}

/** What one chart shows. */
export interface ChartData {
  readonly title: string;
  /** The whole range in words. */
  readonly summary: string;
  /** `bars`: the values are stacked. `lines`: with gaps where there is no value. */
  readonly form: 'bars' | 'lines';
  /** The axis reaches at least this value, so that its labels differ. */
  readonly least: number;
  readonly series: readonly Series[];
  /** What is measured; null where the title says it. */
  readonly note: string | null;
  /** Writes a value. */
  readonly write: (value: number) => string;
}

/** The axes of an idle destination: whole milliseconds, and whole events. */
const LEAST_LATENCY_MS = 10;
const LEAST_BATCH = 4;

/** Returns the three charts of the metrics: counts, latency and batch size. */
export function chartsOf({ total, steps }: EventDestinationMetrics): readonly ChartData[] {
  return [
    {
      title: 'Delivered and failed',
      summary: `${count(total.delivered)} delivered, ${count(failedOf(total))} failed${failures(total)}`,
      form: 'bars',
      least: 1,
      series: [
        { name: 'delivered', tone: 'good', values: steps.map((step) => step.delivered) },
        { name: 'failed', tone: 'bad', values: steps.map(failedOf) },
      ],
      note: null,
      write: count,
    },
    {
      title: 'Latency',
      summary:
        total.latency_p50_ms === null
          ? 'nothing was delivered'
          : `p50 ${latency(total.latency_p50_ms)}, p99 ${latency(total.latency_p99_ms)}`,
      form: 'lines',
      least: LEAST_LATENCY_MS,
      series: [
        { name: 'p50', tone: 'good', values: steps.map((step) => step.latency_p50_ms) },
        { name: 'p99', tone: 'calm', values: steps.map((step) => step.latency_p99_ms) },
      ],
      note: 'From the change, or the request of its redelivery, to the delivery. Pauses are not counted. At most 10 % off.',
      write: latency,
    },
    {
      title: 'Batch size',
      summary:
        total.attempts === 0
          ? 'no attempt was made'
          : `${mean(total.batch_size_mean)} ${total.batch_size_mean === 1 ? 'event' : 'events'} on average, ${mean(total.batch_size_max)} at most, in ${count(total.attempts)} ${total.attempts === 1 ? 'attempt' : 'attempts'}`,
      form: 'lines',
      least: LEAST_BATCH,
      series: [
        { name: 'average', tone: 'good', values: steps.map((step) => step.batch_size_mean) },
        { name: 'largest', tone: 'calm', values: steps.map((step) => step.batch_size_max) },
      ],
      note: null,
      write: mean,
    },
  ];
}

/** Returns the deliveries of a step that failed: those that were tried again, each time, rejected and expired ones. */
function failedOf({ retried, rejected, expired }: Pick<Step, 'retried' | 'rejected' | 'expired'>): number {
  return retried + rejected + expired;
}

/** Returns what the failures were: ` (2 retried, 1 rejected)`. */
function failures({ retried, rejected, expired }: Pick<Step, 'retried' | 'rejected' | 'expired'>): string {
  const parts = [
    retried > 0 ? [`${count(retried)} retried`] : [],
    rejected > 0 ? [`${count(rejected)} rejected`] : [],
    expired > 0 ? [`${count(expired)} expired`] : [],
  ].flat();
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function mean(value: number | null): string {
  return value === null ? 'none' : value.toLocaleString('en', { maximumFractionDigits: 1 });
}

/** Writes a latency: `85 ms`, `1.2 s`, `3 min 4 s`. @param ms null where nothing was delivered */
export function latency(ms: number | null): string {
  if (ms === null) return 'none';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : durationText(ms);
}

/** Returns the highest value that the axis has to show. */
export function highestOf({ form, series, least }: Pick<ChartData, 'form' | 'series' | 'least'>): number {
  if (form === 'lines') return Math.max(least, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const length = series[0]?.values.length ?? 0;
  const sums = Array.from({ length }, (_none, index) =>
    series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  );
  return Math.max(least, ...sums);
}

/** Whether a value has no neighbour, so that no line reaches it. */
export function isAlone(values: readonly (number | null)[], index: number): boolean {
  return values[index] != null && values[index - 1] == null && values[index + 1] == null;
}

/** Returns the values of a step in words: `12 delivered, 0 failed`. */
export function stepText({ form, series, write }: ChartData, index: number): string {
  // A line has no value where nothing was delivered or sent.
  if (form === 'lines' && series.every(({ values }) => values[index] == null)) return 'nothing';
  return series
    .map(({ name, values }) => {
      const value = values[index] ?? null;
      const text = value === null ? 'none' : write(value);
      return form === 'bars' ? `${text} ${name}` : `${name} ${text}`;
    })
    .join(', ');
}
