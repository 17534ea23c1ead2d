/** A Markdown table with its columns aligned, as the formatter would write it. */
export function markdownTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heading.map((name, column) =>
    Math.max(...[name, ...rows.map((row) => row[column] ?? '')].map(widthOf)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell))).join(' | ')} |`;
  return [line(heading), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function widthOf(text: string): number {
  return Array.from(text).length;
}
