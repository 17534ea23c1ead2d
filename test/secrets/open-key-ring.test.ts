import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig, type Config } from '../../src/config/config.js';
import { ProcessSession } from '../../src/database/connections/process-session.js';
import type { Store } from '../../src/database/store.js';
import { isAskedFor, sealErasure } from '../../src/erasures/erasure-seal.js';
import { ErasureStore } from '../../src/erasures/erasure-store.js';
import { IdempotencyStore } from '../../src/http/idempotency/idempotency-store.js';
import { newId } from '../../src/ids/id.js';
import { createLogger } from '../../src/logging/logger.js';
import { KeyRing } from '../../src/secrets/key-ring.js';
import { openKeyRing } from '../../src/secrets/open-key-ring.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { createTestStore } from '../support/database.js';

const logger = createLogger('silent');
const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

describe('the key ring of an installation', () => {
  let store: Store;
  let dataDir: string;
  beforeEach(async () => {
    store = await createTestStore();
    dataDir = await mkdtemp(path.join(tmpdir(), 'waybill-keys-'));
  });
  afterEach(async () => {
    await store.close();
    await rm(dataDir, { recursive: true });
  });
  const config = (more: Record<string, string>): Config => readConfig({ DATA_DIR: dataDir, ...more });
  const open = async (more: Record<string, string>): Promise<KeyRing> => {
    const session = new ProcessSession({ connectionString: store.connectionString, name: 'test', logger });
    try {
      const keys = await openKeyRing(config(more), { db: store.db, session }, logger);
      await keys.close();
      return keys.ring;
    } finally {
      await session.close();
    }
  };
  const openWith = (keys: string): Promise<KeyRing> =>
    open({ DATABASE_URL: store.connectionString, SECRETS_KEYS: keys });

  /** Stores one secret, encrypted with the ring's first key. */
  async function sealSomething(ring: KeyRing): Promise<void> {
    const [accountId, resourceId, now] = [newId('acc'), newId('ed'), new Date()];
    await store.db.insertInto('accounts').values({ id: accountId, name: 'test' }).execute();
    await store.db
      .insertInto('resources')
      .values({
        id: resourceId,
        account_id: accountId,
        kind: 'x',
        attributes: '{}',
        created_at: now,
        updated_at: now,
      })
      .execute();
    await new SecretStore(ring).put(store.db, { accountId, resourceId, field: 'f' }, 'secret');
  }

  test('is created once with the embedded Postgres, readable by its owner only', async () => {
    const rings = await Promise.all([open({}), open({}), open({}), open({})]);
    const at = { accountId: 'acc_1', resourceId: 'ed_1', field: 'f' };
    const sealed = rings.map((ring) => ring.seal(at, 'secret'));
    const again = await open({});
    for (const one of sealed) expect(again.open(at, one)).toBe('secret');
    await expect(readdir(dataDir)).resolves.toEqual(['secrets.keys']);
    expect((await stat(path.join(dataDir, 'secrets.keys'))).mode & 0o777).toBe(0o600);
  });

  test('can move from the key file to SECRETS_KEYS', async () => {
    await sealSomething(await open({}));
    const carried = await readFile(path.join(dataDir, 'secrets.keys'), 'utf8');
    await expect(openWith(carried)).resolves.toBeInstanceOf(KeyRing);
  });

  test('is rejected when a key differs under its id, even before data is encrypted with it', async () => {
    await openWith(key('k1'));
    await expect(openWith(key('k1'))).rejects.toThrow('differs from the key k1 that this database knows');
  });

  test('is rejected, with the id of the key, when it lacks a key that encrypts data', async () => {
    await sealSomething(await openWith(key('k1')));
    await expect(openWith(key('k2'))).rejects.toThrow(
      /encrypted with the key k1, which SECRETS_KEYS lacks \(it has the key k2\)/,
    );
  });

  test('can be another one after the steps of docs/secrets.md for a lost one', async () => {
    const page = await readFile(new URL('../../docs/secrets.md', import.meta.url), 'utf8');
    const [, steps] = /```sql\s+(delete from secrets [^`]*)```/.exec(page) ?? [];
    if (steps === undefined) throw new Error('The page has no steps.');
    const lost = await openWith(key('k1'));
    await sealSomething(lost);
    const erasures = new ErasureStore(store.db);
    const { rows } = await store.pool.query<{ id: string }>('select id from accounts');
    const accountId = rows[0]?.id ?? '';
    const principal = { id: 'usr_1', name: 'Ada' };
    const subject = { kind: 'account', subject_id: null, types: [] } as const;
    const { id } = await erasures.create({ accountId, ...subject, to: null, reason: 'a test', principal }, (row) =>
      sealErasure(lost, row),
    );
    const claim = {
      accountId,
      apiKeyId: 'ak_1',
      idempotencyKey: 'i',
      requestHash: Buffer.alloc(32),
      operationId: 'op',
    };
    const responses = new IdempotencyStore(store.db, lost);
    await responses.claim(claim);
    await responses.storeResponse(claim, { status: 200, headers: {}, body: '{}' });
    await store.pool.query(steps);

    const ring = await openWith(key('k2'));
    await expect(new IdempotencyStore(store.db, ring).claim(claim)).rejects.toMatchObject({
      code: 'idempotency_response_erased',
    });
    const stored = await erasures.find(accountId, id);
    expect(stored && isAskedFor(ring, stored)).toBe(false);
  });

  test('can drop a key that encrypts no data', async () => {
    await openWith(key('k1'));
    await expect(openWith(key('k2'))).resolves.toBeInstanceOf(KeyRing);
  });

  test('can have a new first key beside the old one', async () => {
    const old = key('k1');
    await sealSomething(await openWith(old));
    const both = await openWith(`${key('k2')},${old}`);
    expect(both.sealingKeyId).toBe('k2');
  });

  test('seals with a key that all hold, although the session was opened again before', async () => {
    const old = key('k1');
    const sessions = ['other', 'starting'].map(
      (name) => new ProcessSession({ connectionString: store.connectionString, name, logger }),
    );
    try {
      const [others, starting] = sessions as [ProcessSession, ProcessSession];
      const openIn = (session: ProcessSession, keys: string) =>
        openKeyRing(
          config({ DATABASE_URL: store.connectionString, SECRETS_KEYS: keys }),
          { db: store.db, session },
          logger,
        );
      const other = await openIn(others, old);
      let opened = 0;
      await starting.join({ takeLocks: async () => void (opened += 1) });
      await store.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'starting'`,
      );
      await expect.poll(() => opened).toBe(2);
      await expect.poll(() => starting.isSettled(0)).toBe(true);
      const started = await openIn(starting, `${key('k2')},${old}`);
      expect(started.ring.sealingKeyId).toBe('k1');
      expect((await other.register.others()).map((one) => one.seals('k1'))).toEqual([true]);
      await Promise.all([other.close(), started.close()]);
    } finally {
      await Promise.all(sessions.map((session) => session.close()));
    }
  });

  test('is rejected when the key file is missing while its key encrypts secrets', async () => {
    await sealSomething(await open({}));
    await rm(path.join(dataDir, 'secrets.keys'));
    await expect(open({})).rejects.toThrow(/secrets\.keys is missing.*encrypted with its key k1/);
    await expect(readdir(dataDir)).resolves.toEqual([]);
  });

  test('is rejected when the key file is damaged', async () => {
    await writeFile(path.join(dataDir, 'secrets.keys'), 'k1:half');
    await expect(open({})).rejects.toThrow('key 1 of 1 (k1) is not the base64 of 32 bytes');
  });

  test('can be verified by many processes at once', async () => {
    const keys = key('k1');
    await expect(Promise.all(Array.from({ length: 10 }, () => openWith(keys)))).resolves.toHaveLength(10);
  });
});
