import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Event } from '@waybill/client';
import { timeOfId } from '@waybill/reconcile';
import type { EventFilter } from './event-filter.js';
import { byNext, cursorOf } from './pages.js';
import { isObject } from './references.js';
import { request } from './request.js';
import { labelOf } from './resource-label.js';
import { isRepeated, patient } from './retries.js';

/** Order of a list of events. */
export type EventOrder = 'newest_first' | 'oldest_first';

/** A filter, and the order of what it finds. */
export interface EventSelection {
  readonly filter: EventFilter;
  readonly order: EventOrder;
}

/** What a list shows of an event. Without its payload: a list may have 100,000 of them. */
export interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly resourceId: string;
  /** What people call the resource, as it was then; null where nothing but its id names it. */
  readonly resourceName: string | null;
  readonly principalId: string;
  readonly subject: string;
  readonly ip: string | null;
  /** The members that an update changed. */
  readonly changed: readonly string[];
}

/** A page of a search. It may be empty while there is more to search. */
export interface EventPage {
  readonly rows: readonly EventRow[];
  /** Where the next page begins; null on the last page. */
  readonly next: string | null;
  /** Absent when the list misses nothing. Otherwise it has every event that was recorded since this time. */
  readonly completeSince: string | undefined;
  /** The newest event that there was before the page was read, whatever the filter; null where it was not read. */
  readonly newest: string | null;
}

/** First part of the keys of the lists of events. */
export const EVENTS_KEY = 'events';

/** Events of a page: the most that the API returns. */
const PAGE = 100;

/** Time between the tries to read after an outage, in milliseconds. */
const AGAIN_MS = 10_000;

/** What could not be read is read again by itself when the service is back. */
function afterOutage({ state }: { readonly state: { readonly data: unknown; readonly error: Error | null } }) {
  return state.data === undefined && state.error !== null && isRepeated(0, state.error) && AGAIN_MS;
}

/** Returns the query of a search, page by page. Pages that were read stay: a list does not move by itself. */
export function eventsQuery({ filter, order }: EventSelection) {
  return infiniteQueryOptions({
    queryKey: [EVENTS_KEY, filter, order],
    queryFn: async ({ pageParam, signal }) => {
      const isFirst = pageParam === null && order === 'newest_first' && Object.keys(filter).length > 0;
      const newest = isFirst ? await newestId(signal) : null;
      return { ...(await readPage({ filter, order }, pageParam, signal)), newest };
    },
    ...byNext,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: afterOutage,
    ...patient,
  });
}

/** An event with its payload. Events do not change. */
export function eventQuery(id: string) {
  return queryOptions({
    queryKey: ['event', id],
    queryFn: ({ signal }) => request('GET', '/events/{id}', { path: { id }, signal }),
    staleTime: Infinity,
  });
}

/** How many events of a filter there are over time, and the states of the deliveries of the newest ones. */
export function eventCountsQuery(filter: EventFilter) {
  return queryOptions({
    queryKey: [EVENTS_KEY, 'counts', filter],
    queryFn: ({ signal }) => request('GET', '/events/counts', { query: filter, signal }),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchInterval: afterOutage,
    placeholderData: keepPreviousData,
  });
}

/** Events that a list lacks, oldest first: those after an event, and those that were committed late. */
export interface NewerEvents {
  readonly rows: readonly EventRow[];
  /** Up to which event was searched. */
  readonly after: string | null;
  /** When it was known, in milliseconds since 1970; null: late commits are no longer looked for. */
  readonly since: number | null;
}

/** Most events that are newer than a list: with more, the list is read again. */
export const MOST_NEWER = PAGE;

/** How long late commits are looked for, in milliseconds. Transactions are rarely open for longer. */
const LATE_MS = 60_000;

/** Most pages that are read of that time. */
const MOST_LATE_PAGES = 10;

/**
 * Reads the next newer events of a filter, a page at most, and those that were committed behind an event that was read.
 * A search that finds little continues where it was.
 * @param isListed whether the list has the event with an id, or will read it
 */
