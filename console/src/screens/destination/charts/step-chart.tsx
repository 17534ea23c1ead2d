import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleLinear, scaleTime, scaleUtc } from '@visx/scale';
import { LinePath } from '@visx/shape';
import { useLayoutEffect, useRef, useState, type MouseEvent, type RefObject } from 'react';
import { usePreferences } from '../../../preferences/preferences.js';
import { zoneName } from '../../../time/zone-name.js';
import { highestOf, isAlone, type ChartData, type Series } from './series.js';
import { tickText } from './tick-text.js';
import ui from '../../../components/ui.module.css';
import styles from './charts.module.css';

const HEIGHT = 180;
/** About how many lines the grid has. */
const TICKS = 4;
/** The labels at the left are as long as `13 min 20 s`. */
const MARGIN = { top: 8, right: 24, bottom: 28, left: 100 };

interface StepChartProps {
  readonly chart: ChartData;
  /** Begin of each step, in milliseconds since 1970. */
  readonly times: readonly number[];
  readonly stepMs: number;
  /** Index of the step that is marked; null for none. */
  readonly chosen: number | null;
  readonly onChoose: (index: number) => void;
}

/** A chart of the steps of a time. */
export function StepChart({ chart, times, stepMs, chosen, onChoose }: StepChartProps) {
  const [frame, width] = useWidth();
  const { zone } = usePreferences();
  const inner = {
    width: Math.max(10, width - MARGIN.left - MARGIN.right),
    height: HEIGHT - MARGIN.top - MARGIN.bottom,
  };
  const first = times[0] ?? 0;
  const end = (times.at(-1) ?? 0) + stepMs;
  const x = (zone === 'utc' ? scaleUtc : scaleTime)({
    domain: [new Date(first), new Date(end)],
    range: [0, inner.width],
  });
  const y = scaleLinear({ domain: [0, highestOf(chart)], range: [inner.height, 0], nice: true });
  const each = inner.width / Math.max(1, times.length);
  const choose = (event: MouseEvent<SVGSVGElement>): void => {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left - MARGIN.left;
    onChoose(Math.max(0, Math.min(times.length - 1, Math.floor(left / each))));
  };
  return (
    <figure ref={frame} className={`${ui.card} ${ui.stack} ${styles.chart}`}>
      <figcaption>
        <h2>{chart.title}</h2>
        <p className={ui.note}>{chart.summary}</p>
        {chart.note !== null && <p className={ui.note}>{chart.note}</p>}
        <ul className={ui.legend} aria-label="Legend">
          {chart.series.map(({ name, tone }) => (
            <li key={name} data-tone={tone}>
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`${chart.title}: ${chart.summary}`}
        // Not where the pointer is: it moves over the chart while the page scrolls.
        onClick={choose}
      >
        <g transform={`translate(${MARGIN.left} ${MARGIN.top})`}>
          {chosen !== null && (
            <rect className={styles.chosen} x={chosen * each} y={0} width={Math.max(each, 2)} height={inner.height} />
          )}
          {y.ticks(TICKS).map((value) => (
            <line key={value} className={styles.grid} x2={inner.width} y1={y(value)} y2={y(value)} />
          ))}
          {chart.form === 'bars' ? (
            <Stacks series={chart.series} each={each} y={y} height={inner.height} />
          ) : (
            chart.series.map((one) => <Line key={one.name} series={one} each={each} y={y} />)
          )}
          <AxisLeft
            scale={y}
            numTicks={TICKS}
            tickFormat={(value) => axisText(chart, Number(value))}
            tickLabelProps={{ className: styles.tick ?? '' }}
            axisLineClassName={styles.axis ?? ''}
            tickLineProps={{ className: styles.axis ?? '' }}
          />
          <AxisBottom
            top={inner.height}
            scale={x}
            numTicks={Math.max(2, Math.floor(inner.width / 90))}
            tickFormat={(value) => tickText(Number(value), zone, end - first)}
            tickLabelProps={{ className: styles.tick ?? '', textAnchor: 'middle' }}
            axisLineClassName={styles.axis ?? ''}
            tickLineProps={{ className: styles.axis ?? '' }}
          />
        </g>
      </svg>
      <p className={`${ui.note} ${styles.zone}`}>Times: {zoneName(zone)}</p>
    </figure>
  );
}

/** Returns the label of a value of the axis. There are no halves of deliveries. */
function axisText({ form, write }: ChartData, value: number): string {
  return form === 'bars' && !Number.isInteger(value) ? '' : write(value);
}

/** Returns the height of a value in the chart. */
type Scale = (value: number) => number;

interface StacksProps {
  readonly series: readonly Series[];
  /** Width of a step. */
  readonly each: number;
  readonly y: Scale;
  readonly height: number;
}

/** The values of each step, one on the other. A value that is not 0 is visible, however small. */
function Stacks({ series, each, y, height }: StacksProps) {
  const length = series[0]?.values.length ?? 0;
  const gap = each > 4 ? 1 : 0;
  return Array.from({ length }, (_none, index) => {
    let below = 0;
    return (
      // The steps have no other identity than their position.
      // oxlint-disable-next-line react/no-array-index-key
      <g key={index}>
        {series.map(({ name, tone, values }) => {
          const value = values[index] ?? 0;
          if (value === 0) return null;
          const size = Math.max(1.5, height - y(value));
          below += size;
          return (
            <rect
              key={name}
              className={styles.bar}
              data-tone={tone}
              x={index * each}
              width={Math.max(0.8, each - gap)}
              y={height - below}
              height={size}
            />
          );
        })}
      </g>
    );
  });
}

/** A line with gaps where there is no value. */
function Line({
  series: { tone, values },
  each,
  y,
}: {
  readonly series: Series;
  readonly each: number;
  readonly y: Scale;
}) {
  const points = values.map((value, index) => ({ value, at: (index + 0.5) * each }));
  return (
    <>
      <LinePath
        className={styles.line}
        data-tone={tone}
        data={points}
        defined={({ value }, index) => value !== null && !isAlone(values, index)}
        x={({ at }) => at}
        y={({ value }) => y(value ?? 0)}
      />
      {points.map(
        ({ value, at }, index) =>
          value !== null &&
          isAlone(values, index) && (
            <circle key={at} className={styles.point} data-tone={tone} cx={at} cy={y(value)} r={2.5} />
          ),
      )}
    </>
  );
}

/** Width before the element is measured, in pixels. */
const FIRST_WIDTH = 320;

/** Returns a reference for an element, and the width of that element in pixels. */
function useWidth(): readonly [RefObject<HTMLElement | null>, number] {
  const element = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(FIRST_WIDTH);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = (): void => setWidth(Math.floor(current.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
