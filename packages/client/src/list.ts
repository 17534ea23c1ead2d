import { WaybillResponseError } from './errors.js';

/** A list of the API. `for await` reads its items, newest first, page by page. Nothing is sent before. */
export class List<Item, Page> implements AsyncIterable<Item> {
  /** @param read reads the page with this query; undefined for the first page */
  constructor(
    private readonly read: (query?: string) => Promise<Page>,
    private readonly itemsOf: (page: Page) => readonly Item[],
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.itemsOf(page);
  }

  /** Reads the first page: at most `limit` items, and `next_page_uri`. */
  page(): Promise<Page> {
    return this.read();
  }

  /** Reads page by page. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    for (let query: string | undefined; ;) {
      const page = await this.read(query);
      yield page;
      const next = nextQuery(page);
      if (next === null) return;
      if (next === query) throw new WaybillResponseError('A page of the list refers to itself.', 200);
      query = next;
    }
  }
}

/**
 * Returns the query of the next page. The rest of its address is not used: the client may reach Waybill by another
 * address than PUBLIC_URL, and the key must not be sent to an address from a response.
 */
function nextQuery(page: unknown): string | null {
  const uri: unknown = typeof page === 'object' && page !== null ? Reflect.get(page, 'next_page_uri') : null;
  if (uri == null) return null;
  if (typeof uri === 'string' && URL.canParse(uri)) return new URL(uri).search;
  throw new WaybillResponseError('The address of the next page is not a URL.', 200);
}
