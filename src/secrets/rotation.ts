import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { countEncrypted, keysInUse } from './encrypted-columns.js';
import { addKey } from './key-file.js';
import { KeyRingError } from './key-ring.js';
import type { OpenKeyRing } from './open-key-ring.js';
import { resealAll } from './reseal.js';
import { hasOpenChangeFrom, newKeyId, stateOfKeys, timeOfDatabase, type KeyState } from './rotation-state.js';

/** How to rotate. */
export interface RotationOptions {
  /** Creates a new key first, in the key file. An unfinished rotation is finished instead. */
  readonly newKey: boolean;
  /** How long to wait until running processes have read a new key from the key file, in milliseconds. */
  readonly holdTimeoutMs?: number;
}

/** What a rotation works with. */
export interface RotationParts {
  readonly db: Database;
  readonly keys: OpenKeyRing;
  /** Prints a line for the operator. */
  readonly say: (line: string) => void;
}

/** Result of a rotation. */
export interface Rotation {
  /** The key that is to encrypt everything. */
  readonly keyId: string;
  /** Every key, in the ring's order. */
  readonly states: readonly KeyState[];
  /** Rows that cannot be decrypted. */
  readonly unreadable: readonly string[];
  /** No transaction is open that began before every process had switched: its data is invisible before it commits. */
  readonly settled: boolean;
  /** No data is encrypted with another key, no running process seals with another key, and `settled`. */
  readonly finished: boolean;
}

const HOLD_TIMEOUT_MS = 30_000;
/** A notified process switches at once. One that has not switched after this time has another first key. */
const SWITCH_TIMEOUT_MS = 5_000;
/** Limit of the passes over rows that were locked in the pass before. */
const MAX_PASSES = 25;
const PAUSE_MS = 200;

/**
 * Encrypts everything with the first key of the ring, while the service runs. Begins only when every running process
 * holds that key. Can be aborted at any moment and repeated. Changes nothing when everything is done.
 * @throws KeyRingError when a running process lacks the key, or when a new key cannot be created here
 */
export async function rotateSecrets(parts: RotationParts, options: RotationOptions): Promise<Rotation> {
  const { db, keys, say } = parts;
  if (options.newKey) await createKey(parts);
  await keys.register.notify();
  await waitUntilHeldByAll(keys, keys.file === null ? 0 : (options.holdTimeoutMs ?? HOLD_TIMEOUT_MS));
  const keyId = keys.ring.sealingKeyId;
  const haveSwitched = async () =>
    (await keys.register.others()).every((holder) => holder.seals(keyId) && !holder.sealsWithOther([keyId]));
  await until(haveSwitched, SWITCH_TIMEOUT_MS);
  const switchedAt = await timeOfDatabase(db);

  const total = await countOthers(db, keyId);
  if (total > 0) say(`${total} rows to encrypt with ${keyId}.`);
  let reportedAt = performance.now();
  let done = 0;
  let unreadable: readonly string[] = [];
  let settled = false;
  for (let passes = 1; passes <= MAX_PASSES; passes += 1) {
    const before = done;
    const pass = await resealAll(db, keys.ring, keyId, (soFar) => {
      if (performance.now() - reportedAt < 1_000) return;
      reportedAt = performance.now();
      say(`${before + soFar} of ${total} rows`);
    });
    done += pass.done;
    ({ unreadable } = pass);
    // Before the count: the rows of such a transaction are counted once it has committed.
    settled = !(await hasOpenChangeFrom(db, switchedAt));
    if (settled && (await countOthers(db, keyId)) === unreadable.length) break;
    await sleep(PAUSE_MS);
  }
  if (done > 0) say(`${done} rows encrypted with ${keyId}.`);
  const states = await stateOfKeys(db, keys);
  const finished =
    settled && states.every((state) => state.keyId === keyId || (state.rows === 0 && state.sealing.length === 0));
  return { keyId, states, unreadable, settled, finished };
}

/**
 * Returns the use of the keys and changes nothing. Waits up to five seconds for open transactions, whose data is
 * invisible. `settled` is false when one is still open, or when a process has not switched.
 */
export async function inspectKeys(db: Database, keys: OpenKeyRing): Promise<Pick<Rotation, 'states' | 'settled'>> {
  const newest = keys.ring.keyIds.slice(0, 1);
  const switched = (await keys.register.others()).every((holder) => !holder.sealsWithOther(newest));
  const startedAt = await timeOfDatabase(db);
  const ended = await until(async () => !(await hasOpenChangeFrom(db, startedAt)), SWITCH_TIMEOUT_MS);
  return { states: await stateOfKeys(db, keys), settled: switched && ended };
}

/** Puts a new key first in the key file, unless an earlier rotation is unfinished. */
async function createKey({ db, keys, say }: RotationParts): Promise<void> {
  const { file, register, ring } = keys;
  if (file === null) {
    throw new KeyRingError(
      '--new-key only works with a key file, and the keys are in SECRETS_KEYS. Add a new key there, and run this without --new-key: docs/secrets.md.',
    );
  }
  await register.exclusively(async () => {
    await keys.refresh();
    const [first] = ring.keyIds;
    if ((await keysInUse(db)).some((keyId) => keyId !== first)) {
      say(`An earlier rotation to ${first} is not finished. Continuing it, without a new key.`);
      return;
    }
    const keyId = await newKeyId(db, ring);
    await addKey(file, keyId);
    say(`Created the key ${keyId} in ${file}. Back up that file: without it secrets cannot be decrypted.`);
    await keys.refresh();
  });
}

/** @throws KeyRingError when a process still lacks the first key after the timeout */
async function waitUntilHeldByAll(keys: OpenKeyRing, timeoutMs: number): Promise<void> {
  const [first] = keys.ring.keyIds;
  const held = await until(async () => {
    await keys.refresh();
    return keys.ring.sealingKeyId === first;
  }, timeoutMs);
  if (held || first === undefined) return;
  const lacking = (await keys.register.others()).filter((holder) => !holder.holds(first));
  throw new KeyRingError(
    `These running processes lack the key ${first}: ${lacking.map(({ name }) => name).join(', ')}. Nothing was changed. ` +
      `${keys.file === null ? 'Restart them with the same SECRETS_KEYS' : 'Restart them'}, and run this again.`,
  );
}

/** Polls `condition` until it holds, once at least. Returns whether it held before the timeout. */
async function until(condition: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() >= deadline) return false;
    await sleep(PAUSE_MS);
  }
  return true;
}

async function countOthers(db: Database, keyId: string): Promise<number> {
  const counts = await countEncrypted(db);
  return counts.filter((count) => count.keyId !== keyId).reduce((sum, { rows }) => sum + rows, 0);
}
