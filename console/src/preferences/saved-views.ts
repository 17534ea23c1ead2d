import { useSyncExternalStore } from 'react';
import { StoredValue } from './stored-value.js';

/** A search that a person keeps in this browser. */
export interface SavedView {
  readonly name: string;
  /** Its address after the path: `?type=…`; empty without filters. */
  readonly search: string;
}

/** Most views of an account. */
export const MOST_VIEWS = 50;

/** Longest name of a view. */
export const LONGEST_NAME = 60;

/** What was read, by account. */
const known = new Map<string, StoredValue<readonly SavedView[]>>();

function viewsOf(account: string): StoredValue<readonly SavedView[]> {
  const views = known.get(account) ?? new StoredValue(`waybill.views.${account}`, readViews);
  known.set(account, views);
  return views;
}

/** Returns the views of an account in this browser, by name. */
export function useSavedViews(account: string): readonly SavedView[] {
  const views = viewsOf(account);
  return useSyncExternalStore(views.subscribe, views.read);
}

/** Returns the views of an account in this browser, by name. */
export function savedViews(account: string): readonly SavedView[] {
  return viewsOf(account).read();
}

/** Keeps a view. One with the same name is replaced. @returns false where there are too many */
export function saveView(account: string, view: SavedView): boolean {
  const others = savedViews(account).filter(({ name }) => name !== view.name);
  if (others.length >= MOST_VIEWS) return false;
  viewsOf(account).write([...others, view].toSorted((a, b) => a.name.localeCompare(b.name, 'en')));
  return true;
}

/** Forgets a view. */
export function deleteView(account: string, name: string): void {
  viewsOf(account).write(savedViews(account).filter((view) => view.name !== name));
}

function readViews(stored: unknown): readonly SavedView[] {
  return Array.isArray(stored) ? stored.filter(isView).slice(0, MOST_VIEWS) : [];
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false;
  return typeof Reflect.get(value, 'name') === 'string' && typeof Reflect.get(value, 'search') === 'string';
}
