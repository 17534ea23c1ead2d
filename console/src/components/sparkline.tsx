import { memo } from 'react';
import type { Rates } from '../api/spark-steps.js';
import styles from './sparkline.module.css';

const WIDTH = 120;
const HEIGHT = 28;
const GAP = 0.5;

interface SparklineProps {
  readonly rates: Rates;
  /** The time that the steps cover: `last hour`. */
  readonly period: string;
}

/** A small picture of deliveries over time: what was delivered goes up, what failed goes down. */
export const Sparkline = memo(function Sparkline({ rates: { delivered, failed }, period }: SparklineProps) {
  const up = Math.max(1, ...delivered);
  const down = Math.max(0, ...failed);
  // The base line moves up to make space for what failed.
  const base = down === 0 ? HEIGHT - 1 : HEIGHT * 0.6;
  const above = (count: number): number => Math.max(1, (count / up) * (base - 1));
  const below = (count: number): number => Math.max(1.5, (count / Math.max(1, down)) * (HEIGHT - base - 1));
  const width = WIDTH / Math.max(1, delivered.length);
  const name = `${period}: ${sumText(delivered)} delivered, ${sumText(failed)} failed`;
  return (
    <svg
      className={styles.line}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={name}
    >
      <title>{name}</title>
      {delivered.map((arrived, index) => {
        const lost = failed[index] ?? 0;
        return (
          // The steps have no other identity than their position.
          // oxlint-disable-next-line react/no-array-index-key
          <g key={index}>
            {arrived > 0 && (
              <rect
                className={styles.bar}
                data-tone="good"
                x={index * width}
                width={width - GAP}
                y={base - above(arrived)}
                height={above(arrived)}
              />
            )}
            {lost > 0 && (
              <rect
                className={styles.bar}
                data-tone="bad"
                x={index * width}
                width={width - GAP}
                y={base}
                height={below(lost)}
              />
            )}
          </g>
        );
      })}
      <path className={styles.base} d={`M0 ${base}H${WIDTH}`} />
    </svg>
  );
});

function sumText(counts: readonly number[]): string {
  return counts.reduce((total, count) => total + count, 0).toLocaleString('en');
}
