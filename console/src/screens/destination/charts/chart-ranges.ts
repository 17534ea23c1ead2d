/** Times that the charts cover. */
export const chartRanges = ['1h', '24h', '7d', '30d'] as const;
/** Time that the charts cover. */
export type ChartRange = (typeof chartRanges)[number];

/** Length of a step of the API. */
export type ChartStep = '1m' | '5m' | '1h' | '1d';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface Range {
  readonly label: string;
  readonly ms: number;
  readonly step: ChartStep;
  /** How often the charts are read again, in milliseconds. */
  readonly refreshMs: number;
}

/** Label, step and refresh time of each range. */
export const ranges: Readonly<Record<ChartRange, Range>> = {
  '1h': { label: '1 h', ms: HOUR_MS, step: '1m', refreshMs: 15_000 },
  '24h': { label: '24 h', ms: DAY_MS, step: '5m', refreshMs: MINUTE_MS },
  '7d': { label: '7 d', ms: 7 * DAY_MS, step: '1h', refreshMs: MINUTE_MS },
  '30d': { label: '30 d', ms: 30 * DAY_MS, step: '1d', refreshMs: 5 * MINUTE_MS },
};

/** Lengths of the steps, in milliseconds. */
export const stepLengths: Readonly<Record<ChartStep, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '1h': HOUR_MS,
  '1d': DAY_MS,
};

/**
 * Returns the query of the metrics of a range that ends now. It begins with a step of which everything is kept.
 * @param now milliseconds since 1970
 */
export function metricsQueryOf(range: ChartRange, now: number): { from: string; to: string; step: ChartStep } {
  const { ms, step } = ranges[range];
  const from = Math.ceil((now - ms) / stepLengths[step]) * stepLengths[step];
  return { from: new Date(from).toISOString(), to: new Date(now).toISOString(), step };
}
