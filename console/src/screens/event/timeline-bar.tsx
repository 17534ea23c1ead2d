import { outcomeLooks } from '../../components/state-badge.js';
import type { Span } from './timeline.js';
import styles from './timeline-bar.module.css';

const WIDTH = 1_000;
const HEIGHT = 20;
const WAIT_HEIGHT = 4;

/** Least width of an attempt: one of 20 ms among days must be seen. */
const LEAST_WIDTH = 4;

interface TimelineBarProps {
  readonly spans: readonly Span[];
  /** Begin and end of the scale. */
  readonly extent: readonly [number, number] | null;
  /** What the bar shows, in words. */
  readonly label: string;
}

/** The waits and attempts of a delivery on a scale of time. */
export function TimelineBar({ spans, extent, label }: TimelineBarProps) {
  const [from, to] = extent ?? [0, 1];
  const x = (at: number): number => ((at - from) / Math.max(1, to - from)) * WIDTH;
  return (
    <svg
      className={styles.bar}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {spans.map((span) => {
        const height = span.kind === 'wait' ? WAIT_HEIGHT : HEIGHT;
        const width = Math.max(x(span.to) - x(span.from), span.kind === 'wait' ? 0 : LEAST_WIDTH);
        return (
          <rect
            key={span.from}
            className={styles.span}
            data-tone={span.kind === 'wait' ? undefined : outcomeLooks[span.kind].tone}
            x={Math.min(x(span.from), WIDTH - width)}
            y={(HEIGHT - height) / 2}
            width={width}
            height={height}
          />
        );
      })}
    </svg>
  );
}
