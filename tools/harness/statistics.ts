/** Returns the nearest-rank percentile, or NaN without values. `share` is 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Returns the median, or NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  if (!Number.isInteger(middle)) return upper;
  return (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/**
 * Returns the largest factor between a cost and an earlier one; 1 if the cost never rises.
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

/** Returns the ratio of the medians of the second half and the first half; NaN below two values. */
export function drift(series: readonly number[]): number {
  const half = Math.floor(series.length / 2);
  return median(series.slice(series.length - half)) / median(series.slice(0, half));
}

/** Rounds to three significant digits, and from 100 to a whole number. */
export function rounded(value: number): number {
  if (!Number.isFinite(value)) return value;
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
