import { boundedText } from './bounded-text.js';

/** A count that ends at a bound. */
export interface BoundedCountProps {
  /** Undefined while it is not known. `atLeast`: whether the real number is higher. */
  readonly count: { readonly value: number; readonly atLeast: boolean } | undefined;
  /** Why the last reading failed; null when it did not. */
  readonly error: Error | null;
}

/** Shows a count: `7`, or `100+` where it ended before the last one. */
export function BoundedCount({ count, error }: BoundedCountProps) {
  if (count === undefined) return error === null ? '…' : 'not available';
  return boundedText(count.value, count.atLeast);
}
