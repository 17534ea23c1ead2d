import { generateKeyPairSync } from 'node:crypto';
import { openCheckpoint, parseNote } from '@waybill/verify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { createLogger } from '../../src/logging/logger.js';
import { KeyRing } from '../../src/secrets/key-ring.js';
import { addLogKey, LogNameError, openLogKeys, signedNote, type LogKeys } from '../../src/secrets/log-keys.js';
import { resealAll } from '../../src/secrets/reseal.js';
import { createTestStore } from '../support/database.js';

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const ring = KeyRing.parse(`k1:${key(1)},k2:${key(2)}`);
const noSigner = { PROOF_SIGNER: undefined, PROOF_SIGNER_KEY: undefined };
const unset = {
  ...noSigner,
  PROOF_LOG_NAME: undefined,
  PUBLIC_URL: undefined,
  SERVICE_DOMAINS: ['waybill.internal'],
};

const logger = createLogger('silent');
let store: Store;
beforeAll(async () => {
  store = await createTestStore();
});
afterAll(() => store.close());

it('the first start makes one key and the name, however many processes start, and the name stays', async () => {
  await expect(addLogKey(store.db, ring, 30, noSigner)).rejects.toThrow(LogNameError);
  const settings = { ...unset, PUBLIC_URL: 'https://waybill.example.com:8443/path' };
  const opened = await Promise.all([1, 2, 3].map(() => openLogKeys(store.db, ring, settings, logger)));
  expect(opened.map(({ logName }) => logName)).toEqual(Array.from({ length: 3 }, () => 'waybill.example.com:8443'));
  const [keys] = await Promise.all(opened.map((one) => one.all()));
  expect(keys).toHaveLength(1);

  const { logName } = await openLogKeys(store.db, ring, unset, logger);
  expect(logName).toBe('waybill.example.com:8443');
  const other = openLogKeys(store.db, ring, { ...unset, PROOF_LOG_NAME: 'other.example.com' }, logger);
  await expect(other).rejects.toThrow('are named waybill.example.com:8443');
});

it('a new key signs beside the others until the overlap ends, and a leaked one not at all', async () => {
  const keys = await openLogKeys(store.db, ring, unset, logger);
  const publicKeys = async () => (await keys.signing()).map(({ publicKey }) => publicKey.toString('hex'));
  const [first] = await publicKeys();
  const second = Buffer.from((await addLogKey(store.db, ring, 30, noSigner)).publicKey).toString('hex');
  expect(await publicKeys()).toEqual([second, first]);
  const third = Buffer.from((await addLogKey(store.db, ring, 0, noSigner)).publicKey).toString('hex');
  expect(await publicKeys()).toEqual([third]);
  expect((await keys.all()).map(({ publicKey }) => Buffer.from(publicKey).toString('hex'))).toEqual([
    third,
    second,
    first,
  ]);
});

it('the keys are encrypted again in a rotation of the key ring', async () => {
  const keys = await openLogKeys(store.db, ring, unset, logger);
  const signatures = async (of: LogKeys) =>
    Promise.all((await of.signing()).map(async (one) => (await one.sign('a text')).toString('hex')));
  const before = await signatures(keys);
  const pass = await resealAll(store.db, ring, 'k2', () => {});
  expect(pass).toEqual({ done: 3, unreadable: [] });
  const onlyNew = await openLogKeys(store.db, KeyRing.parse(`k2:${key(2)}`), unset, logger);
  expect(await signatures(onlyNew)).toEqual(before);
});

/** Returns settings with a key outside of the database. */
function outside() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const script = `process.stdin.on('data', (text) => console.log(require('crypto').sign(null, text, process.argv[1]).toString('base64')))`;
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
  const PROOF_SIGNER = JSON.stringify([process.execPath, '-e', script, '--', pem]);
  return { ...unset, PROOF_SIGNER, PROOF_SIGNER_KEY: der };
}

