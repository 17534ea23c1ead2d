/** A table for people, in columns as wide as what stands in them. */
export interface TextTable {
  /** The line of names, and the one below it. */
  readonly head: string;
  /** One line of cells. */
  readonly line: (cells: readonly string[]) => string;
}

/**
 * Lays out a table.
 * @param rows all rows that will stand in it, one cell for each name
 * @param rightAligned the columns of figures, by their position from 0
 */
export function textTable(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  rightAligned: (column: number) => boolean,
): TextTable {
  const widths = names.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
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
