import { useQuery } from '@tanstack/react-query';
import { filterNames, textFilters, type TextFilter } from '../../api/event-filter.js';
import { eventTypesQuery } from '../../api/event-types.js';
import { countFilters, type EventSearch } from '../../app/event-search.js';
import { Button } from '../../components/button.js';
import { HiddenText } from '../../components/hidden-text.js';
import { Icon } from '../../components/icon.js';
import { SuggestField } from '../../components/suggest-field.js';
import { suggestionsOf, type EventSuggestion } from './suggestions.js';
import { TimeFilter } from './time-filter.js';
import styles from './events.module.css';

/** Most types of a search. */
const MOST_TYPES = 20;

/** Properties of `SearchBar`. */
export interface SearchBarProps {
  readonly search: EventSearch;
  readonly onChange: (change: Partial<EventSearch>) => void;
  readonly onClear: () => void;
  readonly onOpenEvent: (id: string) => void;
  /** Called when the keyboard leaves for the list. */
  readonly onLeave: () => void;
}

/** The filters of the search: a field that adds one, those that are set, the order, the time. */
export function SearchBar({ search, onChange, onClear, onOpenEvent, onLeave }: SearchBarProps) {
  const { data: types = [] } = useQuery(eventTypesQuery);
  const set = filtersOf(search);

  function add(one: EventSuggestion): void {
    if (one.kind === 'event') onOpenEvent(one.value);
    if (one.kind === 'filter') onChange({ [one.filter]: one.value });
    if (one.kind === 'type') onChange({ type: [...new Set([...(search.type ?? []), one.value])].slice(-MOST_TYPES) });
  }

  function remove({ name, value }: SetFilter): void {
    if (name !== 'type') {
      onChange({ [name]: undefined });
      return;
    }
    const rest = search.type?.filter((type) => type !== value) ?? [];
    onChange({ type: rest.length === 0 ? undefined : rest });
  }

  return (
    <search className={styles.bar} aria-label="Events">
      <div className={styles.line}>
        <SuggestField
          label="Add a filter"
          placeholder="Event type, id of anything, changed member"
          suggest={(text) => suggestionsOf(text, types)}
          onChoose={add}
          onRemoveLast={() => {
            const last = set.at(-1);
            if (last) remove(last);
          }}
          onLeave={onLeave}
        />
        <label className={styles.choice}>
          Order
          <select
            value={search.order ?? 'newest_first'}
            onChange={({ target }) => onChange({ order: target.value === 'oldest_first' ? 'oldest_first' : undefined })}
          >
            <option value="newest_first">Newest first</option>
            <option value="oldest_first">Oldest first</option>
          </select>
        </label>
        <TimeFilter search={search} onChange={onChange} />
      </div>
      {countFilters(search) > 0 && (
        <div role="group" aria-label="Filters that are set" className={styles.chips}>
          {set.map((one) => (
            <button key={`${one.name} ${one.value}`} type="button" className={styles.chip} onClick={() => remove(one)}>
              <HiddenText>Remove the filter </HiddenText>
              <span className={styles.chipName}>{filterNames[one.name]}</span>
              <code>{one.value}</code>
              <Icon name="close" />
            </button>
          ))}
          <Button look="quiet" onPress={onClear}>
            Clear all filters
          </Button>
        </div>
      )}
    </search>
  );
}

interface SetFilter {
  readonly name: TextFilter | 'type';
  readonly value: string;
}

function filtersOf(search: EventSearch): readonly SetFilter[] {
  const types = (search.type ?? []).map((value) => ({ name: 'type' as const, value }));
  const texts = textFilters.flatMap((name) => {
    const value = search[name];
    return value === undefined ? [] : [{ name, value }];
  });
  return [...types, ...texts];
}
