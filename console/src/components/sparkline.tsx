import { memo } from 'react';
import type { SparkStep } from '../api/spark-steps.js';
import styles from './sparkline.module.css';

const WIDTH = 120;
const HEIGHT = 28;
const GAP = 0.5;

interface SparklineProps {
  readonly steps: readonly SparkStep[];
  /** The time that the steps cover: `last hour`. */
  readonly period: string;
}

/** A small picture of deliveries over time: what was delivered goes up, what failed goes down. */
export const Sparkline = memo(function Sparkline({ steps, period }: SparklineProps) {
  const delivered = sum(steps.map((step) => step.delivered));
  const failed = sum(steps.map((step) => step.failed));
  const up = Math.max(1, ...steps.map((step) => step.delivered));
  const down = Math.max(0, ...steps.map((step) => step.failed));
  // The base line moves up to make space for what failed.
  const base = down === 0 ? HEIGHT - 1 : HEIGHT * 0.6;
  const above = (count: number): number => Math.max(1, (count / up) * (base - 1));
  const below = (count: number): number => Math.max(1.5, (count / Math.max(1, down)) * (HEIGHT - base - 1));
  const width = WIDTH / Math.max(1, steps.length);
  const name = `${period}: ${delivered.toLocaleString('en')} delivered, ${failed.toLocaleString('en')} failed`;
  return (
    <svg
      className={styles.line}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={name}
    >
      <title>{name}</title>
      {steps.map((step, index) => (
        // The steps have no other identity than their position.
        // oxlint-disable-next-line react/no-array-index-key
        <g key={index}>
          {step.delivered > 0 && (
            <rect
              className={styles.bar}
              data-tone="good"
              x={index * width}
              width={width - GAP}
              y={base - above(step.delivered)}
              height={above(step.delivered)}
            />
          )}
          {step.failed > 0 && (
            <rect
              className={styles.bar}
              data-tone="bad"
              x={index * width}
              width={width - GAP}
              y={base}
              height={below(step.failed)}
            />
          )}
        </g>
      ))}
      <path className={styles.base} d={`M0 ${base}H${WIDTH}`} />
    </svg>
  );
});

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
