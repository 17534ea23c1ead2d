import { useSyncExternalStore } from 'react';

/** A search that a person keeps in this browser. */
export interface SavedView {
  readonly name: string;
  /** Its address after the path: `?type=…`; empty without filters. */
  readonly search: string;
}

/** Most views of an account. */
const MOST = 50;

/** Longest name of a view. */
export const LONGEST_NAME = 60;

const listeners = new Set<() => void>();
/** What was read, by account: a list stays the same until it changes. */
const known = new Map<string, readonly SavedView[]>();

/** Returns the views of an account in this browser, by name. */
export function useSavedViews(account: string): readonly SavedView[] {
  return useSyncExternalStore(subscribe, () => savedViews(account));
}

/** Returns the views of an account in this browser, by name. */
export function savedViews(account: string): readonly SavedView[] {
  const views = known.get(account) ?? read(account);
  known.set(account, views);
  return views;
}

/** Keeps a view. One with the same name is replaced. */
export function saveView(account: string, view: SavedView): void {
  const others = savedViews(account).filter(({ name }) => name !== view.name);
  write(account, [...others, view].toSorted((a, b) => a.name.localeCompare(b.name, 'en')).slice(0, MOST));
}

/** Forgets a view. */
export function deleteView(account: string, name: string): void {
  const others = savedViews(account).filter((view) => view.name !== name);
  write(account, others);
}

function keyOf(account: string): string {
  return `waybill.views.${account}`;
}

function read(account: string): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(account)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false;
  return typeof Reflect.get(value, 'name') === 'string' && typeof Reflect.get(value, 'search') === 'string';
}

function write(account: string, views: readonly SavedView[]): void {
  known.set(account, views);
  try {
    localStorage.setItem(keyOf(account), JSON.stringify(views));
  } catch {
    // The views are kept until the page is closed.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', onStorage);
  };
}

/** Another tab has changed the views. */
function onStorage(): void {
  known.clear();
  for (const listener of listeners) listener();
}
