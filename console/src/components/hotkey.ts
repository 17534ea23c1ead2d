import { useEffect, useEffectEvent } from 'react';

/** A key without the text fields: `/`. Or with Ctrl (on a Mac, Cmd): `mod+k`. */
export type Hotkey = string;

/** Calls a function when a key is pressed anywhere in the page. In a text field, only keys with `mod+` count. */
export function useHotkey(hotkey: Hotkey, action: () => void): void {
  const run = useEffectEvent(action);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!matches(event, hotkey) || event.defaultPrevented) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [hotkey]);
}

function matches(event: KeyboardEvent, hotkey: Hotkey): boolean {
  const withMod = hotkey.startsWith('mod+');
  if (event.altKey || (event.ctrlKey || event.metaKey) !== withMod) return false;
  if (event.key.toLowerCase() !== hotkey.replace('mod+', '')) return false;
  return withMod || !isTyping(event.target);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

/** Name of the key that is pressed with a letter for a command. */
export const MOD_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
