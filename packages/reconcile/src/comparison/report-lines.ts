import { oneLine } from '@waybill/verify/check';

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

/** Returns the id of an event as Waybill makes them, and any other text in quotation marks. */
export function idText(id: string): string {
  return /^[a-z0-9_]+$/.test(id) ? id : oneLine(JSON.stringify(id));
}

/** Names an epoch other than the first. */
export function ofEpoch(epoch: number): string {
  return epoch === 1 ? '' : ` of epoch ${epoch}`;
}
