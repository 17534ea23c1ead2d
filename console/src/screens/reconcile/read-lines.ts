import { LineSplitter } from '@waybill/reconcile';

/** First bytes of a file that gzip has compressed. */
const GZIP = [0x1f, 0x8b];

/**
 * Returns the text of a file, also of one that gzip has compressed.
 * @param onBytes called with each part of the file
 */
export async function textOf(
  file: File,
  onBytes: (bytes: Uint8Array) => void = () => {},
): Promise<ReadableStream<string>> {
  const start = new Uint8Array(await file.slice(0, GZIP.length).arrayBuffer());
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        onBytes(chunk);
        controller.enqueue(chunk);
      },
    }),
  );
  const isCompressed = GZIP.every((byte, at) => start[at] === byte);
  const bytes = isCompressed ? counted.pipeThrough(new DecompressionStream('gzip')) : counted;
  return bytes.pipeThrough(new TextDecoderStream());
}

/**
 * Reads a text line by line, in pieces of any length.
 * @param name of its file
 * @param onLine called with each line, without its line feed, and its number, from 1
 * @throws LineError with file and line for a line that cannot be read; any other error of `onLine` as it is
 */
export async function readLines(
  name: string,
  text: ReadableStream<string>,
  onLine: (line: string, number: number) => void,
): Promise<void> {
  const reader = text.getReader();
  const lines = new LineSplitter(name, onLine);
  for (;;) {
    const piece = await reader.read().catch((error: unknown) => {
      throw new Error(`${name} cannot be read: ${String(error)}`, { cause: error });
    });
    if (piece.done) break;
    lines.push(piece.value);
  }
  lines.end();
}
