/** Longest line, in characters: an event has at most 64 KiB, and a record of Kinesis at most some megabytes. */
const LONGEST_LINE = 32_000_000;

/** Splits a text that arrives in pieces of any length into lines. */
export class LineSplitter {
  private pieces: string[] = [];
  private length = 0;

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
  }

  private take(piece: string): void {
    this.pieces.push(piece);
    this.length += piece.length;
    if (this.length > LONGEST_LINE) throw new Error('is too long: the file holds no lines of events');
  }

  private flush(): void {
    const line = this.pieces.join('');
    this.pieces = [];
    this.length = 0;
    this.onLine(line);
  }
}
