import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { idPrefix } from '../api/event-filter.js';
import { hasWords, namedFamilies, namesQuery, type FamilyNames, type NamedResource } from '../api/names.js';

/** Fewest letters of a name that is looked up. */
const FEWEST_LETTERS = 2;

/** Most resources that are returned. */
const MOST_FOUND = 20;

/** The resources that have a name. */
export interface FoundNames {
  readonly resources: readonly NamedResource[];
  /** Whether lists are still being read. */
  readonly isReading: boolean;
  /** Titles of the families that have more resources than were looked at, or whose list could not be read. */
  readonly incomplete: readonly string[];
}

/**
 * Finds resources by words of their names. A text of fewer than two letters, and an id, have no names. The lists of the
 * API are read once a minute at most.
 */
export function useNames(text: string): FoundNames {
  const words = text.trim();
  const isName = words.length >= FEWEST_LETTERS && idPrefix(words) === null;
  const known = useQueries({
    queries: namedFamilies.map((family) => ({ ...namesQuery(family), enabled: isName })),
    combine: combined,
  });
  if (!isName) return { resources: [], isReading: false, incomplete: [] };
  return {
    ...known,
    resources: known.resources.filter(({ id, name }) => hasWords(`${name} ${id}`, words)).slice(0, MOST_FOUND),
  };
}

function combined(results: readonly UseQueryResult<FamilyNames>[]): FoundNames {
  return {
    resources: results.flatMap(({ data }) => data?.resources ?? []),
    isReading: results.some(({ isPending, error }) => isPending && error === null),
    incomplete: results.flatMap(({ data, error }, index) =>
      error !== null || data?.isAll === false ? [namedFamilies[index]?.many ?? ''] : [],
    ),
  };
}
