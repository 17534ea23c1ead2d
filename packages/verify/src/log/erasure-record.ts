import { CheckpointError, openStatement } from './checkpoint.js';
import type { NoteKey } from './note-key.js';
import type { LeafRange } from './proofs.js';

/** What a log says of events that were erased, as it signs it. */
export interface ErasureRecord {
  /** Name of the log. */
  readonly origin: string;
  readonly erasureId: string;
  /** When the record was made, RFC 3339. */
  readonly at: string;
  /** Indexes of the erased leaves, ascending: none touches the next one. */
  readonly ranges: readonly LeafRange[];
}

/** Returns the text that a log signs. */
export function erasureText({ origin, erasureId, at, ranges }: ErasureRecord): string {
  const lines = ranges.map(([start, end]) => (end - start === 1 ? `${start}` : `${start}-${end - 1}`));
  return `${[origin, `erasure ${erasureId}`, at, ...lines].join('\n')}\n`;
}

/**
 * Parses the text of a record.
 * @throws CheckpointError `malformed`
 */
export function parseErasure(text: string): ErasureRecord {
  const [origin = '', head = '', at = '', ...lines] = text.split('\n');
  const erasureId = /^erasure (\S+)$/.exec(head)?.[1];
  const ranges = lines.slice(0, -1).map(rangeOf);
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at) && lines.at(-1) === '' && ranges.length > 0;
  if (origin === '' || erasureId === undefined || !isWhole || !ranges.every(isAfterThat))
    throw new CheckpointError(
      'malformed',
      'The text is no erasure record: origin, erasure, time and ascending ranges.',
    );
  return { origin, erasureId, at, ranges };
}

/**
 * Returns a record that one of the keys has signed.
 * @param keys keys of installations, or of logs
 * @throws CheckpointError with the reason
 */
export function openErasure(note: string, keys: readonly NoteKey[]): ErasureRecord {
  return openStatement('erasure record', note, keys, parseErasure);
}

/** Returns the notes of a text that has several, one after the other. */
export function notesIn(text: string): readonly string[] {
  return text.split(/(?<=^— .*\n)(?!— )/m).filter((note) => note !== '');
}

/** Returns the range of a line; an empty one where the line has none. */
function rangeOf(line: string): LeafRange {
  const [, first = '', last = first] = /^(0|[1-9]\d{0,14})(?:-([1-9]\d{0,14}))?$/.exec(line) ?? [];
  const isRange = first !== '' && (!line.includes('-') || Number(first) < Number(last));
  return isRange ? [Number(first), Number(last) + 1] : [0, 0];
}

function isAfterThat([start, end]: LeafRange, at: number, all: readonly LeafRange[]): boolean {
  return start < end && (at === 0 || start > (all[at - 1]?.[1] ?? 0));
}
