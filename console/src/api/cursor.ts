/** Returns the cursor of the next page, from its address; undefined at the end of a list. */
export function cursorOf(nextPage: string | null): string | undefined {
  if (nextPage === null) return undefined;
  const { searchParams } = new URL(nextPage, 'http://waybill.invalid');
  return searchParams.get('before_id') ?? searchParams.get('after_id') ?? undefined;
}