it('a key outside of the database signs beside the others, then alone, and only with its signer', async () => {
  const settings = outside();
  const der = settings.PROOF_SIGNER_KEY;
  const [keys] = await Promise.all([1, 2].map(() => openLogKeys(store.db, ring, settings, logger)));
  if (!keys) throw new Error('There are no keys.');
  const origin = `${keys.logName}/ed_1/1`;
  const text = `${origin}\n1\n${Buffer.alloc(32).toString('base64')}\n`;
  const [first] = await keys.all();
  const signers = async (of: LogKeys) => parseNote(await signedNote(await of.signing(), origin, text)).signatures;
  expect(await signers(keys)).toHaveLength(2);
  await addLogKey(store.db, ring, 0, settings);
  const reopened = await openLogKeys(store.db, ring, settings, logger);
  const note = await signedNote(await reopened.signing(), origin, text);
  if (!first) throw new Error('There is no key.');
  expect(Buffer.from(first.publicKey).toString('base64')).toBe(
    Buffer.from(der, 'base64').subarray(-32).toString('base64'),
  );
  expect(openCheckpoint(note, [first]).origin).toBe(origin);
  expect(parseNote(note).signatures).toHaveLength(1);
  expect(await resealAll(store.db, ring, 'k2', () => {})).toMatchObject({ unreadable: [] });

  const without = await openLogKeys(store.db, ring, unset, logger);
  await expect(signers(without)).rejects.toThrow('PROOF_SIGNER_KEY is not it');
  await addLogKey(store.db, ring, 0, noSigner);
  expect(await signers(without)).toHaveLength(1);
});

it('a key outside replaces another one, while each process signs with the one that it has', async () => {
  const [first, second] = [outside(), outside()];
  const warnings: string[] = [];
  const open = (settings: typeof first) =>
    openLogKeys(store.db, ring, settings, createLogger('warn', { write: (line) => warnings.push(line) }));
  const signers = async (of: LogKeys) => {
    const note = await signedNote(await of.signing(), of.logName, `${of.logName}\n`);
    return parseNote(note).signatures.map(({ id }) => id);
  };
  const before = await open(first);
  const old = await addLogKey(store.db, ring, 0, first);
  expect(await signers(before)).toEqual([old.id]);
  const after = await open(second);
  const [replacing] = await after.all();
  expect(await signers(after)).toEqual([replacing?.id]);
  expect(await signers(before)).toEqual([old.id]);

  // A process that still has the first one starts again: the second one is not replaced.
  expect(warnings).toEqual([]);
  const restarted = await open(first);
  expect(warnings.join('')).toContain('another key of the logs has replaced PROOF_SIGNER_KEY');
  expect(await signers(restarted)).toEqual([old.id]);
  await store.pool.query('update log_keys set signs_until = now() where signs_until is not null');
  expect(await signers(after)).toEqual([replacing?.id]);
  await expect(signers(restarted)).rejects.toThrow('PROOF_SIGNER_KEY is not it');

  await addLogKey(store.db, ring, 0, first);
  expect(await signers(restarted)).toEqual([old.id]);
  await addLogKey(store.db, ring, 0, noSigner);
});

it('a key that was changed in the database is left out, and the others sign', async () => {
  const lines: string[] = [];
  const keys = await openLogKeys(store.db, ring, unset, createLogger('warn', { write: (line) => lines.push(line) }));
  const made = await addLogKey(store.db, ring, 30, noSigner);
  const ids = async () => (await keys.all()).map(({ id }) => id);
  const before = await ids();
  const change = async (what: string) => store.pool.query(`update log_keys set ${what} where id = $1`, [made.id]);
  const saved = `(select public_key, nonce from log_keys where id = '${made.id}')`;
  const { rows } = await store.pool.query(saved);
  await change(`public_key = sha256('another')`);
  expect(await ids()).toEqual(before.filter((id) => id !== made.id));
  await store.pool.query('update log_keys set public_key = $2 where id = $1', [made.id, rows[0].public_key]);
  for (const what of ["nonce = ''", "ciphertext = ''", "key_id = 'none'"]) {
    await change(what);
    expect(await ids()).toEqual(before.filter((id) => id !== made.id));
    const note = await signedNote(await keys.signing(), keys.logName, `${keys.logName}\n`);
    expect(parseNote(note).signatures.map(({ id }) => id)).not.toContain(made.id);
  }
  // A key of somebody else, which is said to be outside.
  await store.pool.query(
    `insert into log_keys (log_name, id, public_key, key_id, nonce, ciphertext)
     values ($1, '01234567', sha256('foreign'), 'k1', '', '')`,
    [keys.logName],
  );
  expect(await ids()).toEqual(before.filter((id) => id !== made.id));
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'a key of the logs was changed in the database; it is not used',
    'a key of the logs is not used: this process lacks the key that has encrypted it',
  ]);
  await store.pool.query(`update log_keys set ciphertext = ''`);
  expect(await ids()).toEqual([]);
  await expect(signedNote(await keys.signing(), keys.logName, `${keys.logName}\n`)).rejects.toThrow('No key signs');
});
