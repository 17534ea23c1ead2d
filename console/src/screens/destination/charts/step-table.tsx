import { usePreferences } from '../../../preferences/preferences.js';
import { absoluteText } from '../../../time/format.js';
import type { ChartData } from './series.js';
import ui from '../../../components/ui.module.css';
import styles from './charts.module.css';

interface StepTableProps {
  readonly charts: readonly ChartData[];
  /** Begin of each step, in milliseconds since 1970. */
  readonly times: readonly number[];
}

/** The values of the charts as a table, newest step first. Steps without an attempt are left out. */
export function StepTable({ charts, times }: StepTableProps) {
  const { zone } = usePreferences();
  const series = charts.flatMap(({ title, series: some, write }) => some.map((one) => ({ ...one, title, write })));
  const indexes = times
    .map((_time, index) => index)
    .filter((index) => series.some(({ values }) => (values[index] ?? 0) > 0))
    .toReversed();
  if (indexes.length === 0) return <p className={ui.note}>No step has an attempt.</p>;
  return (
    // The area scrolls, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={`${ui.card} ${styles.scroll}`} role="region" aria-label="Steps" tabIndex={0}>
      <table className={`${ui.number} ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">Step</th>
            {series.map(({ title, name }) => (
              <th key={title + name} scope="col">
                {title === 'Delivered and failed' ? name : `${title}, ${name}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {indexes.map((index) => (
            <tr key={times[index]}>
              <th scope="row">{absoluteText(times[index] ?? 0, zone)}</th>
              {series.map(({ title, name, values, write }) => {
                const value = values[index] ?? null;
                return <td key={title + name}>{value === null ? 'none' : write(value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
