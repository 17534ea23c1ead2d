import { z } from 'zod';
import { isId } from '../ids/id.js';
import { invalidInput } from '../problems/problem.js';

/** Most items on one page; also how many there are when the request does not say. */
export const MAX_PAGE_SIZE = 100;

const limitMessage = `must be a whole number from 1 to ${MAX_PAGE_SIZE}`;

/** The two query parameters that every list takes, for lists that add their own: `z.strictObject({ ...pageParameters, state })`. */
export const pageParameters = {
  limit: z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
      z.number(limitMessage).int(limitMessage).min(1, limitMessage).max(MAX_PAGE_SIZE, limitMessage),
    )
    .default(MAX_PAGE_SIZE)
    .meta({
      description: `How many items the page holds, 1 to ${MAX_PAGE_SIZE}.`,
      default: MAX_PAGE_SIZE,
      example: 20,
    }),
  before_id: z
    .string('must be given once')
    .min(1, 'must not be empty')
    .max(255, 'is longer than any id')
    .optional()
    .meta({ description: 'Only items older than the one with this id. Taken from `next_page_uri`.' }),
};

/** The query of a list that has no other parameters. Anything else in the query is refused by name. */
export const pageQuery = z.strictObject(pageParameters);

export type PageQuery = z.infer<typeof pageQuery>;

/** @throws Problem `invalid_input` when the id that a page starts before is not of the family */
export function assertCursor(prefix: string, beforeId: string | undefined): void {
  if (beforeId === undefined || isId(prefix, beforeId)) return;
  throw invalidInput([
    { pointer: '?before_id', detail: `is not an id of this list: they begin with ${prefix}_` },
  ]);
}

/** Schema of a list's answer, for its documentation. */
export function pageSchema(listKey: string, item: z.ZodType) {
  return z.object({
    [listKey]: z.array(item).meta({ description: 'Newest first.' }),
    uri: z.string().meta({ description: 'Address of this list.' }),
    next_page_uri: z
      .string()
      .nullable()
      .meta({ description: 'Address of the next page, null on the last one.' }),
  });
}

/** What `page` makes an answer of. */
export interface PageInput {
  /** Up to `limit + 1` items, newest first: the one too many only tells that there is a next page. */
  readonly items: readonly { readonly id: string }[];
  readonly limit: number;
  /** Name of the member that holds the items (`keys`, `bot_users`). */
  readonly listKey: string;
  /** Path of the list, with its slash. */
  readonly path: string;
  readonly baseUrl: string;
  /** Other query parameters, to be kept on the way to the next page. Undefined ones are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
}

/** A list's answer: the items under their key, `uri`, and `next_page_uri` (absolute, or null on the last page). */
export interface Page {
  readonly uri: string;
  readonly next_page_uri: string | null;
  readonly [listKey: string]: unknown;
}

/** Makes one page of a list out of up to `limit + 1` items. */
export function page({ items, limit, listKey, path, baseUrl, query = {} }: PageInput): Page {
  const uri = `${baseUrl}${path}`;
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  if (items.length <= limit || last === undefined) return { [listKey]: shown, uri, next_page_uri: null };
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) next.set(name, value);
  next.set('before_id', last.id);
  next.set('limit', String(limit));
  return { [listKey]: shown, uri, next_page_uri: `${uri}?${next.toString()}` };
}
