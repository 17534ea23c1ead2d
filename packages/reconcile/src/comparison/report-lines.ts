/** Items that a list of the report has, unless it is whole. */
const MOST_SHOWN = 5;

/**
 * Returns a headline, the lines of the first items, and how many more there are; nothing without items.
 * @param isWhole returns the lines of all
 */
export function listed<Item>(
  headline: string,
  items: readonly Item[],
  isWhole: boolean,
  linesOf: (item: Item) => readonly string[],
): readonly string[] {
  if (items.length === 0) return [];
  const shown = isWhole ? items : items.slice(0, MOST_SHOWN);
  const rest = items.length - shown.length;
  return [headline, ...shown.flatMap(linesOf), ...(rest > 0 ? [`  … and ${rest} more, all of them with --json`] : [])];
}

/** Characters that end a line, control a terminal, or change the order of what is shown. */
const unprintable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Returns a text as one line: what it holds from elsewhere forges no other line, and does not control a terminal. */
export function oneLine(text: string): string {
  return text.replaceAll(unprintable, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns the id of an event as Waybill makes them, and any other text in quotation marks. */
export function idText(id: string): string {
  return /^[a-z0-9_]+$/.test(id) ? id : oneLine(JSON.stringify(id));
}

/** Names an epoch other than the first. */
export function ofEpoch(epoch: number): string {
  return epoch === 1 ? '' : ` of epoch ${epoch}`;
}
