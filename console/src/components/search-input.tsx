import { useRef, type ComponentProps, type ReactNode, type RefObject } from 'react';
import { useHotkey } from './hotkey.js';
import { Icon } from './icon.js';
import styles from './search-input.module.css';

/** Properties of `SearchInput`. Those of the input are passed on to it. */
export interface SearchInputProps extends Omit<ComponentProps<'input'>, 'className' | 'children' | 'ref'> {
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
    <div className={styles.field} data-wide={isWide}>
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
