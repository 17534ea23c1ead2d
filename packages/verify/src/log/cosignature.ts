import { bytesToHex } from '@noble/hashes/utils.js';
import { CheckpointError } from './checkpoint.js';
import { isSignedBy, type NoteKey } from './note-key.js';
import { parseNote } from './note.js';

/** Bytes of the time, before the signature. */
const TIME_BYTES = 8;

/** Latest time that a `Date` has. */
const LATEST_SECONDS = 8.64e12;

/** A cosigner states that a checkpoint is the newest that it has seen of the log, and extends all earlier ones. */
export interface Cosignature {
  readonly key: NoteKey;
  /** In seconds since 1970. */
  readonly time: number;
}

/**
 * Returns the newest cosignature of each of these cosigners on a checkpoint. Others are ignored.
 * @param note a checkpoint that `openCheckpoint` has opened
 * @throws CheckpointError `forged` for one that names a cosigner, and is not of its key
 */
export function cosignaturesOf(note: string, cosigners: readonly NoteKey[]): readonly Cosignature[] {
  const { text, signatures } = parseNote(note);
  // By the public key: one under two names is one cosigner.
  const found = new Map<string, Cosignature>();
  for (const { name, id, signature } of signatures) {
    const key = cosigners.find((one) => one.name === name && one.id === id);
    if (key === undefined) continue;
    const time = timeOf(signature);
    if (time === null || !isSignedBy(key, cosignedText(text, time), signature.subarray(TIME_BYTES)))
      throw new CheckpointError('forged', `The cosignature of ${name} is not of its key, or of another checkpoint.`);
    const of = bytesToHex(key.publicKey);
    if ((found.get(of)?.time ?? -1) < time) found.set(of, { key, time });
  }
  return [...found.values()];
}

/** Returns what a cosigner signs. https://c2sp.org/tlog-cosignature#ed25519-signed-message */
export function cosignedText(text: string, time: number): string {
  return `cosignature/v1\ntime ${time}\n${text}`;
}

function timeOf(signature: Uint8Array): number | null {
  if (signature.length <= TIME_BYTES) return null;
  const time = Number(new DataView(signature.buffer, signature.byteOffset).getBigUint64(0));
  return time <= LATEST_SECONDS ? time : null;
}
