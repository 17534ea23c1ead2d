import type { EventType } from '@waybill/client';
import { filterNames, filterOfId, idPrefix, textFilters, type TextFilter } from '../../api/event-filter.js';

/** What a typed text may mean. */
export type EventSuggestion = {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
} & (
  | { readonly kind: 'type'; readonly value: string }
  | { readonly kind: 'filter'; readonly filter: TextFilter; readonly value: string }
  | { readonly kind: 'event'; readonly value: string }
);

/** Most types that are offered. */
const MOST_TYPES = 30;

/** Words before a colon that name a filter: `key:ak_…`. */
const words = new Map<string, TextFilter | 'type'>([
  ['type', 'type'],
  ['resource', 'object_id'],
  ['object', 'object_id'],
  ['principal', 'principal_id'],
  ['who', 'principal_id'],
  ['key', 'credential_id'],
  ['credential', 'credential_id'],
  ['operation', 'operation_id'],
  ['request', 'operation_id'],
  ['changed', 'changed'],
]);

/** Returns what a text may mean, best first. @param types the event types of the account */
export function suggestionsOf(text: string, types: readonly EventType[]): readonly EventSuggestion[] {
  const [, word = '', rest = ''] = /^(\w+):\s*(.*)$/.exec(text.trim()) ?? [];
  const filter = words.get(word.toLowerCase()) ?? rawFilter(word);
  if (filter === 'type') return typesWith(rest, types);
  const value = filter === undefined ? text.trim() : rest.trim();
  if (value === '') return [];
  if (filter !== undefined) return [byText(filter, value)];
  if (idPrefix(value) === 'evt') return [{ kind: 'event', id: 'event', label: value, hint: 'Open the event', value }];
  const best = filterOfId(value);
  const filters = best === null ? textFilters : [best, ...textFilters.filter((name) => name !== best)];
  return [...typesWith(value, types), ...filters.map((name) => byText(name, value))];
}

function rawFilter(word: string): TextFilter | undefined {
  return textFilters.find((name) => name === word);
}

function byText(filter: TextFilter, value: string): EventSuggestion {
  return { kind: 'filter', id: filter, label: value, hint: filterNames[filter], filter, value };
}

/** Returns the types that have every word of a text, those that begin with it first. */
function typesWith(text: string, types: readonly EventType[]): readonly EventSuggestion[] {
  const parts = text.toLowerCase().split(/[\s.]+/);
  const start = parts.join('_');
  return types
    .map(({ type }) => type)
    .filter((type) => parts.every((part) => type.includes(part)))
    .toSorted((a, b) => Number(b.startsWith(start)) - Number(a.startsWith(start)))
    .slice(0, MOST_TYPES)
    .map((type) => ({ kind: 'type', id: `type ${type}`, label: type, hint: filterNames.type, value: type }));
}
