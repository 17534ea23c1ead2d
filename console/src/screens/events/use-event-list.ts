import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { timeOfId } from '@waybill/reconcile';
import { useCallback, useEffect, useMemo, useState } from 'react';
import {
  eventsQuery,
  EVENTS_KEY,
  MOST_NEWER,
  readNewer,
  type EventPage,
  type EventRow,
  type EventSelection,
  type NewerEvents,
} from '../../api/events.js';
import { selectionOf, type EventSearch } from '../../app/event-search.js';

/** Rows that are read without scrolling. */
const FIRST_ROWS = 30;

/** Time between the reads of newer events, in milliseconds. */
const NEWER_MS = 10_000;

/** The list of a search, and how far it is read. */
export interface EventList {
  readonly selection: EventSelection;
  /** Null before the first page has arrived. */
  readonly rows: readonly EventRow[] | null;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isReading: boolean;
  /** Whether it reads on by itself, because it has found few events. */
  readonly isSearching: boolean;
  /** Whether a search that finds few events was stopped. */
  readonly isStopped: boolean;
  /** Time up to which events were searched; null where it is not known. */
  readonly reached: string | null;
  /** Time since when the list misses nothing; undefined when it misses nothing at all. */
  readonly completeSince: string | undefined;
  /** How many newer events the list lacks, with those that were committed late. It stops at about `MOST_NEWER`. */
  readonly newer: number;
  /** Puts these events into the list. Reads the list again where they are too many. */
  readonly insertNewer: () => void;
  /** Reads the next page, unless one is being read, or the search was stopped. */
  readonly readOn: () => void;
  readonly stop: () => void;
  /** Reads on after a stop, or after an error. */
  readonly resume: () => void;
  /** Reads the list again from its beginning. */
  readonly readAgain: () => void;
}

/** Reads the events of a search, a page at a time. A page without events is followed by the next one. */
export function useEventList(search: EventSearch): EventList {
  const client = useQueryClient();
  const now = useReadAt(search);
  const selection = useMemo(() => selectionOf(search, now), [search, now]);
  const [stopped, setStopped] = useState<EventSelection | null>(null);
  const query = useInfiniteQuery(eventsQuery(selection));
  const { data, dataUpdatedAt, error, hasNextPage: hasMore, isFetching, fetchNextPage, refetch } = query;

  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? null, [data]);
  const last = data?.pages.at(-1);
  const isStopped = stopped === selection;
  const isSparse = rows !== null && (rows.length < FIRST_ROWS || (isFetching && last?.rows.length === 0));
  const readOn = useCallback(() => {
    if (hasMore && !isFetching && error === null && !isStopped) void fetchNextPage();
  }, [hasMore, isFetching, error, isStopped, fetchNextPage]);
  useEffect(() => {
    if (rows !== null && rows.length < FIRST_ROWS) readOn();
  }, [rows, readOn]);

  const newest = data?.pages[0]?.newest ?? null;
  const first = rows?.[0]?.id ?? null;
  const ids = useMemo(() => new Set(rows?.map(({ id }) => id)), [rows]);
  const newer = useNewer(search, selection, {
    isRead: rows !== null,
    known: {
      rows: none,
      after: newest !== null && (first === null || newest > first) ? newest : first,
      since: dataUpdatedAt,
    },
    isListed: (id) => ids.has(id) || id < (last?.next ?? ''),
  });
  const readAgain = (): void => {
    client.setQueryData(readAtKey(search), Date.now());
    void client.resetQueries({ queryKey: [EVENTS_KEY] });
  };
  const insertNewer = (): void => {
    if (newer.length >= MOST_NEWER) readAgain();
    else
      client.setQueryData(
        eventsQuery(selection).queryKey,
        (list) => list && { ...list, pages: withRows(list.pages, newer) },
      );
  };

  return {
    selection,
    rows,
    error,
    hasMore,
    isReading: isFetching,
    isSearching: hasMore && error === null && !isStopped && isSparse,
    isStopped,
    reached: last?.next == null ? null : timeOfId(last.next),
    completeSince: data?.pages[0]?.completeSince,
    newer: newer.length,
    insertNewer,
    readOn,
    stop: () => setStopped(selection),
    resume: () => {
      setStopped(null);
      void (rows === null ? refetch() : fetchNextPage());
    },
    readAgain,
  };
}

/** Returns the time at which the periods of a search end. It stays when a person comes back to the list. */
function useReadAt(search: EventSearch): number {
  const { data } = useQuery({
    queryKey: readAtKey(search),
    queryFn: () => Date.now(),
    initialData: () => Date.now(),
    staleTime: Infinity,
  });
  return data;
}

function readAtKey({ last }: EventSearch): readonly unknown[] {
  return ['events-read-at', last ?? null];
}

/** Returns pages with more rows, each in the page that has its neighbours. */
function withRows(pages: readonly EventPage[], more: readonly EventRow[]): EventPage[] {
  return pages.map((page, index) => {
    const end = pages[index - 1]?.next;
    const added = more.filter(({ id }) => id > (page.next ?? '') && (end == null || id < end));
    return { ...page, rows: [...added, ...page.rows].toSorted((a, b) => (a.id < b.id ? 1 : -1)) };
  });
}

const none: readonly EventRow[] = [];

/** Returns the events that the list lacks, oldest first, where it shows the newest ones. */
function useNewer(
  { to }: EventSearch,
  { filter, order }: EventSelection,
  list: { readonly isRead: boolean; readonly known: NewerEvents; readonly isListed: (id: string) => boolean },
): readonly EventRow[] {
  const client = useQueryClient();
  const { isRead, known, isListed } = list;
  const isWanted = isRead && order === 'newest_first' && to === undefined;
  const { data } = useQuery({
    queryKey: ['newer-events', filter, known.after],
    queryFn: ({ queryKey, signal }) => readNewer(filter, client.getQueryData(queryKey) ?? known, isListed, signal),
    enabled: isWanted,
    refetchInterval: NEWER_MS,
    initialData: known,
    gcTime: NEWER_MS,
  });
  return isWanted ? data.rows.filter(({ id }) => !isListed(id)) : none;
}
