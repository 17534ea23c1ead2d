import ui from './ui.module.css';

/** Returns a count as a text: `7`, or `100+` where the real number is higher. */
export function boundedText(value: number, atLeast: boolean): string {
  return `${value.toLocaleString('en')}${atLeast ? '+' : ''}`;
}

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

interface BigNumberProps {
  readonly value: number;
  /** Whether the real number is higher. */
  readonly atLeast?: boolean;
}

/** A number that a person looks at before a change. */
export function BigNumber({ value, atLeast = false }: BigNumberProps) {
  return <strong className={ui.big}>{countText({ value, atLeast })}</strong>;
}

/** Returns a number as a text: `at least 2,000`. */
export function countText({ value, atLeast = false }: BigNumberProps): string {
  return `${atLeast ? 'at least ' : ''}${value.toLocaleString('en')}`;
}
