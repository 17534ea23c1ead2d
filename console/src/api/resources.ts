import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Event } from '@waybill/client';
import { listPath, type Family } from './families.js';
import { byNext, cursorOf } from './pages.js';
import { isObject, parentIn, readReference, refersTo, type Reference } from './references.js';
import { send } from './request.js';
import { patient } from './retries.js';

/** A resource as a GET returns it. */
export interface Resource extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly uri: string;
}

/** Which resource is read. */
export interface ResourceAddress {
  readonly family: Family;
  readonly id: string;
  /** Id of the resource that it is a part of, where its family has a parent. */
  readonly parent: string | undefined;
}

/** Items of a page, and where the next one begins; null on the last page. */
interface ReadPage<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** Items of a page: the most that the API returns. */
const PAGE = 100;

/** Time for which a known list is not read again when its page is opened, in milliseconds. */
const FRESH_MS = 30_000;

/** One resource. */
export function resourceQuery({ family, id, parent }: ResourceAddress) {
  return queryOptions({
    queryKey: ['resource', id, parent],
    queryFn: async ({ signal }): Promise<Resource> => {
      const body = await send('GET', `${listPath(family, parent)}/{id}`, { path: { id }, signal });
      if (!isResource(body)) throw new Error('The response is not a resource.');
      return body;
    },
  });
}

/** The resources of a family, newest first, page by page. @param parent those of one parent */
export function resourcesQuery(family: Family, parent: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ['resources', family.name, parent],
    queryFn: ({ pageParam, signal }) => readResources(family, parent, pageParam, signal),
    ...byNext,
  });
}

/** Reads a page of a family's list. @param cursor where it begins; null: with the newest */
export function readResources(
  family: Family,
  parent: string | undefined,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ReadPage<Resource>> {
  return readPage(listPath(family, parent), family.listKey, isResource, cursor, signal);
}

/** Whether a family has any resource that a list shows. */
export function anyOfQuery(family: Family) {
  return queryOptions({
    queryKey: ['resources', family.name, 'any'],
    queryFn: async ({ signal }): Promise<boolean> => {
      const page = await readPage(family.path, family.listKey, isResource, null, signal, 1);
      return page.items.length > 0;
    },
    staleTime: FRESH_MS,
  });
}

/** The resources that refer to one, page by page. */
export function referencesQuery({ family, id, parent }: ResourceAddress) {
  return infiniteQueryOptions({
    queryKey: ['references', id, parent],
    queryFn: async ({ pageParam, signal }): Promise<ReadPage<Reference>> => {
      const path = `${listPath(family, parent)}/${encodeURIComponent(id)}/references`;
      const page = await readPage(path, 'references', isReference, pageParam, signal);
      return { items: page.items.flatMap((item) => readReference(item) ?? []), next: page.next };
    },
    ...byNext,
  });
}

/** The events of a resource, newest first, page by page. They remain after its deletion. */
export function historyQuery({ family, id, parent }: ResourceAddress) {
  return infiniteQueryOptions({
    queryKey: ['history', id, parent],
    queryFn: ({ pageParam, signal }) =>
      readPage(
        `${listPath(family, parent)}/${encodeURIComponent(id)}/events`,
        'events',
        isEvent,
        pageParam,
        signal,
        20,
      ),
    ...byNext,
  });
}

/** Events that are looked at for those of other resources, before a person is asked: 10 requests. */
export const LOOKED_AT = 1_000;

/** Events of other resources that refer to one, as far as events were looked at. */
interface ReferringPage extends ReadPage<Event> {
  /** Events that were looked at. */
  readonly looked: number;
}

/**
 * The events of other resources that refer to one or referred to it before, newest first; also of deleted ones. The
 * API does not find events by members of their objects: each page looks at up to 1,000 events of the types.
 * @param types up to 20 event types
 */
export function referringEventsQuery(id: string, types: readonly string[]) {
  return infiniteQueryOptions({
    queryKey: ['referring-events', id, types],
    queryFn: async ({ pageParam, signal }): Promise<ReferringPage> => {
      const items: Event[] = [];
      let [cursor, looked] = [pageParam, 0];
      do {
        const page: ReadPage<Event> = await readPage('/events', 'events', isEvent, cursor, signal, PAGE, {
          type: types,
        });
        items.push(...page.items.filter(({ payload }) => payload !== null && refersTo(payload, id)));
        looked += page.items.length;
        cursor = page.next;
      } while (cursor !== null && looked < LOOKED_AT);
      return { items, next: cursor, looked };
    },
    ...byNext,
    staleTime: FRESH_MS,
    // Each page is up to 10 requests.
    refetchOnWindowFocus: false,
    ...patient,
  });
}

/** The id of the resource that one is a part of, as its newest event has it; null when no event says so. */
export function parentQuery(family: Family, id: string) {
  return queryOptions({
    queryKey: ['parent', id],
    queryFn: async ({ signal }): Promise<string | null> => {
      const page = await readPage('/events', 'events', isEvent, null, signal, 1, { object_id: id });
      const { object } = page.items[0]?.payload ?? {};
      return isResource(object) ? (parentIn(object.uri, family) ?? null) : null;
    },
    staleTime: FRESH_MS,
  });
}

async function readPage<Item>(
  path: string,
  listKey: string,
  isItem: (value: unknown) => value is Item,
  cursor: string | null,
  signal: AbortSignal,
  limit = PAGE,
  filter: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<ReadPage<Item>> {
  const body = await send('GET', path, { query: { ...filter, limit, before_id: cursor ?? undefined }, signal });
  const items = isObject(body) ? body[listKey] : undefined;
  if (!isObject(body) || !Array.isArray(items)) throw new Error('The response is not a list.');
  const next = body.next_page_uri;
  return {
    items: items.filter(isItem),
    next: typeof next === 'string' ? (cursorOf(next) ?? null) : null,
  };
}

function isResource(value: unknown): value is Resource {
  return isObject(value) && typeof value.id === 'string' && typeof value.uri === 'string';
}

function isReference(value: unknown): value is Parameters<typeof readReference>[0] {
  return isResource(value) && typeof value.family === 'string' && Array.isArray(value.fields);
}

function isEvent(value: unknown): value is Event {
  return isResource(value) && typeof value.type === 'string' && isObject(value.payload);
}
