import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, type KeyboardEvent } from 'react';
import { eventTypesQuery } from '../../../api/event-types.js';
import { focusTable } from '../../../components/data-table.js';
import { SearchInput, useTypedText } from '../../../components/search-input.js';

/** Type of the event of a test. No subscription can name it, so the list of types does not have it. */
const TEST_TYPE = 'event_destination_test.v0';

interface TypeFieldProps {
  /** The type in the address; undefined for all. */
  readonly value: string | undefined;
  /** Called with a whole name; undefined for all types. */
  readonly onChange: (type: string | undefined) => void;
}

/** A field for an event type, with the names to choose from. A name counts when it is whole, or at Enter. */
export function TypeField({ value = '', onChange }: TypeFieldProps) {
  const id = useId();
  const { input, text, setText } = useTypedText(value);
  const { data } = useQuery(eventTypesQuery);
  const names = useMemo(() => [...(data ?? []).map(({ type }) => type), TEST_TYPE], [data]);

  function enter(next: string): void {
    setText(next);
    const name = next.trim();
    if (name === '') onChange(undefined);
    else if (names.includes(name)) onChange(name);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      event.preventDefault();
      onChange(text.trim() === '' ? undefined : text.trim());
      focusTable();
    } else if (event.key === 'Escape') {
      enter('');
    }
  }

  return (
    <SearchInput
      ref={input}
      list={id}
      label="Event type"
      placeholder="Event type"
      value={text}
      onChange={({ target }) => enter(target.value)}
      onKeyDown={onKeyDown}
    >
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </SearchInput>
  );
}
