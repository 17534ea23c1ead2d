import { useEffect, useState, type KeyboardEvent } from 'react';
import { usePreferences } from '../preferences/preferences.js';
import { fromInputTime, toInputTime } from '../time/input-time.js';

/** Years before this one are half typed. */
const FIRST_YEAR = '1000';

/**
 * Keeps what is typed into a field for date and time, in the zone that the person has chosen. A complete time applies
 * when it is typed, any other at Enter and when the field is left.
 * @param value RFC 3339; undefined for none
 * @param onChange called with another time; undefined for none
 * @returns the text of the field, and attributes of its input
 */
export function useTypedTime(value: string | undefined, onChange: (at: string | undefined) => void) {
  const { zone } = usePreferences();
  const given = toInputTime(value, zone);
  const [text, setText] = useState(given);
  // A text that means the given time stays: the part that is being typed would be lost.
  useEffect(
    () => setText((now) => (fromInputTime(now, zone) === fromInputTime(given, zone) ? now : given)),
    [given, zone],
  );
  const commit = (typed: string): void => {
    const at = fromInputTime(typed, zone);
    if (at !== fromInputTime(given, zone)) onChange(at);
  };
  return {
    text,
    setText: (typed: string): void => {
      setText(typed);
      if (typed >= FIRST_YEAR) commit(typed);
    },
    attributes: {
      step: 1,
      onBlur: () => commit(text),
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key === 'Enter') commit(text);
      },
    },
  };
}
