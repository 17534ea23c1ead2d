import { useState } from 'react';
import { periods, type EventSearch, type Period } from '../../app/event-search.js';
import { useTypedTime } from '../../components/typed-time.js';
import { usePreferences } from '../../preferences/preferences.js';
import { dateOrder, startOfDay } from '../../time/input-time.js';
import { zoneName } from '../../time/zone-name.js';
import ui from '../../components/ui.module.css';
import styles from './events.module.css';

const periodNames: Readonly<Record<Period, string>> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};

interface TimeFilterProps {
  readonly search: EventSearch;
  readonly onChange: (change: Partial<EventSearch>) => void;
}

/** The time of the events: any, a period that ends now, or a range. */
export function TimeFilter({ search, onChange }: TimeFilterProps) {
  const { from, to, last } = search;
  const { zone } = usePreferences();
  const [isRangeWanted, setRangeWanted] = useState(false);
  const isRange = last === undefined && (isRangeWanted || from !== undefined || to !== undefined);

  function choose(value: string): void {
    const period = Object.keys(periods).find((one): one is Period => one === value);
    setRangeWanted(value === 'range');
    if (value === 'today') {
      onChange({ last: undefined, from: startOfDay(Date.now(), zone), to: undefined });
      return;
    }
    if (value !== 'range') onChange({ last: period, from: undefined, to: undefined });
    else if (last !== undefined) onChange({ last: undefined, from: timeBefore(periods[last]) });
  }

  return (
    <>
      <label className={`${ui.note} ${styles.choice}`}>
        Time
        <select
          className={ui.control}
          value={last ?? (isRange ? 'range' : 'any')}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="any">Any time</option>
          {Object.entries(periodNames).map(([period, name]) => (
            <option key={period} value={period}>
              {name}
            </option>
          ))}
          <option value="today">{`Today (${zoneName(zone)})`}</option>
          <option value="range">From and to</option>
        </select>
      </label>
      {isRange && (
        <>
          <TimeField label="From" value={from} onChange={(at) => onChange({ from: at })} />
          <TimeField label="To" value={to} onChange={(at) => onChange({ to: at })} />
        </>
      )}
    </>
  );
}

function timeBefore(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

interface TimeFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (at: string | undefined) => void;
}

/** A field for date and time in the zone that the person has chosen. */
function TimeField({ label, value, onChange }: TimeFieldProps) {
  const { zone } = usePreferences();
  const { text, setText, attributes } = useTypedTime(value, onChange);
  return (
    <label className={`${ui.note} ${styles.choice}`}>
      {label} ({zone === 'utc' ? 'UTC' : 'local time'}) {dateOrder()}
      <input
        type="datetime-local"
        className={ui.control}
        value={text}
        onChange={({ target }) => setText(target.value)}
        {...attributes}
      />
    </label>
  );
}
