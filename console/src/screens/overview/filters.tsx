import { FilterField } from '../../components/search-input.js';
import { stateWord } from '../../components/state-badge.js';
import { Toggle, ToggleGroup } from '../../components/toggle.js';
import { toggled } from '../../components/toggled.js';
import { states, type Totals } from './rows.js';
import type { OverviewSearch } from './search.js';
import ui from '../../components/ui.module.css';

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
    <search className={ui.line} aria-label="Destinations">
      <FilterField
        label="Filter the destinations"
        placeholder="Name, id, service or error"
        value={search.q}
        onChange={(q) => onChange({ q })}
        onLeave={onLeave}
      />
      <ToggleGroup label="States">
        {states.map((state) => (
          <Toggle
            key={state}
            icon={state}
            count={totals.byState[state]}
            isOn={search.state?.includes(state) === true}
            onPress={() => {
              const next = toggled(search.state ?? [], state);
              onChange({ state: next.length === 0 ? undefined : next });
            }}
          >
            {stateWord(state)}
          </Toggle>
        ))}
      </ToggleGroup>
      <p role="status" className={ui.soft}>
        {shown === total
          ? `${total.toLocaleString('en')} shown`
          : `${shown.toLocaleString('en')} of ${total.toLocaleString('en')} shown`}
      </p>
    </search>
  );
}
