import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { openStore } from '../../src/database/store.js';
import { createLogger } from '../../src/logging/logger.js';
import { createTestStore } from '../support/database.js';

const logger = createLogger('silent');
const SECRETS_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

test('a store without DATABASE_URL starts an embedded Postgres, keeps its data, and stops it on close', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'waybill-store-'));
  const config = readConfig({ DATA_DIR: path.join(folder, 'data') });
  const first = await openStore(config, logger);
  await first.db.insertInto('accounts').values({ id: 'acc_1', name: 'kept' }).execute();
  await first.close();
  await expect(first.pool.query('select 1')).rejects.toThrow('after calling end');

  const second = await openStore(config, logger);
  await expect(second.db.selectFrom('accounts').select('name').execute()).resolves.toEqual([{ name: 'kept' }]);
  await second.close();
  await rm(folder, { recursive: true });
});

test('a store with DATABASE_URL names its instance in pg_stat_activity', async () => {
  const store = await createTestStore();
  const config = readConfig({
    DATABASE_URL: store.connectionString,
    SECRETS_KEYS,
    INSTANCE_NAME: 'worker-7',
  });
  const opened = await openStore(config, logger);
  const { rows } = await opened.pool.query<{ name: string }>(`select current_setting('application_name') as name`);
  expect(rows).toEqual([{ name: 'waybill worker-7' }]);
  await opened.close();
  await store.close();
});

test('each test store is a separate, migrated and empty database, which its close drops', async () => {
  const [one, two] = await Promise.all([createTestStore(), createTestStore()]);
  await one.db.insertInto('accounts').values({ id: 'acc_1', name: 'one' }).execute();
  await expect(two.db.selectFrom('accounts').selectAll().execute()).resolves.toEqual([]);
  await Promise.all([one.close(), two.close()]);
  const gone = readConfig({ DATABASE_URL: one.connectionString, SECRETS_KEYS });
  await expect(openStore(gone, logger)).rejects.toThrow(/database "waybill_test_\w+" does not exist/);
  expect(inject('postgresUrl')).not.toBe(one.connectionString);
});
