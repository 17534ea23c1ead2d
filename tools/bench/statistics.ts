/** The nearest-rank percentile: the smallest of the values that at least `share` (0 to 1) of them do not exceed; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The middle value, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  if (!Number.isInteger(middle)) return upper;
  return (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/**
 * How far a cost rises with size: the largest factor between a cost and any that stands before it, and 1 where it never rises.
 * @param costs ordered by size
 */
export function highestRise(costs: readonly number[]): number {
  let lowest = Number.POSITIVE_INFINITY;
  let rise = 1;
  for (const cost of costs) {
    rise = Math.max(rise, cost / lowest);
    lowest = Math.min(lowest, cost);
  }
  return rise;
}

/** How much the second half of a series stands above the first, as the ratio of their medians: 1 is flat. NaN below two values. */
export function drift(series: readonly number[]): number {
  const half = Math.floor(series.length / 2);
  return median(series.slice(series.length - half)) / median(series.slice(0, half));
}

/** A number with three digits that count, for people and for JSON alike. */
export function rounded(value: number): number {
  if (!Number.isFinite(value)) return value;
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
