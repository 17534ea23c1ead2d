/**
 * Returns since when a range has every item that was recorded in it: the latest of some times. Null when the range
 * begins later than all of them, so that it misses nothing. Every `complete_since` of the API is computed here.
 * @param from where the range begins; undefined: with the first item
 * @param times since when the parts of the answer are complete; null: always
 */
export function completeSince(from: Date | undefined, times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null);
  if (known.length === 0) return null;
  const latest = new Date(Math.max(...known.map((time) => time.getTime())));
  return from !== undefined && from >= latest ? null : latest;
}
