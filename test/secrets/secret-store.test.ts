import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { newId } from '../../src/ids/id.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';

describe('the secrets of resources', () => {
  let store: Store;
  const accountId = newId('acc');
  const secrets = new SecretStore(testKeyRing());
  beforeAll(async () => {
    store = await createTestStore();
    await store.db.insertInto('accounts').values({ id: accountId, name: 'test' }).execute();
  });
  afterAll(() => store.close());

  async function resource(): Promise<string> {
    const id = newId('ed');
    const now = new Date();
    await store.db
      .insertInto('resources')
      .values({
        id,
        account_id: accountId,
        kind: 'event_destination',
        attributes: '{}',
        created_at: now,
        updated_at: now,
      })
      .execute();
    return id;
  }

  test('are returned by field, with the last stored value', async () => {
    const resourceId = await resource();
    await secrets.put(store.db, { accountId, resourceId, field: 'one' }, 'old');
    await secrets.put(store.db, { accountId, resourceId, field: 'one' }, 'new');
    await secrets.put(store.db, { accountId, resourceId, field: 'two' }, 'ü');
    await expect(secrets.load(store.db, accountId, resourceId)).resolves.toEqual(
      new Map([
        ['one', 'new'],
        ['two', 'ü'],
      ]),
    );
  });

  test('are not in the database as plain text', async () => {
    const resourceId = await resource();
    await secrets.put(store.db, { accountId, resourceId, field: 'one' }, 'plain as day');
    const row = await store.db
      .selectFrom('secrets')
      .selectAll()
      .where('resource_id', '=', resourceId)
      .executeTakeFirstOrThrow();
    expect(row.ciphertext.toString('latin1')).not.toContain('plain');
    expect(row.nonce).toHaveLength(12);
  });

  test('are stored in the transaction of the caller', async () => {
    const resourceId = await resource();
    const failing = store.db.transaction().execute(async (trx) => {
      await secrets.put(trx, { accountId, resourceId, field: 'one' }, 'secret');
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    await expect(secrets.load(store.db, accountId, resourceId)).resolves.toEqual(new Map());
  });

  test('are deleted by remove, and with their resource', async () => {
    const resourceId = await resource();
    await secrets.put(store.db, { accountId, resourceId, field: 'one' }, 'secret');
    await secrets.put(store.db, { accountId, resourceId, field: 'two' }, 'secret');
    await secrets.remove(store.db, resourceId, 'one');
    await secrets.remove(store.db, resourceId, 'one');
    await expect(secrets.load(store.db, accountId, resourceId)).resolves.toEqual(new Map([['two', 'secret']]));
    await store.db.deleteFrom('resources').where('id', '=', resourceId).execute();
    await expect(
      store.db.selectFrom('secrets').where('resource_id', '=', resourceId).selectAll().execute(),
    ).resolves.toEqual([]);
  });

  test('cannot be decrypted for another account or resource', async () => {
    const [resourceId, other] = [await resource(), await resource()];
    await secrets.put(store.db, { accountId, resourceId, field: 'one' }, 'secret');
    await expect(secrets.load(store.db, newId('acc'), resourceId)).rejects.toThrow('cannot be decrypted');
    await store.db.updateTable('secrets').set({ resource_id: other }).where('resource_id', '=', resourceId).execute();
    await expect(secrets.load(store.db, accountId, other)).rejects.toThrow('cannot be decrypted');
  });
});
