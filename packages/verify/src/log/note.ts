import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { fromBase64, toBase64 } from './base64.js';
import { isKeyName, type NoteKey } from './note-key.js';

/** Most characters of a note: a checkpoint with a signature has about 200, and one of a post-quantum key 5 KB. */
const LONGEST_NOTE = 1_000_000;

/** Most signatures of a note. */
const MOST_SIGNATURES = 100;

/** Bytes of the id of a key, before the signature. */
const ID_BYTES = 4;

/** A line of a note: a signature, as yet unverified. */
export interface NoteSignature {
  /** Name of the key. */
  readonly name: string;
  /** Id of the key, 8 hexadecimal digits. */
  readonly id: string;
  readonly signature: Uint8Array;
}

/** A text with signatures. https://c2sp.org/signed-note */
export interface Note {
  /** Ends with a line feed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/**
 * Parses a note. Verifies no signature.
 * @throws Error for what is no note
 */
export function parseNote(note: string): Note {
  if (note.length > LONGEST_NOTE) throw new Error('The note is too long.');
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0009\u000b-\u001f]/.test(note)) throw new Error('The note has a control character.');
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) throw new Error('The note has no signatures after an empty line.');
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MOST_SIGNATURES) throw new Error(`The note has more than ${MOST_SIGNATURES} signatures.`);
  return { text: note.slice(0, end + 1), signatures: lines.map(parseLine) };
}

function parseLine(line: string): NoteSignature {
  const [dash, name = '', encoded = '', ...others] = line.split(' ');
  const bytes = fromBase64(encoded);
  if (dash !== '—' || !isKeyName(name) || bytes === null || bytes.length <= ID_BYTES || others.length > 0)
    throw new Error('A line after the text of the note is no signature.');
  return { name, id: bytesToHex(bytes.subarray(0, ID_BYTES)), signature: bytes.subarray(ID_BYTES) };
}

/**
 * Returns the note of a text and its signatures.
 * @throws Error for a text that can be no note
 */
export function formatNote(text: string, signatures: readonly NoteSignature[]): string {
  const note = `${text}\n${signatures.map(lineOf).join('')}`;
  if (parseNote(note).text !== text) throw new Error('The text of a note ends with a line feed.');
  return note;
}

function lineOf({ name, id, signature }: NoteSignature): string {
  return `— ${name} ${toBase64(concatBytes(hexToBytes(id), signature))}\n`;
}

/** Returns the signature of a key as a line of a note. @param signature Ed25519, 64 bytes */
export function noteSignature({ name, id }: NoteKey, signature: Uint8Array): NoteSignature {
  return { name, id, signature };
}
