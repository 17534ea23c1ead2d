import { fromBase64, toBase64 } from './base64.js';
import { isKeyName, isSignedBy, noteKey, type NoteKey } from './note-key.js';
import { parseNote } from './note.js';
import type { TreeHead } from './proofs.js';
import { HASH_BYTES } from './sha256.js';

/** The state of a log, as it signs it. https://c2sp.org/tlog-checkpoint */
export interface Checkpoint extends TreeHead {
  /** Name of the log: `<name of the installation>/<destination>/<epoch>`. */
  readonly origin: string;
}

/** Why a checkpoint is not believed. */
export type CheckpointFault = 'malformed' | 'unknown_key' | 'forged';

/** A checkpoint that is not believed. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';

  constructor(
    readonly fault: CheckpointFault,
    message: string,
  ) {
    super(message);
  }
}

/** Returns the text that a log signs. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/**
 * Parses the text of a checkpoint.
 * @throws CheckpointError `malformed`
 */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...others] = text.split('\n');
  const hash = fromBase64(root);
  const isWhole = /^(0|[1-9]\d*)$/.test(size) && Number.isSafeInteger(Number(size));
  const extensions = others.slice(0, -1);
  if (origin === '' || !isWhole || hash?.length !== HASH_BYTES || others.at(-1) !== '' || extensions.includes(''))
    throw new CheckpointError('malformed', 'The text is no checkpoint: origin, size and root on three lines.');
  return { origin, size: Number(size), root: hash };
}

/**
 * Returns the key of a log: that of the installation, under the name of the log. Null if the log is of another one, or
 * if no key can have its name.
 */
export function logKey(origin: string, installation: NoteKey): NoteKey | null {
  if (origin === installation.name) return installation;
  const isOfInstallation = origin.startsWith(`${installation.name}/`) && isKeyName(origin);
  return isOfInstallation ? noteKey(origin, installation.publicKey) : null;
}

/**
 * Returns a checkpoint that one of the keys has signed.
 * @param keys keys of installations, or of logs
 * @throws CheckpointError with the reason
 */
export function openCheckpoint(note: string, keys: readonly NoteKey[]): Checkpoint {
  return openStatement('checkpoint', note, keys, parseCheckpoint);
}

/**
 * Returns what a log states in a note that one of the keys has signed.
 * @param name of what is stated, for messages
 * @param keys keys of installations, or of logs
 * @param parse of the text of the note; throws a CheckpointError
 * @throws CheckpointError with the reason
 */
export function openStatement<Statement extends { readonly origin: string }>(
  name: string,
  note: string,
  keys: readonly NoteKey[],
  parse: (text: string) => Statement,
): Statement {
  const { text, signatures } = noteOf(note);
  const statement = parse(text);
  const { origin } = statement;
  const known = keys.map((key) => logKey(origin, key)).filter((key) => key !== null);
  let isSigned = false;
  for (const { name: keyName, id, signature } of signatures) {
    const key = known.find((one) => one.name === keyName && one.id === id);
    if (key === undefined) continue;
    if (!isSignedBy(key, text, signature))
      throw new CheckpointError(
        'forged',
        `The signature of ${keyName} is not of its key: the ${name} was changed or made by another.`,
      );
    isSigned = true;
  }
  if (isSigned) return statement;
  const given = keys.map(namedKey).join(', ');
  const found = signatures.map(namedKey).join(', ');
  throw new CheckpointError(
    'unknown_key',
    `The ${name} of ${origin} is signed by ${found}, and by none of the given keys: ${given}.`,
  );
}

function namedKey({ name, id }: Pick<NoteKey, 'name' | 'id'>): string {
  return `${name}+${id}`;
}

function noteOf(note: string) {
  try {
    return parseNote(note);
  } catch (error) {
    throw new CheckpointError('malformed', error instanceof Error ? error.message : String(error));
  }
}
