import { CheckpointError } from '../log/checkpoint.js';
import { notesIn, openErasure, type ErasureRecord } from '../log/erasure-record.js';
import type { NoteKey } from '../log/note-key.js';
import { parseNote } from '../log/note.js';
import type { Findings } from './finding.js';

/** An erasure record whose signature was verified. */
export interface GivenErasure {
  readonly record: ErasureRecord;
  /** The text that is signed. */
  readonly text: string;
  /** Where it was read. */
  readonly file: string;
}

/** Returns what a signed note states; null if it is not believed, which is a finding. @throws what `open` throws */
export function believed<Statement>(
  open: () => Statement,
  forged: 'forged_checkpoint' | 'forged_erasure',
  file: string,
  findings: Findings,
): Statement | null {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    findings.add({ verdict: error.fault === 'unknown_key' ? 'unknown_key' : forged, file, reason: error.message });
    return null;
  }
}

/** Returns the erasure records in a text that are believed. Any other one is a finding. */
export function erasuresIn(
  text: string,
  file: string,
  keys: readonly NoteKey[],
  findings: Findings,
): readonly GivenErasure[] {
  const given: GivenErasure[] = [];
  for (const note of notesIn(text)) {
    const record = believed(() => openErasure(note, keys), 'forged_erasure', file, findings);
    if (record !== null) given.push({ record, text: parseNote(note).text, file });
  }
  return given;
}
