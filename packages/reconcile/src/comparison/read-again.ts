import type { Place } from '@waybill/verify/check';
import { eventsOfLine, type ExportedEvent } from '@waybill/verify/readers';

/** A file of an export that can be read from its beginning, as often as needed. */
export interface FileToRead {
  readonly name: string;
  readonly read: (onLine: (line: string, number: number) => void) => Promise<unknown>;
}

/** Reads the events of the files again. @throws what a read of a file throws */
export async function readAgain(
  files: readonly FileToRead[],
  onEvent: (event: ExportedEvent, place: Place) => void,
): Promise<void> {
  for (const { name: file, read } of files)
    await read((text, line) => {
      for (const event of eventsOfLine(text)) onEvent(event, { file, line });
    });
}

/** Returns the texts of some lines of the files. @throws what a read of a file throws */
export async function linesAt(
  files: readonly FileToRead[],
  places: readonly Place[],
): Promise<ReadonlyMap<Place, string>> {
  const found = new Map<Place, string>();
  for (const { name, read } of files) {
    const wanted = new Map<number, readonly Place[]>();
    for (const place of places)
      if (place.file === name) wanted.set(place.line, [...(wanted.get(place.line) ?? []), place]);
    if (wanted.size > 0)
      await read((text, line) => {
        for (const place of wanted.get(line) ?? []) found.set(place, text);
      });
  }
  return found;
}
