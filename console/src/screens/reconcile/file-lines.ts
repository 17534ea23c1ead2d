import { LinePicker, type Place } from '@waybill/reconcile';
import { readLines } from './read-lines.js';

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

/** Returns the text of some lines of the files. */
export async function linesAt(files: readonly File[], places: readonly Place[]): Promise<ReadonlyMap<Place, string>> {
  const found = new Map<Place, string>();
  for (const file of files) {
    const wanted = places.filter((place) => place.file === file.name);
    if (wanted.length === 0) continue;
    const picker = new LinePicker(wanted, found);
    await readLines(await textOf(file), (line) => picker.next(line));
  }
  return found;
}
