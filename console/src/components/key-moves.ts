/** Items that PageUp and PageDown move by. */
const PAGE = 10;

/**
 * Returns the index that a key moves to in a list, which may be beyond its ends; null for other keys.
 * @param keys the arrows to the previous and to the next item
 */
export function movedBy(
  key: string,
  index: number,
  count: number,
  keys: { readonly previous: readonly string[]; readonly next: readonly string[] },
): number | null {
  if (keys.next.includes(key)) return index + 1;
  if (keys.previous.includes(key)) return index - 1;
  if (key === 'PageDown') return index + PAGE;
  if (key === 'PageUp') return index - PAGE;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}
