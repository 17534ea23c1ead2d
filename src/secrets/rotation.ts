import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { addKey } from './key-file.js';
import { KeyRingError } from './key-ring.js';
import type { OpenKeyRing } from './open-key-ring.js';
import { resealAll } from './reseal.js';
import { countSealed, keysInUse } from './encrypted-columns.js';
import { isAnyChangeFrom, newKeyId, stateOfKeys, timeOfDatabase, type KeyState } from './rotation-state.js';

/** How a rotation is to be done. */
export interface RotationOptions {
  /** Makes a new key first, where the keys are in a file of ours; goes on with an unfinished rotation instead, if there is one. */
  readonly newKey: boolean;
  /** How long running processes are waited for that have to learn of a key in the file, in milliseconds. */
  readonly patienceMs?: number;
}

/** What a rotation works on. */
export interface RotationParts {
  readonly db: Database;
  readonly keys: OpenKeyRing;
  /** Is given what a person should read, a line at a time. */
  readonly say: (line: string) => void;
}

/** What a rotation has come to. */
export interface Rotation {
  /** The key that everything is to be sealed with. */
  readonly keyId: string;
  /** Every key, the first one first. */
  readonly states: readonly KeyState[];
  /** Rows that do not open with the key that they name. */
  readonly unreadable: readonly string[];
  /** No change is under way that began before every process had moved on: what such a one has sealed is not to be seen yet. */
  readonly settled: boolean;
  /** Nothing is sealed with another key, and no running process seals with one, nor a change that began when one did. */
  readonly finished: boolean;
}

const PATIENCE_MS = 30_000;
/** A process looks at the keys again when it is told to, so what does not follow in this time has another first key. */
const FOLLOW_MS = 5_000;
/** Walks until what others were just changing has been met unlocked. */
const MOST_WALKS = 25;
const PAUSE_MS = 200;

/**
 * Seals everything with the first key of the ring, while the service runs. Begins only when every running process holds that key.
 * May be ended at any moment and run again; running it when everything is done changes nothing.
 * @throws KeyRingError when a running process lacks the key, or when a new one cannot be made here
 */
export async function rotateSecrets(parts: RotationParts, options: RotationOptions): Promise<Rotation> {
  const { db, keys, say } = parts;
  if (options.newKey) await makeKey(parts);
  await keys.register.tell();
  await untilHeldByAll(keys, keys.file === null ? 0 : (options.patienceMs ?? PATIENCE_MS));
  const keyId = keys.ring.sealingKeyId;
  const follows = async () =>
    (await keys.register.others()).every((holder) => holder.seals(keyId) && !holder.sealsBeside([keyId]));
  await until(follows, FOLLOW_MS);
  const followedAt = await timeOfDatabase(db);

  const total = await countOthers(db, keyId);
  if (total > 0) say(`${total} to seal with ${keyId}.`);
  let lastSaid = performance.now();
  let done = 0;
  let unreadable: readonly string[] = [];
  let settled = false;
  for (let walks = 1; walks <= MOST_WALKS; walks += 1) {
    const before = done;
    const walk = await resealAll(db, keys.ring, keyId, (soFar) => {
      if (performance.now() - lastSaid < 1_000) return;
      lastSaid = performance.now();
      say(`${before + soFar} of ${total}`);
    });
    done += walk.done;
    ({ unreadable } = walk);
    // Asked before the rest is counted: what such a change has sealed shows itself when it is committed.
    settled = !(await isAnyChangeFrom(db, followedAt));
    if (settled && walk.passedBy === 0 && (await countOthers(db, keyId)) === unreadable.length) break;
    await sleep(PAUSE_MS);
  }
  if (done > 0) say(`${done} sealed with ${keyId}.`);
  const states = await stateOfKeys(db, keys);
  const finished =
    settled &&
    states.every((state) => state.keyId === keyId || (state.rows === 0 && state.sealing.length === 0));
  return { keyId, states, unreadable, settled, finished };
}

/**
 * What the keys are used for, without changing anything. Waits some seconds for the changes that are under way, for what they
 * sealed is not to be seen before they end; `settled` is false when one has not ended, or when a process had not moved on.
 */
export async function lookAtKeys(
  db: Database,
  keys: OpenKeyRing,
): Promise<Pick<Rotation, 'states' | 'settled'>> {
  const newest = keys.ring.keyIds.slice(0, 1);
  const followed = (await keys.register.others()).every((holder) => !holder.sealsBeside(newest));
  const lookedAt = await timeOfDatabase(db);
  const ended = await until(async () => !(await isAnyChangeFrom(db, lookedAt)), FOLLOW_MS);
  return { states: await stateOfKeys(db, keys), settled: followed && ended };
}

/** Puts a new key first in the file, unless an earlier rotation is not finished. One process at a time. */
async function makeKey({ db, keys, say }: RotationParts): Promise<void> {
  const { file, register, ring } = keys;
  if (file === null) {
    throw new KeyRingError(
      'The keys are in SECRETS_KEYS, which is yours: add the new one there, and run this without --new-key (docs/secrets.md).',
    );
  }
  await register.alone(async () => {
    await keys.refresh();
    const [first] = ring.keyIds;
    if ((await keysInUse(db)).some((keyId) => keyId !== first)) {
      say(`An earlier rotation to ${first} is not finished: going on with it.`);
      return;
    }
    const keyId = await newKeyId(db, ring);
    await addKey(file, keyId);
    say(`Made the key ${keyId} in ${file}. Back that file up: without it secrets cannot be read.`);
    await keys.refresh();
  });
}

async function untilHeldByAll(keys: OpenKeyRing, patienceMs: number): Promise<void> {
  const [first] = keys.ring.keyIds;
  const held = await until(async () => {
    await keys.refresh();
    return keys.ring.sealingKeyId === first;
  }, patienceMs);
  if (held || first === undefined) return;
  const lacking = (await keys.register.others()).filter((holder) => !holder.holds(first));
  throw new KeyRingError(
    `These running processes do not hold the key ${first} yet: ${lacking.map(({ name }) => name).join(', ')}. Nothing was sealed ` +
      `anew. ${keys.file === null ? 'Give them the same SECRETS_KEYS' : 'Restart them'}, and run this again.`,
  );
}

/** Looks until `condition` holds, once at least; gives whether it does. */
async function until(condition: () => Promise<boolean>, patienceMs: number): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (!(await condition())) {
    if (performance.now() >= deadline) return false;
    await sleep(PAUSE_MS);
  }
  return true;
}

async function countOthers(db: Database, keyId: string): Promise<number> {
  const counts = await countSealed(db);
  return counts.filter((count) => count.keyId !== keyId).reduce((sum, { rows }) => sum + rows, 0);
}
