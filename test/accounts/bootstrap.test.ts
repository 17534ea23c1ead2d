import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Authenticator } from '../../src/accounts/authenticator.js';
import { TokenStore } from '../../src/accounts/token-store.js';
import { bootstrap } from '../../src/bootstrap.js';
import type { Store } from '../../src/database/store.js';
import { createTestStore } from '../support/database.js';

let store: Store;
let log: string;
let shown: string[];
beforeEach(async () => {
  store = await createTestStore();
  log = '';
  shown = [];
});
afterEach(async () => store.close());

function start(key?: string): Promise<void> {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk);
      done();
    },
  });
  return bootstrap(store.db, { BOOTSTRAP_API_KEY: key }, pino(sink), (token) => shown.push(token));
}

type CountedTable = 'accounts' | 'resources' | 'resource_links' | 'api_tokens';

async function count(table: CountedTable): Promise<number> {
  return (await store.db.selectFrom(table).selectAll().execute()).length;
}

const counts = () => Promise.all((['accounts', 'resources', 'resource_links', 'api_tokens'] as const).map(count));
const authenticate = (token: string) => new Authenticator(new TokenStore(store.db)).authenticate(token);

describe('the first start', () => {
  test('creates an account with an admin, whose key is shown once and never logged', async () => {
    await start();
    expect(shown).toHaveLength(1);
    const [token = ''] = shown;
    expect(await authenticate(token)).toMatchObject({
      principal: { kind: 'user', admin: true },
      active: true,
    });
    expect(log).not.toContain(token);
    const rows = await store.db.selectFrom('resources').selectAll().orderBy('kind').execute();
    expect(rows.map(({ kind }) => kind)).toEqual(['api_key', 'user']);
    const [key, user] = rows;
    expect(key?.attributes).toEqual({
      description: 'The first API key.',
      metadata: null,
      owner_id: user?.id,
    });
    expect(user?.attributes).toEqual({ name: 'admin', admin: true });
    expect(await store.db.selectFrom('resource_links').selectAll().execute()).toEqual([
      { from_id: key?.id, role: 'owner_id', position: 0, to_id: user?.id },
    ]);
    await start();
    expect([shown.length, await counts()]).toEqual([1, [1, 2, 1, 1]]);
  });

  test('creates one account when several processes start at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => start()));
    expect([shown.length, await counts()]).toEqual([1, [1, 2, 1, 1]]);
  });

  test('uses BOOTSTRAP_API_KEY and shows no key', async () => {
    const key = 'operators-own-key-0123456789';
    await start(key);
    expect([shown, await authenticate(key)]).toMatchObject([[], { principal: { admin: true } }]);
    expect(log).not.toContain(key);
  });

  test('creates nothing when the key cannot be shown', async () => {
    const failing = bootstrap(store.db, { BOOTSTRAP_API_KEY: undefined }, pino({ level: 'silent' }), () => {
      throw new Error('no terminal');
    });
    await expect(failing).rejects.toThrow('no terminal');
    expect(await counts()).toEqual([0, 0, 0, 0]);
  });
});

test('a later unknown BOOTSTRAP_API_KEY is ignored with a warning', async () => {
  await start();
  await start('another-key-0123456789-abcdef');
  expect(log).toContain('BOOTSTRAP_API_KEY is ignored after the first start');
  expect(await authenticate('another-key-0123456789-abcdef')).toBeNull();
});
