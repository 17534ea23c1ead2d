/** Longest line, in characters: an event has at most 64 KiB, and a record of Kinesis at most some megabytes. */
const LONGEST_LINE = 32_000_000;

/**
 * Reads a text line by line, in pieces of any length.
 * @param onLine called with each line, without its line feed
 * @throws Error for a line that is too long, and what `onLine` throws
 */
export async function readLines(text: ReadableStream<string>, onLine: (line: string) => void): Promise<void> {
  const reader = text.getReader();
  let pieces: string[] = [];
  let length = 0;
  for (;;) {
    const piece = await reader.read();
    if (piece.done) break;
    const [first = '', ...others] = piece.value.split('\n');
    pieces.push(first);
    length += first.length;
    if (length > LONGEST_LINE) throw new Error('is too long: the file holds no lines of events');
    for (const next of others) {
      onLine(pieces.join(''));
      pieces = [next];
      length = next.length;
    }
  }
  if (length > 0) onLine(pieces.join(''));
}
