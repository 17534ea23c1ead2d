import { queryOptions } from '@tanstack/react-query';
import { families, type Family } from './families.js';
import { labelOf } from './resource-label.js';
import { readResources } from './resources.js';
import { patient } from './retries.js';

/** A resource and what people call it. */
export interface NamedResource {
  readonly id: string;
  readonly name: string;
  readonly family: Family;
}

/** The names of the resources of a family. */
export interface FamilyNames {
  readonly resources: readonly NamedResource[];
  /** Whether the list ended before the reading did. */
  readonly isAll: boolean;
}

/** Pages of a list that are read for its names: the newest 300 resources. */
const MOST_PAGES = 3;

/** Resources of a family that are read for their names. */
export const MOST_NAMES = MOST_PAGES * 100;

/** Time for which names are not read again, in milliseconds. */
const FRESH_MS = 60_000;

/** Families whose names are most often searched. */
const first = ['bot_user', 'api_key', 'event_destination', 'ip_policy'];

/** The families that have one list each, those that are most often searched first. */
export const namedFamilies: readonly Family[] = families
  .filter(({ isListed, parent }) => isListed && parent === null)
  .toSorted((a, b) => rank(a) - rank(b));

function rank({ name }: Family): number {
  const index = first.indexOf(name);
  return index < 0 ? first.length : index;
}

/** The names of the newest resources of a family. */
export function namesQuery(family: Family) {
  return queryOptions({
    queryKey: ['names', family.name],
    queryFn: async ({ signal }): Promise<FamilyNames> => {
      const resources: NamedResource[] = [];
      let cursor: string | null = null;
      for (let pages = 0; pages < MOST_PAGES; pages += 1) {
        const page = await readResources(family, undefined, cursor, signal);
        resources.push(...page.items.map((one) => ({ id: one.id, name: labelOf(one), family })));
        cursor = page.next;
        if (cursor === null) break;
      }
      return { resources, isAll: cursor === null };
    },
    staleTime: FRESH_MS,
    ...patient,
  });
}

/** Fewest letters that are compared with the beginning of an id: fewer are a prefix that many ids share. */
const FEWEST_OF_ID = 6;

/** Returns what a text finds a resource by: its name has every word, or its id begins with the text. */
export function foundBy({ id, name }: Pick<NamedResource, 'id' | 'name'>, text: string): 'name' | 'id' | null {
  const words = text.trim();
  // A resource without a name has its id as the name.
  if (name !== id && hasWords(name, words)) return 'name';
  return words.length >= FEWEST_OF_ID && id.startsWith(words.toLowerCase()) ? 'id' : null;
}

/** Returns the resources that a text finds: by whole words of their names, by parts of them, then by their ids. */
export function ranked<One extends Pick<NamedResource, 'id' | 'name'>>(
  resources: readonly One[],
  text: string,
): readonly One[] {
  const found = resources.map((resource) => ({ resource, by: foundBy(resource, text) }));
  return (['name', 'id'] as const).flatMap((by) =>
    found
      .filter((one) => one.by === by)
      .map(({ resource }) => resource)
      .toSorted((a, b) => partsOf(a.name, text) - partsOf(b.name, text)),
  );
}

/** Returns how many words of a text are only parts of words of a name. */
function partsOf(name: string, text: string): number {
  const whole = new Set(name.toLowerCase().split(/\s+/));
  return text
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .filter((word) => !whole.has(word)).length;
}

/** Whether a text has every word of another one, in any order and case. */
export function hasWords(text: string, words: string): boolean {
  const low = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => low.includes(word));
}
