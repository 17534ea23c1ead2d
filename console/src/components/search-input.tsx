import {
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { focusTable } from './data-table.js';
import { useHotkey } from './hotkey.js';
import { Icon } from './icon.js';
import styles from './search-input.module.css';
import ui from './ui.module.css';

interface SearchInputProps extends Omit<ComponentProps<'input'>, 'className' | 'children' | 'ref'> {
  readonly ref?: RefObject<HTMLInputElement | null>;
  /** Name of the field: `Filter the destinations`. */
  readonly label: string;
  readonly placeholder: string;
  /** Whether the field takes an id. */
  readonly isCode?: boolean;
  /** Whether the field is wider than others. */
  readonly isWide?: boolean;
  /** What belongs to the field, such as a list below it. */
  readonly children?: ReactNode;
}

/** The text field of a page that finds things. The key `/` leads to it. */
export function SearchInput({
  ref,
  label,
  placeholder,
  isCode = false,
  isWide = false,
  children,
  ...props
}: SearchInputProps) {
  const own = useRef<HTMLInputElement>(null);
  const input = ref ?? own;
  useHotkey('/', () => input.current?.focus());
  return (
    <div className={`${ui.control} ${styles.field}`} data-wide={isWide}>
      <Icon name="search" />
      <input
        type="search"
        {...props}
        ref={input}
        className={styles.input}
        data-code={isCode}
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={`${placeholder} ( / )`}
      />
      {children}
    </div>
  );
}

interface FilterFieldProps {
  /** Name of the field: `Filter the destinations`. */
  readonly label: string;
  readonly placeholder: string;
  /** The text in the address; undefined for none. */
  readonly value: string | undefined;
  /** Called with each text that is typed; undefined for an empty one. */
  readonly onChange: (value: string | undefined) => void;
}

/**
 * A field that filters a table while a person types. The key `/` leads to it, Escape empties it, arrow down and Enter
 * lead to the table.
 */
export function FilterField({ label, placeholder, value = '', onChange }: FilterFieldProps) {
  const { input, text, setText } = useTypedText(value);

  function type(next: string): void {
    setText(next);
    onChange(next === '' ? undefined : next);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' || event.key === 'Enter') {
      event.preventDefault();
      focusTable();
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

/**
 * The text of a field that is a part of the address too. The address follows the typed text, a moment later. Any other
 * change of the address comes from elsewhere: by a button, or by going back.
 * @param value the text in the address
 * @returns the text in the field, what changes it, and the reference that the field needs
 */
export function useTypedText(value: string) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  useEffect(() => {
    if (document.activeElement !== input.current) setText(value);
  }, [value]);
  return { input, text, setText };
}
