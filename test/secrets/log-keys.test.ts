import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { KeyRing } from '../../src/secrets/key-ring.js';
import { addLogKey, LogNameError, openLogKeys } from '../../src/secrets/log-keys.js';
import { resealAll } from '../../src/secrets/reseal.js';
import { createTestStore } from '../support/database.js';

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const ring = KeyRing.parse(`k1:${key(1)},k2:${key(2)}`);
const unset = { PROOF_LOG_NAME: undefined, PUBLIC_URL: undefined, SERVICE_DOMAINS: ['waybill.internal'] };

let store: Store;
beforeAll(async () => {
  store = await createTestStore();
});
afterAll(() => store.close());

it('the first start makes one key and the name, however many processes start, and the name stays', async () => {
  await expect(addLogKey(store.db, ring, 30)).rejects.toThrow(LogNameError);
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
  const second = Buffer.from((await addLogKey(store.db, ring, 30)).publicKey).toString('hex');
  expect(await publicKeys()).toEqual([second, first]);
  const third = Buffer.from((await addLogKey(store.db, ring, 0)).publicKey).toString('hex');
  expect(await publicKeys()).toEqual([third]);
  expect((await keys.all()).map(({ publicKey }) => Buffer.from(publicKey).toString('hex'))).toEqual([
    third,
    second,
    first,
  ]);
});

it('the keys are encrypted again in a rotation of the key ring', async () => {
  const keys = await openLogKeys(store.db, ring, unset);
  const before = (await keys.signing()).map(({ privateKey }) => privateKey.export({ format: 'jwk' }));
  const pass = await resealAll(store.db, ring, 'k2', () => {});
  expect(pass).toEqual({ done: 3, skipped: 0, unreadable: [] });
  const onlyNew = await openLogKeys(store.db, KeyRing.parse(`k2:${key(2)}`), unset);
  expect((await onlyNew.signing()).map(({ privateKey }) => privateKey.export({ format: 'jwk' }))).toEqual(before);
});
