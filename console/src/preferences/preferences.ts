import { useSyncExternalStore } from 'react';

/** Colours of the page: those of the system, or one of both. */
export type Theme = 'system' | 'light' | 'dark';

/** Time zone of the times: that of the browser, or UTC. */
export type Zone = 'local' | 'utc';

/** How times are shown: how long ago they were, or in full. */
export type Times = 'relative' | 'exact';

/** What a person has chosen in this browser. */
export interface Preferences {
  readonly theme: Theme;
  readonly zone: Zone;
  readonly times: Times;
}

const KEY = 'waybill.preferences';

const listeners = new Set<() => void>();
let current = read();

function read(): Preferences {
  const stored = parsed(storedText());
  return {
    theme: stored.theme === 'light' || stored.theme === 'dark' ? stored.theme : 'system',
    zone: stored.zone === 'utc' ? 'utc' : 'local',
    times: stored.times === 'exact' ? 'exact' : 'relative',
  };
}

/** Returns the stored text; null where the browser keeps nothing. */
function storedText(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function parsed(text: string | null): Partial<Record<keyof Preferences, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Changes preferences, and keeps them in this browser. */
export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // The choice holds until the page is closed.
  }
  applyTheme();
  for (const listener of listeners) listener();
}

/** Returns the preferences. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, () => current);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Sets the colours of the page; styles/tokens.css has them. */
export function applyTheme(): void {
  if (current.theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = current.theme;
}

/** Follows changes that another tab makes. */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key !== KEY) return;
    current = read();
    applyTheme();
    for (const listener of listeners) listener();
  });
}
