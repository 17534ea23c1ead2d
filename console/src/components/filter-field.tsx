import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useHotkey } from './hotkey.js';
import { Icon } from './icon.js';
import styles from './filter-field.module.css';

/** Properties of `FilterField`. */
export interface FilterFieldProps {
  /** Name of the field: `Filter the destinations`. */
  readonly label: string;
  readonly placeholder: string;
  /** The text in the address; undefined for none. */
  readonly value: string | undefined;
  /** Called with each text that is typed; undefined for an empty one. */
  readonly onChange: (value: string | undefined) => void;
  /** Called when the keyboard leaves for the list: arrow down, or Enter. */
  readonly onLeave: () => void;
}

/** A field that filters a list while a person types. The key `/` leads to it, Escape empties it. */
export function FilterField({ label, placeholder, value = '', onChange, onLeave }: FilterFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  useHotkey('/', () => input.current?.focus());

  // The address follows the typed text, a moment later. Any other change of the address comes from elsewhere.
  useEffect(() => {
    if (document.activeElement !== input.current) setText(value);
  }, [value]);

  function type(next: string): void {
    setText(next);
    onChange(next === '' ? undefined : next);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' || event.key === 'Enter') {
      event.preventDefault();
      onLeave();
    } else if (event.key === 'Escape') {
      type('');
    }
  }

  return (
    <div className={styles.field}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        className={styles.input}
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={`${placeholder} ( / )`}
        value={text}
        onChange={({ target }) => type(target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
