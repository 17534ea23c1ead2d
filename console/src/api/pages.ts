/** Returns the cursor of the next page, from its address; undefined at the end of a list. */
export function cursorOf(nextPage: string | null): string | undefined {
  if (nextPage === null) return undefined;
  const { searchParams } = new URL(nextPage, 'http://waybill.invalid');
  return searchParams.get('before_id') ?? searchParams.get('after_id') ?? undefined;
}

/** Reads the pages of a list, one after the other. @param read reads the page at a cursor; undefined: the first one */
export async function* pagesOf<Page extends { readonly next_page_uri: string | null }>(
  read: (cursor: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield page;
    cursor = cursorOf(page.next_page_uri);
  } while (cursor !== undefined);
}

/** How the pages of a list follow each other, for an infinite query. */
export const paged = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_page_uri: next }: { readonly next_page_uri: string | null }) => cursorOf(next),
};

/** How pages follow each other that name the cursor of the next one; null: the last page. */
export const byNext = {
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }: { readonly next: string | null }) => next,
};
