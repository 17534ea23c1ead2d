/** Formats the time since a start, as a prefix of progress lines: `[ 3:07]`. */
export function elapsedSince(startedAt: Date): string {
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1_000);
  return `[${String(Math.floor(seconds / 60)).padStart(2)}:${String(seconds % 60).padStart(2, '0')}]`;
}
