import type { KeyboardEvent } from 'react';
import { SearchInput } from './search-input.js';
import { useTypedText } from './typed-text.js';

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
  const { input, text, setText } = useTypedText(value);

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
    <SearchInput
      ref={input}
      label={label}
      placeholder={placeholder}
      value={text}
      onChange={({ target }) => type(target.value)}
      onKeyDown={onKeyDown}
    />
  );
}
