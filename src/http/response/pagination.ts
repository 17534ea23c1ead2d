import { z } from 'zod';
import { boundedString } from '../../bounds/bounded.js';
import { PAGE_BYTES } from '../../database/page-bytes.js';
import { idPattern } from '../../ids/id.js';
import { wholeNumberParameter } from '../input/whole-number-parameter.js';

/** Most items on one page, and the default. */
export const MAX_PAGE_SIZE = 100;

const endOfPage = `A page also ends with the item that reaches ${PAGE_BYTES / 1_048_576} MiB of JSON.`;

/** The query parameter `limit` of every list. */
export const limitParameter = wholeNumberParameter(1, MAX_PAGE_SIZE)
  .default(MAX_PAGE_SIZE)
  .meta({
    description: `Most items on the page, 1 to ${MAX_PAGE_SIZE}. ${endOfPage}`,
    default: MAX_PAGE_SIZE,
    example: 20,
  });

/**
 * Returns the schema of a query parameter that says where a page begins.
 * @param pattern of the ids of the list
 * @param error the text of the error for an id that does not match
 */
export function cursor(pattern: string, error: string, description: string) {
  const form = new RegExp(pattern);
  return boundedString(255, 'must be given once')
    .min(1, { error: 'must not be empty', abort: true })
    .refine((id) => form.test(id), error)
    .optional()
    .meta({ description, pattern });
}

/**
 * Returns the query parameters of a list. One with more uses `z.strictObject({ ...pageParametersOf(prefix), state })`.
 * @param prefix of the ids of the list
 * @param pattern of the ids that a cursor may be; by default those with the prefix
 */
export function pageParametersOf(prefix: string, pattern = idPattern(prefix)) {
  const description = 'Returns only items older than this id. `next_page_uri` contains it.';
  return { limit: limitParameter, before_id: cursor(pattern, otherList(prefix), description) };
}

/** Returns the text of the error for an id that does not belong to a list. */
export function otherList(prefix: string): string {
  return `is not an id of this list: ids begin with ${prefix}_`;
}

/** The query of a list without other parameters. */
export interface PageQuery {
  readonly limit: number;
  readonly before_id?: string | undefined;
}

/** The member `next_page_uri` of a page, for the OpenAPI document. */
export const nextPageUri = z.string().nullable().meta({
  description: 'Address of the next page; null on the last page. A page that is not full may have it.',
});

/** Returns the schema of a page, for the OpenAPI document. */
export function pageSchema(listKey: string, item: z.ZodType) {
  return z.object({
    [listKey]: z.array(item).meta({ description: 'Newest first.' }),
    uri: z.string().meta({ description: 'Address of this list.' }),
    next_page_uri: nextPageUri,
  });
}

/** Returns the schema of a page of a list that may miss old items, for the OpenAPI document. */
export function retainedPageSchema(listKey: string, item: z.ZodType) {
  return pageSchema(listKey, item).extend({
    complete_since: z.iso.datetime().optional().meta({
      description:
        'Absent when the list misses nothing. Otherwise the list has every item that was recorded since this time. Earlier ones were removed after their retention (`GET /retention`).',
    }),
  });
}

/** Returns the schema of a page of a search, which may end before it is full, for the OpenAPI document. */
export function searchPageSchema(listKey: string, item: z.ZodType) {
  return retainedPageSchema(listKey, item).extend({
    [listKey]: z.array(item).meta({ description: 'Newest first, unless `order` says otherwise.' }),
    next_page_uri: z.string().nullable().meta({
      description:
        'Address of the next page; null on the last page. A page that is not full, even an empty one, has it while there is more to search.',
    }),
  });
}

/** An item of a page whose JSON exists already. */
export class JsonItem {
  constructor(
    readonly id: string,
    readonly json: string,
  ) {}
}

/** Input of `page`. */
export interface PageInput {
  /** Up to `limit + 1` items in order: the last one only shows that there is a next page. */
  readonly items: readonly (JsonItem | { readonly id: string })[];
  /** Absent for a list without the parameter `limit`. */
  readonly limit?: number;
  /** Name of the member that holds the items (`keys`, `bot_users`). */
  readonly listKey: string;
  /** Path of the list, with its slash. */
  readonly path: string;
  readonly baseUrl: string;
  /** Other query parameters that `next_page_uri` repeats, one or many values. Undefined parameters are left out. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Whether the oldest items are first: the next page then begins behind `after_id`. */
  readonly oldestFirst?: boolean;
  /** The id where the reading stopped before the page was full; null or absent at the end of the list. */
  readonly resumeAt?: string | null;
  /** Since when the list is complete; null or absent: it misses nothing. */
  readonly completeSince?: Date | null;
  /** Other members of the response. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Bytes of items after which the page ends; absent: `PAGE_BYTES`. */
  readonly bytes?: number;
}

/**
 * One page of a list: the items under their key, `uri`, and `next_page_uri` (absolute; null on the last page). The
 * items are JSON already, since their bytes are counted.
 */
export class Page {
  constructor(
    private readonly listKey: string,
    private readonly items: readonly string[],
    private readonly members: Readonly<Record<string, unknown>>,
  ) {}

  /** Returns the body of the response. */
  toJson(): string {
    const { listKey, items, members } = this;
    return `{${JSON.stringify(listKey)}:[${items.join(',')}],${JSON.stringify(members).slice(1)}`;
  }
}

/** Returns one page of a list. It ends at the limit, or with the item that reaches the bytes of a page. */
export function page(input: PageInput): Page {
  const { items, limit = Infinity, listKey, path, baseUrl, bytes: most = PAGE_BYTES, completeSince = null } = input;
  const uri = `${baseUrl}${path}`;
  const included: string[] = [];
  let bytes = 0;
  for (const item of items) {
    if (included.length >= limit || bytes >= most) break;
    const json = item instanceof JsonItem ? item.json : JSON.stringify(item);
    included.push(json);
    bytes += Buffer.byteLength(json);
  }
  const last = included.length < items.length ? items[included.length - 1]?.id : input.resumeAt;
  return new Page(listKey, included, {
    uri,
    ...input.members,
    next_page_uri: last == null ? null : `${uri}?${nextQuery(input, last)}`,
    ...(completeSince && { complete_since: completeSince.toISOString() }),
  });
}

/** Returns the query of the page behind an item. */
function nextQuery({ limit, query = {}, oldestFirst = false }: PageInput, last: string): string {
  const next = new URLSearchParams();
  for (const [name, values] of Object.entries(query))
    for (const value of [values ?? []].flat()) next.append(name, value);
  next.set(oldestFirst ? 'after_id' : 'before_id', last);
  if (limit !== undefined) next.set('limit', String(limit));
  return next.toString();
}
