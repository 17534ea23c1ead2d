import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { EventDestinationMetrics } from '@waybill/client';
import { useId, useMemo, useState } from 'react';
import { request } from '../../../api/request.js';
import { Progress } from '../../../components/progress.js';
import { QueryState } from '../../../components/query-state.js';
import { Time } from '../../../components/time.js';
import { Toggle, ToggleGroup } from '../../../components/toggle.js';
import { usePreferences } from '../../../preferences/preferences.js';
import { absoluteText } from '../../../time/format.js';
import { chartRanges, metricsQueryOf, ranges, stepLengths, type ChartRange } from './chart-ranges.js';
import { chartsOf, stepText, type ChartData } from './series.js';
import { StepChart } from './step-chart.js';
import { StepTable } from './step-table.js';
import ui from '../../../components/ui.module.css';
import styles from './charts.module.css';

function metricsQuery(id: string, range: ChartRange) {
  return queryOptions({
    queryKey: ['destination', id, 'metrics', range],
    queryFn: ({ signal }) =>
      request('GET', '/event_destinations/{id}/metrics', {
        path: { id },
        query: metricsQueryOf(range, Date.now()),
        signal,
      }),
    refetchInterval: ranges[range].refreshMs,
    placeholderData: keepPreviousData,
  });
}

interface ChartsProps {
  readonly id: string;
  readonly range: ChartRange;
  readonly onRange: (range: ChartRange) => void;
}

/** Charts of what a destination delivered, how late, and in batches of which size. */
export function Charts({ id, range, onRange }: ChartsProps) {
  const query = useQuery(metricsQuery(id, range));
  const { data, error, isPlaceholderData } = query;
  return (
    <section className={ui.stack} aria-label="Charts">
      <div className={ui.line}>
        <ToggleGroup label="Time of the charts">
          {chartRanges.map((one) => (
            <Toggle key={one} isOn={one === range} onPress={() => onRange(one)}>
              {ranges[one].label}
            </Toggle>
          ))}
        </ToggleGroup>
        {data && !isPlaceholderData && (
          <span className={ui.note}>
            counted until <Time at={data.complete_until} show="absolute" />
          </span>
        )}
      </div>
      <QueryState query={query} what="metrics" />
      {data && isPlaceholderData && !error && <Progress label="Reading the metrics of this time" />}
      {data && (
        <div aria-busy={isPlaceholderData} className={`${ui.stack} ${styles.read}`}>
          <AllCharts metrics={data} />
        </div>
      )}
    </section>
  );
}

function AllCharts({ metrics }: { readonly metrics: EventDestinationMetrics }) {
  const charts = useMemo(() => chartsOf(metrics), [metrics]);
  const [chosen, choose] = useState<number | null>(null);
  const { zone } = usePreferences();
  const times = useMemo(() => metrics.steps.map(({ from }) => Date.parse(from)), [metrics]);
  const stepMs = stepLengths[metrics.step];
  const isIdle = metrics.total.attempts === 0 && metrics.total.expired === 0;
  const index = chosen === null ? null : Math.min(chosen, times.length - 1);
  return (
    <>
      {isIdle && (
        <p className={ui.note}>
          Nothing was sent in this time. A destination receives events when a subscription names it and something
          changes.
        </p>
      )}
      <div className={styles.all}>
        {charts.map((chart) => (
          <StepChart key={chart.title} chart={chart} times={times} stepMs={stepMs} chosen={index} onChoose={choose} />
        ))}
      </div>
      <StepChooser charts={charts} times={times} zone={zone} chosen={index} onChoose={choose} />
      <details>
        <summary>All steps as a table</summary>
        <StepTable charts={charts} times={times} />
      </details>
    </>
  );
}

interface StepChooserProps {
  readonly charts: readonly ChartData[];
  readonly times: readonly number[];
  readonly zone: 'local' | 'utc';
  readonly chosen: number | null;
  readonly onChoose: (index: number) => void;
}

/** Chooses one step of all charts by keyboard or mouse, and says its values. */
function StepChooser({ charts, times, zone, chosen, onChoose }: StepChooserProps) {
  const id = useId();
  const index = chosen ?? times.length - 1;
  const time = absoluteText(times[index] ?? 0, zone);
  const texts = charts.map((chart) => `${chart.title}: ${stepText(chart, index)}`);
  return (
    <div className={styles.chooser}>
      <label htmlFor={id}>Step</label>
      <input
        id={id}
        type="range"
        min={0}
        max={Math.max(0, times.length - 1)}
        value={index}
        aria-valuetext={[time, ...texts].join('; ')}
        onChange={({ target }) => onChoose(Number(target.value))}
      />
      <div className={`${ui.line} ${ui.number} ${styles.values}`}>
        <strong>{time}</strong>
        {texts.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </div>
    </div>
  );
}
