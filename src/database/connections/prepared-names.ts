/** Names of prepared statements by their texts. A name is the same on every connection. */
const names = new Map<string, string>();

/** Has every connection prepare the statement with this text when it first runs there. */
export function prepareText(text: string): void {
  if (!names.has(text)) names.set(text, `waybill_${names.size + 1}`);
}

/** Returns the name of the prepared statement; undefined for a text that is not to be prepared. */
export function preparedName(text: string): string | undefined {
  return names.get(text);
}
