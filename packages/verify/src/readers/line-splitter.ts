import { CsvRows } from './csv-rows.js';
import { LineError } from './line-error.js';

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
  /** Of the next line. */
  private number = 1;

  /**
   * @param name of the file, for errors
   * @param onLine called with each line, without its line feed, and its number, from 1
   */
  constructor(
    private readonly name: string,
    private readonly onLine: (line: string, number: number) => void,
  ) {}

  /** Takes the next piece. @throws LineError that names a line that is too long, or for which `onLine` throws one */
  push(piece: string): void {
    try {
      const [first = '', ...others] = piece.split('\n');
      this.take(first);
      for (const next of others) {
        this.flush();
        this.take(next);
      }
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Takes the last line, unless the text ended with a line feed. @throws as `push` */
  end(): void {
    try {
      if (this.length > 0) this.flush();
      if (this.rows && this.rows.length > 0) this.hand(this.rows.end());
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Whether the text is a CSV export of Waybill. */
  get isCsv(): boolean {
    return Boolean(this.rows);
  }

  private take(piece: string): void {
    this.pieces.push(piece);
    this.length += piece.length;
    if (this.length + (this.rows?.length ?? 0) > LONGEST_LINE) throw new LineError('is too long');
  }

  private flush(): void {
    const line = this.pieces.join('');
    this.pieces = [];
    this.length = 0;
    if (this.rows === undefined) {
      this.rows = CsvRows.after(line);
      this.hand(this.rows === null ? line : '');
    } else if (this.rows === null) this.hand(line);
    else {
      const event = this.rows.next(line);
      if (event !== null) this.hand(event);
    }
  }

  private hand(line: string): void {
    this.onLine(line, this.number);
    this.number += 1;
  }

  private refuse(error: unknown): never {
    if (!(error instanceof LineError)) throw error;
    const text = `${this.name}, line ${this.number} ${error.message}. An export holds one event a line.`;
    throw new LineError(text, { cause: error });
  }
}
