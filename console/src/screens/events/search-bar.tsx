import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { filterNames, textFilters, type TextFilter } from '../../api/event-filter.js';
import { eventTypesQuery } from '../../api/event-types.js';
import type { EventRow } from '../../api/events.js';
import { countFilters, type EventSearch } from '../../app/event-search.js';
import { restNote } from '../../app/names-note.js';
import { useNames, type FoundNames } from '../../app/use-names.js';
import { Button } from '../../components/button.js';
import { Icon } from '../../components/icon.js';
import { NameOf } from '../../components/name-of.js';
import { SuggestField } from '../../components/suggest-field.js';
import { namedIn, suggestionsOf, typedText, type EventSuggestion } from './suggestions.js';
import { TimeFilter } from './time-filter.js';
import ui from '../../components/ui.module.css';
import styles from './events.module.css';

/** Most types of a search. */
const MOST_TYPES = 20;

interface SearchBarProps {
  readonly search: EventSearch;
  /** The events that are shown: their principals and resources can be found by their names. */
  readonly rows: readonly EventRow[];
  readonly onChange: (change: Partial<EventSearch>) => void;
  readonly onClear: () => void;
  readonly onOpenEvent: (id: string) => void;
}

/** The filters of the search: a field that adds one, those that are set, the order, the time. */
export function SearchBar({ search, rows, onChange, onClear, onOpenEvent }: SearchBarProps) {
  const { data: types = [] } = useQuery(eventTypesQuery);
  const [text, setText] = useState('');
  const names = useNames(typedText(text).filter === 'type' ? '' : typedText(text).value);
  const named = useMemo(() => namedIn(rows, names.resources), [rows, names.resources]);
  const suggest = (typed: string) => suggestionsOf(typed, { types, named });
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
    <search className={ui.stack} aria-label="Events">
      <div className={ui.line}>
        <SuggestField
          label="Add a filter"
          placeholder="Type, name, id, address or text"
          suggest={suggest}
          note={(typed) => nameNote(names, typedText(typed).value, suggest(typed).length === 0)}
          onType={setText}
          onChoose={add}
          onRemoveLast={() => {
            const last = set.at(-1);
            if (last) remove(last);
          }}
        />
        <label className={`${ui.note} ${styles.choice}`}>
          Order
          <select
            className={ui.control}
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
        <div role="group" aria-label="Filters that are set" className={ui.line}>
          {set.map((one) => (
            <button
              key={`${one.name} ${one.value}`}
              type="button"
              className={`${ui.control} ${styles.chip}`}
              onClick={() => remove(one)}
            >
              <span className={ui.hidden}>Remove the filter </span>
              <span className={ui.strong}>{filterNames[one.name]}</span>
              <code>{one.value}</code> {one.name === 'credential_id' ? <NameOf id={one.value} /> : nameIn(rows, one)}
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

/** Returns what the events that are shown call the value of a filter; null where they have no name for it. */
function nameIn(rows: readonly EventRow[], { name, value }: SetFilter): string | null {
  const [row] = rows;
  if (name === 'principal_id' && row?.principalId === value && row.subject !== value) return row.subject;
  return name === 'object_id' && row?.resourceId === value ? row.resourceName : null;
}

function filtersOf(search: EventSearch): readonly SetFilter[] {
  const types = (search.type ?? []).map((value) => ({ name: 'type' as const, value }));
  const texts = textFilters.flatMap((name) => {
    const value = search[name];
    return value === undefined ? [] : [{ name, value }];
  });
  return [...types, ...texts];
}

/**
 * Returns that nothing has a name, and what was not searched or is not suggested; null for nothing.
 * @param isNothing whether nothing is suggested
 */
function nameNote(found: FoundNames, value: string, isNothing: boolean): string | null {
  if (value === '') return null;
  if (found.isReading) return 'Reading the names of resources.';
  const nothing =
    'No existing resource in these lists has this name. Former names and deleted resources are found by text:…';
  const said = [isNothing ? nothing : null, restNote(found)].filter((text) => text !== null);
  return said.length === 0 ? null : said.join(' ');
}
