import { generateKeyPairSync } from 'node:crypto';
import { openCheckpoint, parseNote } from '@waybill/verify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
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

let store: Store;
beforeAll(async () => {
  store = await createTestStore();
});
afterAll(() => store.close());

it('the first start makes one key and the name, however many processes start, and the name stays', async () => {
  await expect(addLogKey(store.db, ring, 30, noSigner)).rejects.toThrow(LogNameError);
  const settings = { ...unset, PUBLIC_URL: 'https://waybill.example.com:8443/path' };
  const opened = await Promise.all([1, 2, 3].map(() => openLogKeys(store.db, ring, settings)));
  expect(opened.map(({ logName }) => logName)).toEqual(Array.from({ length: 3 }, () => 'waybill.example.com:8443'));
  const [keys] = await Promise.all(opened.map((one) => one.all()));
  expect(keys).toHaveLength(1);

  const { logName } = await openLogKeys(store.db, ring, unset);
  expect(logName).toBe('waybill.example.com:8443');
  const other = openLogKeys(store.db, ring, { ...unset, PROOF_LOG_NAME: 'other.example.com' });
  await expect(other).rejects.toThrow('are named waybill.example.com:8443');
});

it('a new key signs beside the others until the overlap ends, and a leaked one not at all', async () => {
  const keys = await openLogKeys(store.db, ring, unset);
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
  const keys = await openLogKeys(store.db, ring, unset);
  const signatures = async (of: LogKeys) =>
    Promise.all((await of.signing()).map(async (one) => (await one.sign('a text')).toString('hex')));
  const before = await signatures(keys);
  const pass = await resealAll(store.db, ring, 'k2', () => {});
  expect(pass).toEqual({ done: 3, skipped: 0, unreadable: [] });
  const onlyNew = await openLogKeys(store.db, KeyRing.parse(`k2:${key(2)}`), unset);
  expect(await signatures(onlyNew)).toEqual(before);
});

it('a key outside of the database signs beside the others, then alone, and only with its signer', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const script = `process.stdin.on('data', (text) => console.log(require('crypto').sign(null, text, process.argv[1]).toString('base64')))`;
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
  const settings = {
    ...unset,
    PROOF_SIGNER: JSON.stringify([process.execPath, '-e', script, '--', pem]),
    PROOF_SIGNER_KEY: der,
  };
  const [keys] = await Promise.all([1, 2].map(() => openLogKeys(store.db, ring, settings)));
  if (!keys) throw new Error('There are no keys.');
  const origin = `${keys.logName}/ed_1/1`;
  const text = `${origin}\n1\n${Buffer.alloc(32).toString('base64')}\n`;
  const [first] = await keys.all();
  const signers = async (of: LogKeys) => parseNote(await signedNote(await of.signing(), origin, text)).signatures;
  expect(await signers(keys)).toHaveLength(2);
  await addLogKey(store.db, ring, 0, settings);
  const reopened = await openLogKeys(store.db, ring, settings);
  const note = await signedNote(await reopened.signing(), origin, text);
  if (!first) throw new Error('There is no key.');
  expect(Buffer.from(first.publicKey).toString('base64')).toBe(
    Buffer.from(der, 'base64').subarray(-32).toString('base64'),
  );
  expect(openCheckpoint(note, [first]).origin).toBe(origin);
  expect(parseNote(note).signatures).toHaveLength(1);
  const { rows } = await store.pool.query('select ciphertext from log_keys where public_key = $1', [first.publicKey]);
  expect(rows).toEqual([{ ciphertext: null }]);
  expect(await resealAll(store.db, ring, 'k2', () => {})).toMatchObject({ unreadable: [] });

  const without = await openLogKeys(store.db, ring, unset);
  await expect(signers(without)).rejects.toThrow('PROOF_SIGNER_KEY is not it');
  await addLogKey(store.db, ring, 0, noSigner);
  expect(await signers(without)).toHaveLength(1);
});
