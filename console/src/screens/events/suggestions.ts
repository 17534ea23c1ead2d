import type { EventType } from '@waybill/client';
import { filterNames, filterOfId, idPrefix, textFilters, type TextFilter } from '../../api/event-filter.js';
import type { EventRow } from '../../api/events.js';
import { foundBy, type NamedResource } from '../../api/names.js';
import type { Suggestion } from '../../components/suggest-field.js';

/** What a typed text may mean. */
export type EventSuggestion = Suggestion & { readonly label: string } & (
    | { readonly kind: 'type'; readonly value: string }
    | { readonly kind: 'filter'; readonly filter: TextFilter; readonly value: string }
    | { readonly kind: 'event'; readonly value: string }
  );

/** Something that has a name and an id: a resource, or who made a change. */
export interface Named {
  readonly id: string;
  readonly name: string;
  /** Filters that find it, best first. */
  readonly filters: readonly TextFilter[];
  /** What it is: `bot user`. */
  readonly kind: string;
}

/** What suggestions are made of. */
export interface SuggestionSource {
  /** The event types of the account. */
  readonly types: readonly EventType[];
  /** What the text may be the name of. */
  readonly named: readonly Named[];
}

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
  ['address', 'ip'],
  ['payload', 'text'],
]);

/** An IP address. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:]*:[\da-f:.]*)$/i;

/** What a text is, after the name of a filter before a colon. */
export interface TypedText {
  readonly filter: TextFilter | 'type' | undefined;
  readonly value: string;
}

/** Reads a typed text: `key: deploy` is a value of the filter of API keys. */
export function typedText(text: string): TypedText {
  const [, word = '', rest = ''] = /^(\w+):\s*(.*)$/.exec(text.trim()) ?? [];
  const filter = words.get(word.toLowerCase()) ?? textFilters.find((name) => name === word);
  return filter === undefined ? { filter, value: text.trim() } : { filter, value: rest.trim() };
}

/** Returns what a text may mean, best first. A text that no filter accepts, and that is no name, means nothing. */
export function suggestionsOf(text: string, { types, named }: SuggestionSource): readonly EventSuggestion[] {
  const { filter, value } = typedText(text);
  if (filter === 'type') return typesWith(value, types);
  if (value === '') return [];
  if (filter === undefined && idPrefix(value) === 'evt')
    return [{ kind: 'event', id: 'event', label: value, hint: 'Open the event', value }];
  const best = filterOfId(value);
  const filters = filter === undefined ? [...new Set([...(best === null ? [] : [best]), ...textFilters])] : [filter];
  return [
    ...(filter === undefined ? typesWith(value, types) : []),
    ...(best === null ? named.flatMap((one) => byName(one, value, filter)) : []),
    ...filters
      .filter((name) => (name === 'text' ? name === filter || best === null : isAccepted(name, value, types)))
      .map((name) => byText(name, value, filter === undefined)),
  ];
}

/** Returns whether a filter can find something with a value. Publishers choose the ids of resources and principals. */
export function isAccepted(filter: TextFilter, value: string, types: readonly EventType[]): boolean {
  const prefix = idPrefix(value);
  // Without a known type, nothing is known of publishers.
  const hasPublisher = types.length === 0 || types.some(({ origin }) => origin === 'registered');
  switch (filter) {
    case 'object_id':
      return prefix !== null || hasPublisher;
    case 'principal_id':
      return ['usr', 'bot'].includes(prefix ?? '') || value === 'system' || hasPublisher;
    case 'credential_id':
      return prefix === 'ak';
    case 'operation_id':
      return prefix === 'op';
    case 'ip':
      return ADDRESS.test(value);
    case 'text':
      return true;
    case 'changed':
      return prefix === null && (/^[a-z_]\w*$/i.test(value) || hasPublisher);
  }
}

function byText(filter: TextFilter, value: string, isOpen: boolean): EventSuggestion {
  const isText = filter === 'text' || filter === 'ip';
  const isExact = filter !== 'changed' && !isText && idPrefix(value) === null;
  const hint = isExact ? `${filterNames[filter]} with exactly this id` : filterNames[filter];
  const isGuess = isOpen && !isText && idPrefix(value) === null;
  return { kind: 'filter', id: filter, label: value, hint, filter, value, ...(isGuess && { isGuess }) };
}

function byName(one: Named, text: string, only: TextFilter | undefined): EventSuggestion[] {
  const { id, name, filters, kind } = one;
  if (foundBy(one, text) === null) return [];
  return filters
    .filter((filter) => only === undefined || filter === only)
    .map((filter) => ({
      kind: 'filter',
      id: `${filter} ${id}`,
      label: name,
      detail: id,
      hint: `${filterNames[filter]}, ${kind}`,
      filter,
      value: id,
    }));
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

/** Families whose resources make changes: the filter of what they did comes first. */
const actors: Readonly<Record<string, TextFilter>> = { bot_user: 'principal_id', api_key: 'credential_id' };

/**
 * Returns what names may mean in a search: principals and resources of the events that are shown, and resources of the
 * account.
 */
export function namedIn(rows: readonly EventRow[], resources: readonly NamedResource[]): readonly Named[] {
  const found = new Map<string, Named>();
  for (const { id, name, family } of resources) {
    const actor = actors[family.name];
    found.set(id, { id, name, kind: family.one, filters: [...(actor === undefined ? [] : [actor]), 'object_id'] });
  }
  for (const { principalId: id, subject: name, resourceId, resourceName } of rows) {
    if (!found.has(id)) found.set(id, { id, name, kind: 'in the events shown', filters: ['principal_id'] });
    if (resourceName === null || found.has(resourceId)) continue;
    found.set(resourceId, { id: resourceId, name: resourceName, kind: 'in the events shown', filters: ['object_id'] });
  }
  return [...found.values()];
}
