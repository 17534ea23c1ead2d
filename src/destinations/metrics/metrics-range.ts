import { z } from 'zod';
import { boundedTime } from '../../bounds/bounded.js';
import { completeSince } from '../../database/complete-since.js';
import { METRICS_DAYS, type RollupTable } from '../../delivery/rollups/rollup-store.js';
import { invalidInput, type Problem } from '../../problems/problem.js';
import type { MetricsRange } from './destination-metrics-store.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 366 * DAY_MS;

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

/** Returns the query parameters of a range of at most `most` steps. */
export function rangeParameters(most: number) {
  return {
    from: boundedTime.optional().meta({ description: 'Begin of the range. Default: a day before `to`.' }),
    to: boundedTime.optional().meta({ description: 'End of the range. Default: now.' }),
    step: z
      .enum(stepNames)
      .default('1h')
      .meta({ description: `Length of a step, at most ${most} of which are returned. Days begin at midnight UTC.` }),
  };
}

/** The parameters of a range. */
export type RangeQuery = z.infer<z.ZodObject<ReturnType<typeof rangeParameters>>>;

/** A range in a response. */
export const rangeResponse = {
  step: z.enum(stepNames),
  from: z.iso.datetime().meta({ description: 'Begin of the first step: the given time or earlier.' }),
  to: z.iso.datetime().meta({ description: 'End of the last step: the given time or later.' }),
  complete_since: z.iso
    .datetime()
    .optional()
    .meta({
      description: `Present when the range begins earlier than ${METRICS_DAYS} days ago, unless the account is younger: what happened before this time is not counted.`,
    }),
  complete_until: z.iso.datetime().meta({
    description: 'What was recorded before this time is counted, usually until half a minute ago.',
  }),
};

/**
 * Returns the range of a query, extended to whole steps.
 * @param now in milliseconds
 * @param most most steps
 * @throws Problem `invalid_input` when it is reversed, out of bounds, or has more steps
 */
export function metricsRangeOf({ from, to, step }: RangeQuery, now: number, most: number): MetricsRange {
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
  if (count > most) {
    const detail = `makes ${count} steps of this range, and at most ${most} are returned: take a longer step or a shorter range`;
    throw refuse('step', detail);
  }
  return { from: new Date(first), to: new Date(last), stepMs, table };
}

/** Returns the problem of one query parameter. */
function refuse(name: string, detail: string): Problem {
  return invalidInput([{ pointer: `?${name}`, detail }]);
}

/** Returns the beginning of every step of a range, in milliseconds. */
export function stepsIn({ from, to, stepMs }: MetricsRange): readonly number[] {
  const count = (to.getTime() - from.getTime()) / stepMs;
  return Array.from({ length: count }, (_, index) => from.getTime() + index * stepMs);
}

/**
 * Returns the members of a response that say what its metrics cover.
 * @param removed before which the metrics of the account were removed; null: none were
 */
export function rangeMembers(range: MetricsRange, completeUntil: Date, removed: Date | null) {
  const since = completeSince(range.from, [removed]);
  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    ...(since && { complete_since: since.toISOString() }),
    complete_until: completeUntil.toISOString(),
  };
}
