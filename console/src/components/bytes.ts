const units = ['kB', 'MB', 'GB', 'TB'] as const;

/** Returns a number of bytes in its largest unit: `512 B`, `1.4 MB`. A kB has 1,000 bytes. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  return `${(bytes / 1_000 ** power).toLocaleString('en', { maximumFractionDigits: 1 })} ${units[power - 1] ?? ''}`;
}
