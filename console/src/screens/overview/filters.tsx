import { FilterField } from '../../components/filter-field.js';
import { Icon } from '../../components/icon.js';
import { stateWord } from '../../components/state-badge.js';
import { states, type State, type Totals } from './rows.js';
import type { OverviewSearch } from './search.js';
import styles from './overview.module.css';

/** Properties of `Filters`. */
export interface FiltersProps {
  readonly search: OverviewSearch;
  readonly totals: Totals;
  /** Rows that match. */
  readonly shown: number;
  readonly total: number;
  readonly onChange: (change: Partial<OverviewSearch>) => void;
  /** Called when the keyboard leaves for the table. */
  readonly onLeave: () => void;
}

/** The filters of the overview: a text, and the states with their numbers. */
export function Filters({ search, totals, shown, total, onChange, onLeave }: FiltersProps) {
  return (
    <search className={styles.filters} aria-label="Destinations">
      <FilterField
        label="Filter the destinations"
        placeholder="Name, id, service or error"
        value={search.q}
        onChange={(q) => onChange({ q })}
        onLeave={onLeave}
      />
      <div role="group" aria-label="States" className={styles.states}>
        {states.map((state) => {
          const isOn = search.state?.includes(state) === true;
          return (
            <button
              key={state}
              type="button"
              className={styles.state}
              aria-pressed={isOn}
              onClick={() => onChange({ state: toggled(search.state, state) })}
            >
              <Icon name={state} />
              {stateWord(state)}
              <span className={styles.number}>{totals.byState[state].toLocaleString('en')}</span>
            </button>
          );
        })}
      </div>
      <p role="status" className={styles.soft}>
        {shown === total
          ? `${total.toLocaleString('en')} shown`
          : `${shown.toLocaleString('en')} of ${total.toLocaleString('en')} shown`}
      </p>
    </search>
  );
}

function toggled(current: readonly State[] | undefined, state: State): readonly State[] | undefined {
  const next = current?.includes(state) ? current.filter((one) => one !== state) : [...(current ?? []), state];
  return next.length === 0 ? undefined : next;
}
