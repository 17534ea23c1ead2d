import { stat } from 'node:fs/promises';
import { cannotRead, nameOf, readLines, STANDARD_INPUT } from '@waybill/verify';
import { eventsOfLine, type ExportedEvent } from '@waybill/verify/readers';
import type { TestedFile } from './comparison/evidence.js';
import { LinePicker, type ExportedEvents } from './comparison/exported-events.js';
import type { Place } from './comparison/held-event.js';

/**
 * Returns the modification time of the newest file; for standard input, the current time.
 * @throws Error that names a missing file
 */
export async function newestChange(files: readonly string[]): Promise<Date> {
  if (files.includes(STANDARD_INPUT)) return new Date();
  const changes = await Promise.all(
    files.map(async (file) => (await stat(file).catch((error) => cannotRead(file, error))).mtimeMs),
  );
  return new Date(Math.max(...changes));
}

/**
 * Reads a file, or standard input, line by line, also where it is compressed with gzip.
 * @returns what identifies the file
 * @throws Error with the reason, or with the line that holds no event
 */
export function readInto(exported: ExportedEvents, file: string): Promise<TestedFile> {
  const name = nameOf(file);
  return readLines(file, (line, number) => {
    try {
      exported.add(line, { file: name, line: number });
    } catch (error) {
      throw new Error(
        `${file === STANDARD_INPUT ? 'Standard input' : file}, line ${number} ${error instanceof Error ? error.message : String(error)}. ` +
          'An export holds one event a line: docs/reconciliation.md shows how to make one.',
        { cause: error },
      );
    }
  });
}

/** Reads the events of the files again. Standard input cannot be read again. */
export async function readAgain(
  files: readonly string[],
  onEvent: (event: ExportedEvent, place: Place) => void,
): Promise<void> {
  for (const file of files.filter((one) => one !== STANDARD_INPUT))
    await readLines(file, (text, line) => {
      for (const event of eventsOfLine(text)) onEvent(event, { file, line });
    });
}

/** Returns the text of some lines of the files. Standard input cannot be read again. */
export async function linesAt(files: readonly string[], places: readonly Place[]): Promise<ReadonlyMap<Place, string>> {
  const found = new Map<Place, string>();
  for (const file of files) {
    const wanted = places.filter((place) => place.file === file);
    if (file === STANDARD_INPUT || wanted.length === 0) continue;
    const picker = new LinePicker(wanted, found);
    await readLines(file, (line) => picker.next(line));
  }
  return found;
}
