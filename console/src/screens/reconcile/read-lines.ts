import { LineSplitter } from '@waybill/reconcile';

/**
 * Reads a text line by line, in pieces of any length.
 * @param onLine called with each line, without its line feed
 * @throws Error for a line that is too long, and what `onLine` throws
 */
export async function readLines(text: ReadableStream<string>, onLine: (line: string) => void): Promise<void> {
  const reader = text.getReader();
  const lines = new LineSplitter(onLine);
  for (;;) {
    const piece = await reader.read();
    if (piece.done) break;
    lines.push(piece.value);
  }
  lines.end();
}
