import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { focusTable } from './data-table.js';
import { SearchInput } from './search-input.js';
import styles from './suggest-field.module.css';
import ui from './ui.module.css';

/** A line of the list below the field. */
export interface Suggestion {
  /** Its identity among the suggestions of a text. */
  readonly id: string;
  readonly label: ReactNode;
  /** Says what kind of suggestion it is. */
  readonly hint: string;
  /** An id that tells two suggestions of one label apart. */
  readonly detail?: string;
  /** Whether it only takes the text as it is, without anything that has it: a person must select it. */
  readonly isGuess?: boolean;
}

interface SuggestFieldProps<One extends Suggestion> {
  /** Name of the field: `Add a filter`. */
  readonly label: string;
  readonly placeholder: string;
  /** Returns the suggestions for a text, best first. */
  readonly suggest: (text: string) => readonly One[];
  /** What is said below the suggestions for a text; null for nothing. */
  readonly note?: (text: string) => string | null;
  /** Called with each text that is typed. */
  readonly onType?: (text: string) => void;
  /** Called with the chosen suggestion. The field is empty then. */
  readonly onChoose: (one: One) => void;
  /** Called when Backspace is pressed in the empty field. */
  readonly onRemoveLast: () => void;
}

/**
 * A field that offers what a typed text may mean. The key `/` leads to it, arrows select, Enter chooses, Escape empties
 * it (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). From the empty field, arrow down and Enter lead to the table
 * of the page.
 */
export function SuggestField<One extends Suggestion>(props: SuggestFieldProps<One>) {
  const { label, placeholder, suggest, note, onType, onChoose, onRemoveLast } = props;
  const list = useId();
  const [text, setText] = useState('');
  /** Null: no arrow was pressed since the text was typed. */
  const [active, setActive] = useState<number | null>(null);
  const [isOpen, setOpen] = useState(false);
  const suggestions = isOpen ? suggest(text) : [];
  const first = suggestions.findIndex(({ isGuess }) => isGuess !== true);
  const current = active === null ? first : Math.min(active, suggestions.length - 1);
  const said = isOpen ? (note?.(text) ?? null) : null;

  function type(next: string, open = next !== ''): void {
    setText(next);
    setActive(null);
    setOpen(open);
    onType?.(next);
  }

  function choose(one: One | undefined): void {
    if (one === undefined) return;
    type('');
    onChoose(one);
  }

  function move(to: number): void {
    const next = (to + suggestions.length) % suggestions.length;
    setActive(next);
    document.getElementById(optionId(list, next))?.scrollIntoView({ block: 'nearest' });
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const action = actionOf(event, { text, count: suggestions.length });
    if (action === null) return;
    event.preventDefault();
    if (action === 'down') move(current + 1);
    if (action === 'up') move(Math.max(current, 0) - 1);
    if (action === 'open') setOpen(true);
    if (action === 'choose') choose(suggestions[current]);
    if (action === 'clear') type('');
    if (action === 'leave') focusTable();
    if (action === 'remove') onRemoveLast();
  }

  return (
    <SearchInput
      label={label}
      placeholder={placeholder}
      isWide
      type="text"
      role="combobox"
      aria-autocomplete="list"
      aria-expanded={suggestions.length > 0}
      aria-controls={list}
      aria-activedescendant={current >= 0 ? optionId(list, current) : undefined}
      autoComplete="off"
      spellCheck={false}
      maxLength={255}
      value={text}
      onChange={({ target }) => type(target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => setOpen(false)}
      onFocus={() => setOpen(text !== '')}
    >
      <div className={`${ui.raised} ${styles.list}`} hidden={suggestions.length === 0 && said === null}>
        <div id={list} role="listbox" aria-label={label} hidden={suggestions.length === 0}>
          {suggestions.map((one, index) => (
            // The keyboard is in the field, which has the keys of the list.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={one.id}
              id={optionId(list, index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === current}
              className={ui.option}
              // The focus stays in the field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(one)}
            >
              <span>
                {one.label}
                {one.detail !== undefined && <code className={ui.note}> {one.detail}</code>}
              </span>
              <span className={ui.aside}>{one.hint}</span>
            </div>
          ))}
        </div>
        <p role="status" className={`${ui.note} ${ui.result} ${styles.note}`}>
          {said}
        </p>
      </div>
    </SearchInput>
  );
}

function optionId(list: string, index: number): string {
  return `${list}-${index}`;
}

type Action = 'down' | 'up' | 'open' | 'choose' | 'clear' | 'leave' | 'remove';

/** Returns what a key does in the field; null where it is a key of the text. */
function actionOf(
  { key, altKey, nativeEvent }: KeyboardEvent,
  { text, count }: { readonly text: string; readonly count: number },
): Action | null {
  // A key of an input method chooses a character.
  if (nativeEvent.isComposing) return null;
  switch (key) {
    case 'ArrowDown':
      if (count > 0) return 'down';
      return text === '' && !altKey ? 'leave' : 'open';
    case 'ArrowUp':
      return count > 0 ? 'up' : null;
    case 'Enter':
      return count > 0 ? 'choose' : text === '' ? 'leave' : 'open';
    case 'Escape':
      return 'clear';
    case 'Backspace':
      return text === '' ? 'remove' : null;
    default:
      return null;
  }
}
