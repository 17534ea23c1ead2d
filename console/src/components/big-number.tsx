import styles from './big-number.module.css';

/** Properties of `BigNumber`. */
export interface BigNumberProps {
  readonly value: number;
  /** Whether the real number is higher. */
  readonly atLeast?: boolean;
}

/** A number that a person looks at before a change. */
export function BigNumber({ value, atLeast = false }: BigNumberProps) {
  return <strong className={styles.number}>{countText({ value, atLeast })}</strong>;
}

/** Returns a number as a text: `at least 2,000`. */
export function countText({ value, atLeast = false }: BigNumberProps): string {
  return `${atLeast ? 'at least ' : ''}${value.toLocaleString('en')}`;
}
