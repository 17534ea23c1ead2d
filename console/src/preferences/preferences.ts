import { useSyncExternalStore } from 'react';
import { StoredValue } from './stored-value.js';

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

/** What can be chosen, with its words. */
export const preferenceChoices: readonly {
  readonly title: string;
  /** The change that each label stands for. */
  readonly options: Readonly<Record<string, Partial<Preferences>>>;
}[] = [
  {
    title: 'Colours',
    options: { 'As the system': { theme: 'system' }, Light: { theme: 'light' }, Dark: { theme: 'dark' } },
  },
  { title: 'Time zone', options: { 'Local time': { zone: 'local' }, UTC: { zone: 'utc' } } },
  { title: 'Times', options: { Relative: { times: 'relative' }, Exact: { times: 'exact' } } },
];

const preferences = new StoredValue('waybill.preferences', (stored): Preferences => {
  const { theme, zone, times }: Partial<Record<keyof Preferences, unknown>> = { ...Object(stored) };
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    zone: zone === 'utc' ? 'utc' : 'local',
    times: times === 'exact' ? 'exact' : 'relative',
  };
});

/** Changes preferences, and keeps them in this browser. */
export function setPreferences(change: Partial<Preferences>): void {
  preferences.write({ ...preferences.read(), ...change });
}

/** Returns the preferences. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(preferences.subscribe, preferences.read);
}

/** Gives the page the chosen colours, now and after each change: styles/tokens.css has them. */
export function followTheme(): void {
  const apply = (): void => {
    const { theme } = preferences.read();
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  };
  apply();
  preferences.subscribe(apply);
}
