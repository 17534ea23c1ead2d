import { z } from 'zod';

/** Returns the schema of a query parameter that is a whole number, at most 15 digits. */
export function wholeNumberParameter(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
    z.int(error).min(least, error).max(most, error),
  );
}
