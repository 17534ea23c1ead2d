/** A text table with aligned columns. */
export interface TextTable {
  /** The column names, underlined. */
  readonly head: string;
  /** Formats one row. */
  readonly line: (cells: readonly string[]) => string;
}

/**
 * Lays out a table.
 * @param rows all rows, which determine the column widths
 * @param rightAligned selects columns by position, from 0
 */
export function textTable(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  rightAligned: (column: number) => boolean,
): TextTable {
  const widths = names.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return rightAligned(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return { head: `${line(names)}\n${widths.map((width) => '─'.repeat(width)).join('  ')}`, line };
}
