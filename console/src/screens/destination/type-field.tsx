import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { eventTypesQuery } from '../../api/event-types.js';
import { useHotkey } from '../../components/hotkey.js';
import { Icon } from '../../components/icon.js';
import styles from './filter-bar.module.css';

/** Type of the event of a test. No subscription can name it, so the list of types does not have it. */
const TEST_TYPE = 'event_destination_test.v0';

/** Properties of `TypeField`. */
export interface TypeFieldProps {
  /** The type in the address; undefined for all. */
  readonly value: string | undefined;
  /** Called with a whole name; undefined for all types. */
  readonly onChange: (type: string | undefined) => void;
  /** Called when the keyboard leaves for the table. */
  readonly onLeave: () => void;
}

/** A field for an event type, with the names to choose from. A name counts when it is whole, or at Enter. */
export function TypeField({ value = '', onChange, onLeave }: TypeFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const { data } = useQuery(eventTypesQuery);
  const names = useMemo(() => [...(data ?? []).map(({ type }) => type), TEST_TYPE], [data]);
  useHotkey('/', () => input.current?.focus());

  // The address may change elsewhere: by a button, or by going back.
  useEffect(() => {
    if (document.activeElement !== input.current) setText(value);
  }, [value]);

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
      onLeave();
    } else if (event.key === 'Escape') {
      enter('');
    }
  }

  return (
    <div className={styles.type}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        list={id}
        className={styles.input}
        aria-label="Event type"
        aria-keyshortcuts="/"
        placeholder="Event type ( / )"
        value={text}
        onChange={({ target }) => enter(target.value)}
        onKeyDown={onKeyDown}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}
