/** Returns the cursor of the next page, from its address; undefined at the end of a list. */
export function cursorOf(nextPage: string | null): string | undefined {
  if (nextPage === null) return undefined;
  return new URL(nextPage, 'http://waybill.invalid').searchParams.get('before_id') ?? undefined;
}