export async function readNewer(
  filter: EventFilter,
  known: NewerEvents,
  isListed: (id: string) => boolean,
  signal: AbortSignal,
): Promise<NewerEvents> {
  // A list that was read again may have those that it lacked before.
  const left = known.rows.filter(({ id }) => !isListed(id));
  if (left.length >= MOST_NEWER) return known;
  const begun = Date.now();
  const { rows, next } = await readPage({ filter, order: 'oldest_first' }, known.after, signal);
  const late = known.since === null ? [] : await readLate(filter, known.after, signal);
  const after = next ?? rows.at(-1)?.id ?? known.after;
  const since = after === known.after ? known.since : begun;
  const lacking = [...left, ...late, ...rows].filter(({ id }) => !isListed(id));
  return {
    rows: [...new Map(lacking.map((row) => [row.id, row])).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    after,
    since: since !== null && begun - since >= LATE_MS ? null : since,
  };
}

/** Reads the events before an event whose ids are so young that some may have been committed after it. */
async function readLate(filter: EventFilter, before: string | null, signal: AbortSignal): Promise<readonly EventRow[]> {
  const rows: EventRow[] = [];
  let cursor = before;
  for (let pages = 0; cursor !== null && pages < MOST_LATE_PAGES; pages += 1) {
    const page = await readPage({ filter, order: 'newest_first' }, cursor, signal);
    rows.push(...page.rows);
    cursor = page.next !== null && timeOf(page.next) > timeOf(before) - LATE_MS ? page.next : null;
  }
  return rows;
}

function timeOf(id: string | null): number {
  return Date.parse(timeOfId(id ?? '') ?? '');
}

async function newestId(signal: AbortSignal): Promise<string | null> {
  const { events } = await request('GET', '/events', { query: { limit: 1 }, signal });
  return events[0]?.id ?? null;
}

/** What was found beside an event. */
export interface Neighbour {
  /** Null when there is none, or when none was found. */
  readonly event: Event | null;
  /** Whether the search ended before all events were read. */
  readonly gaveUp: boolean;
}

/** Pages that are read to find the neighbour of an event. */
const MOST_PAGES = 20;

/** Finds the event of a filter that is next to an event. */
export async function neighbourOf(
  id: string,
  side: 'newer' | 'older',
  filter: EventFilter,
  signal: AbortSignal,
): Promise<Neighbour> {
  const order = side === 'newer' ? 'oldest_first' : 'newest_first';
  let cursor: string | null = id;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { event, next } = await eventFrom({ filter, order }, cursor, signal);
    if (event) return { event, gaveUp: false };
    if (next === null) return { event: null, gaveUp: false };
    cursor = next;
  }
  return { event: null, gaveUp: true };
}

/** Reads the event that is next after a cursor. A page may be empty while there is more to search. */
async function eventFrom(
  { filter, order }: EventSelection,
  cursor: string | null,
  signal: AbortSignal,
): Promise<{ readonly event: Event | undefined; readonly next: string | null }> {
  const page = await request('GET', '/events', { query: { ...filter, ...pageFrom(order, cursor), limit: 1 }, signal });
  return { event: page.events[0], next: cursorOf(page.next_page_uri) ?? null };
}

async function readPage(
  { filter, order }: EventSelection,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Omit<EventPage, 'newest'>> {
  const page = await request('GET', '/events', {
    query: { ...filter, ...pageFrom(order, cursor), limit: PAGE },
    signal,
  });
  return {
    rows: page.events.map(rowOf),
    next: cursorOf(page.next_page_uri) ?? null,
    completeSince: page.complete_since,
  };
}

function pageFrom(order: EventOrder, cursor: string | null) {
  if (order === 'newest_first') return { before_id: cursor ?? undefined };
  return { order, after_id: cursor ?? undefined };
}

/** Returns what a list shows of an event. */
function rowOf({ id, type, created_at: createdAt, resource_id: resourceId, payload }: Event): EventRow {
  return {
    id,
    type,
    createdAt,
    resourceId,
    resourceName: nameIn(payload?.object, resourceId),
    principalId: payload?.principal.id ?? '',
    subject: payload?.principal.subject ?? 'erased',
    ip: payload?.request.ip ?? null,
    changed: changedMembers(payload),
  };
}

function nameIn(object: unknown, id: string): string | null {
  if (!isObject(object)) return null;
  const name = labelOf({ ...object, id, uri: '' });
  return name === id ? null : name;
}

/** Returns the names of the members that an update changed, also of those too large for the event. */
function changedMembers(payload: Event['payload']): readonly string[] {
  const { before = {}, after = {}, omitted = [] } = changesIn(payload) ?? {};
  return [...new Set([...Object.keys(before), ...Object.keys(after), ...omitted])];
}

/** Returns what an update changed, and the changed members whose values the event leaves out; null of other events. */
export function changesIn(payload: Event['payload'] | undefined) {
  if (!payload || !('changes' in payload) || !payload.changes) return null;
  const { before, after, omitted = [] } = payload.changes;
  return { before: { ...before }, after: { ...after }, omitted };
}
