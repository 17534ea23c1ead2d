import { FilterField } from '../../components/search-input.js';
import { stateWord } from '../../components/state-badge.js';
import { Toggle, ToggleGroup } from '../../components/toggle.js';
import { toggled } from '../../components/toggled.js';
import { causesIn, states, type DestinationRow, type Totals } from './rows.js';
import type { OverviewSearch } from './search.js';
import ui from '../../components/ui.module.css';

/** Properties of `Filters`. */
export interface FiltersProps {
  readonly search: OverviewSearch;
  readonly totals: Totals;
  readonly rows: readonly DestinationRow[];
  /** Rows that match. */
  readonly shown: number;
  readonly onChange: (change: Partial<OverviewSearch>) => void;
}

/** The filters of the overview: a text, the states and the causes with their numbers. */
export function Filters({ search, totals, rows, shown, onChange }: FiltersProps) {
  const total = rows.length;
  const causes = causesIn(rows);
  return (
    <search className={ui.line} aria-label="Destinations">
      <FilterField
        label="Filter the destinations"
        placeholder="Name, id or error"
        value={search.q}
        onChange={(q) => onChange({ q })}
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
        <Toggle
          icon="stopped"
          count={rows.filter(({ undelivered }) => undelivered !== undefined).length}
          isOn={search.not_delivered !== undefined}
          onPress={() => onChange({ not_delivered: search.not_delivered === undefined ? 'true' : undefined })}
        >
          Rejected or expired
        </Toggle>
        {totals.muted.size > 0 && (
          <Toggle
            icon="muted"
            count={totals.muted.size}
            isOn={search.muted === 'true'}
            onPress={() => onChange({ muted: search.muted === 'true' ? undefined : 'true' })}
          >
            Muted
          </Toggle>
        )}
      </ToggleGroup>
      {causes.length > 0 && (
        <ToggleGroup label="Causes">
          <span className={ui.soft}>Causes</span>
          {causes.map(([cause, count]) => (
            <Toggle
              key={cause}
              count={count}
              isOn={search.cause === cause}
              onPress={() => onChange({ cause: search.cause === cause ? undefined : cause })}
            >
              {cause}
            </Toggle>
          ))}
        </ToggleGroup>
      )}
      <p role="status" className={ui.soft}>
        {shown === total
          ? `${total.toLocaleString('en')} shown`
          : `${shown.toLocaleString('en')} of ${total.toLocaleString('en')} shown`}
      </p>
    </search>
  );
}
