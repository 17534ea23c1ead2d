import { CsvRows } from './csv-rows.js';

/** Longest line, in characters: an event has at most 64 KiB, and a record of Kinesis at most some megabytes. */
const LONGEST_LINE = 32_000_000;

/**
 * Splits a text that arrives in pieces of any length into lines. Of a CSV export of Waybill, each row becomes the line
 * that NDJSON would have, and the first one an empty line.
 */
export class LineSplitter {
  private pieces: string[] = [];
  private length = 0;
  /** Undefined before the first line; null if it is of no CSV export. */
  private rows: CsvRows | null | undefined;

  /** @param onLine called with each line, without its line feed */
  constructor(private readonly onLine: (line: string) => void) {}

  /** Takes the next piece. @throws Error for a line that is too long, and what `onLine` throws */
  push(piece: string): void {
    const [first = '', ...others] = piece.split('\n');
    this.take(first);
    for (const next of others) {
      this.flush();
      this.take(next);
    }
  }

  /** Takes the last line, unless the text ended with a line feed. @throws what `onLine` throws */
  end(): void {
    if (this.length > 0) this.flush();
    if (this.rows && this.rows.length > 0) this.onLine(this.rows.end());
  }

  /** Whether the text is a CSV export of Waybill. */
  get isCsv(): boolean {
    return Boolean(this.rows);
  }

  private take(piece: string): void {
    this.pieces.push(piece);
    this.length += piece.length;
    if (this.length + (this.rows?.length ?? 0) > LONGEST_LINE)
      throw new Error('is too long: the file holds no lines of events');
  }

  private flush(): void {
    const line = this.pieces.join('');
    this.pieces = [];
    this.length = 0;
    if (this.rows === undefined) {
      this.rows = CsvRows.after(line);
      this.onLine(this.rows === null ? line : '');
    } else if (this.rows === null) this.onLine(line);
    else {
      const event = this.rows.next(line);
      if (event !== null) this.onLine(event);
    }
  }
}
