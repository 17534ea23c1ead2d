import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { idPrefix } from '../api/event-filter.js';
import { namedFamilies, namesQuery, ranked, type FamilyNames, type NamedResource } from '../api/names.js';

/** Fewest letters of a name that is looked up. */
const FEWEST_LETTERS = 2;

/** Time without another letter after which the lists are read, in milliseconds. */
const TYPED_MS = 300;

/** Most resources that are returned. */
const MOST_FOUND = 20;

/** The resources that a text finds: by their names first, then by their ids. */
export interface FoundNames {
  readonly resources: readonly NamedResource[];
  /** How many more were found than are returned. */
  readonly more: number;
  /** Whether lists are still being read. */
  readonly isReading: boolean;
  /** Titles of the families that have more resources than were looked at. */
  readonly cut: readonly string[];
  /** Titles of the families whose list could not be read. */
  readonly failed: readonly string[];
}

/**
 * Finds resources by words of their names. A text of fewer than two letters, and an id, have no names. The lists of the
 * API are read when a person stops typing, and once a minute at most: a command that is typed and chosen reads none.
 */
export function useNames(text: string): FoundNames {
  const words = text.trim();
  const isName = words.length >= FEWEST_LETTERS && idPrefix(words) === null;
  const hasPaused = useHasPaused(isName, words);
  const known = useQueries({
    queries: namedFamilies.map((family) => ({ ...namesQuery(family), enabled: isName && hasPaused })),
    combine: combined,
  });
  return useMemo(() => {
    if (!isName) return { resources: [], more: 0, isReading: false, cut: [], failed: [] };
    const found = ranked(known.resources, words);
    return { ...known, resources: found.slice(0, MOST_FOUND), more: Math.max(0, found.length - MOST_FOUND) };
  }, [isName, known, words]);
}

/** Whether a person has once stopped typing. @param isTyping whether the text counts */
function useHasPaused(isTyping: boolean, text: string): boolean {
  const [hasPaused, setPaused] = useState(false);
  useEffect(() => {
    if (!isTyping || hasPaused) return undefined;
    const timer = setTimeout(() => setPaused(true), TYPED_MS);
    return () => clearTimeout(timer);
  }, [isTyping, hasPaused, text]);
  return hasPaused;
}

function combined(results: readonly UseQueryResult<FamilyNames>[]): Omit<FoundNames, 'more'> {
  return {
    resources: results.flatMap(({ data }) => data?.resources ?? []),
    isReading: results.some(({ isPending, error }) => isPending && error === null),
    cut: titles(results.map(({ data, error }) => error === null && data?.isAll === false)),
    failed: titles(results.map(({ error }) => error !== null)),
  };
}

/** Returns the titles of some of the families. @param chosen for each of them whether it is one */
function titles(chosen: readonly boolean[]): readonly string[] {
  return namedFamilies.filter((_, index) => chosen[index]).map(({ many }) => many);
}
