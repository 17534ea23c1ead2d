/** Items that a list of the report has, unless it is whole. */
const MOST_SHOWN = 5;

/**
 * Returns the lines of the first items, and how many more there are.
 * @param isWhole returns the lines of all
 */
export function listed<Item>(
  items: readonly Item[],
  isWhole: boolean,
  linesOf: (item: Item) => readonly string[],
): readonly string[] {
  const shown = isWhole ? items : items.slice(0, MOST_SHOWN);
  const rest = items.length - shown.length;
  return [...shown.flatMap(linesOf), ...(rest > 0 ? [`  … and ${rest} more, all of them with --json`] : [])];
}

/** Returns `1 event`, `2 events`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Names an epoch other than the first. */
export function ofEpoch(epoch: number): string {
  return epoch === 1 ? '' : ` of epoch ${epoch}`;
}
