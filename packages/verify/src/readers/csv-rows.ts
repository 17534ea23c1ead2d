import { LineError } from './line-error.js';

/** The column that has an event as JSON, as a line of NDJSON does. */
const EVENT = 'event';

/** Reads the rows of a CSV export of Waybill. Each of its cells is quoted, and may have line breaks. */
export class CsvRows {
  private row = '';
  private isQuoted = false;

  private constructor(private readonly column: number) {}

  /**
   * Returns what reads the rows after a first line; null if that is of no CSV export of Waybill.
   * @throws LineError for an export that has no events as they are delivered
   */
  static after(head: string): CsvRows | null {
    if (!head.startsWith('"event_id","event_type",')) return null;
    const column = cellsOf(head).indexOf(EVENT);
    if (column >= 0) return new CsvRows(column);
    throw new LineError('has no column `event`: export NDJSON, or with a destination');
  }

  /** Takes the next line. Returns the event of the row that it ends; null within a row. */
  next(line: string): string | null {
    this.row += this.row === '' ? line : `\n${line}`;
    // A quote in a cell is written twice.
    for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) this.isQuoted = !this.isQuoted;
    return this.isQuoted ? null : this.end();
  }

  /** Returns the event of the row so far: the row itself where it has none. */
  end(): string {
    const { row } = this;
    this.row = '';
    return cellsOf(row)[this.column] ?? row;
  }

  /** Characters of the row so far. */
  get length(): number {
    return this.row.length;
  }
}

/** Returns the cells of a row; none if not all of them are quoted. */
function cellsOf(row: string): readonly string[] {
  const text = row.endsWith('\r') ? row.slice(0, -1) : row;
  const cells: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = endOfCell(text, at + 1);
    if (text[at] !== '"' || end < 0 || (text[end + 1] ?? ',') !== ',') return [];
    cells.push(text.slice(at + 1, end).replaceAll('""', '"'));
    at = end + 2;
  }
  return cells;
}

/** Returns the place of the quote that ends a cell, or -1. A regular expression overflows the stack on a long cell. */
function endOfCell(row: string, start: number): number {
  let at = row.indexOf('"', start);
  while (at >= 0 && row[at + 1] === '"') at = row.indexOf('"', at + 2);
  return at;
}
