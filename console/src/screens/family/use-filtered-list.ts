import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Family } from '../../api/families.js';
import { hasWords } from '../../api/names.js';
import { labelOf } from '../../api/resource-label.js';
import { resourcesQuery, type Resource } from '../../api/resources.js';

/** Resources that are read for a filter before a person is asked: 20 requests. */
const READ_AT_ONCE = 2_000;

/** The resources of a list that match a filter, as far as the list was read. */
export interface FilteredList {
  readonly shown: readonly Resource[];
  /** Resources that were read. */
  readonly read: number;
  /** Whether the first page has arrived. */
  readonly isRead: boolean;
  readonly hasMore: boolean;
  readonly isReading: boolean;
  /** Whether a person must ask for more to be read for the filter. */
  readonly isStopped: boolean;
  readonly error: Error | null;
  /** Reads the next page, unless one is being read or has failed. */
  readonly readOn: () => void;
  /** Reads on after a stop, or after an error. */
  readonly readMore: () => void;
  readonly readAgain: () => void;
}

/**
 * Reads the list of a family. With a filter, it reads on by itself: the API has no search by name.
 * @param words each of them is in the name, the id or the metadata of a resource that is shown
 */
export function useFilteredList(family: Family, parent: string | undefined, words: string | undefined): FilteredList {
  const query = useInfiniteQuery({ ...resourcesQuery(family, parent), refetchOnWindowFocus: false });
  const { data, error, hasNextPage: hasMore, isFetching: isReading, fetchNextPage, refetch } = query;
  const [most, setMost] = useState(READ_AT_ONCE);
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const shown = useMemo(() => (words === undefined ? rows : rows.filter((one) => matches(one, words))), [rows, words]);
  const isStopped = hasMore && rows.length >= most;
  const isWanted = words !== undefined && hasMore && !isStopped && !isReading && error === null;
  useEffect(() => {
    if (isWanted) void fetchNextPage();
  }, [isWanted, fetchNextPage]);
  return {
    shown,
    read: rows.length,
    isRead: data !== undefined,
    hasMore,
    isReading,
    isStopped,
    error,
    readOn: () => {
      if (hasMore && !isReading && error === null && words === undefined) void fetchNextPage();
    },
    readMore: () => {
      setMost(rows.length + READ_AT_ONCE);
      void fetchNextPage();
    },
    readAgain: () => void refetch(),
  };
}

function matches(one: Resource, words: string): boolean {
  const { metadata } = one;
  return hasWords(`${labelOf(one)} ${one.id} ${typeof metadata === 'string' ? metadata : ''}`, words.trim());
}
