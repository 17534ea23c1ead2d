import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { describe, inject, test } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { ProcessSession } from '../../src/database/connections/process-session.js';
import { IdempotencyStore, type Claim } from '../../src/http/idempotency/idempotency-store.js';
import { newId } from '../../src/ids/id.js';
import { createLogger } from '../../src/logging/logger.js';
import { openKeyRing, type OpenKeyRing } from '../../src/secrets/open-key-ring.js';
import { describeKeys } from '../../src/secrets/rotation-state.js';
import { inspectKeys, rotateSecrets } from '../../src/secrets/rotation.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { createTestStore } from '../support/database.js';

const run = promisify(execFile);
const logger = createLogger('silent');
const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

const [k1, k2, k3] = [key('k1'), key('k2'), key('k3')];
const accountId = newId('acct');

const claimOf = (apiKeyId: string): Claim => ({
  accountId,
  apiKeyId,
  idempotencyKey: 'once',
  requestHash: Buffer.alloc(32),
  operationId: 'op',
});

/** Opens a database for one test, and the processes that use its secrets. Closes them when the test has finished. */
async function openEnvironment(onTestFinished: (close: () => Promise<void>) => void) {
  const store = await createTestStore();
  const open: ProcessSession[] = [];
  onTestFinished(async () => {
    await Promise.all(open.map((session) => session.close()));
    await store.close();
  });
  await store.db.insertInto('accounts').values({ id: accountId, name: 'test' }).execute();

  /** Opens the keys of a process with these SECRETS_KEYS, until the end of the test or `close`. */
  async function processWith(...keys: readonly string[]): Promise<OpenKeyRing> {
    const name = `process ${open.length + 1}`;
    const settings = { DATABASE_URL: store.connectionString, SECRETS_KEYS: keys.join(',') };
    const session = new ProcessSession({ connectionString: store.connectionString, name, logger });
    open.push(session);
    const opened = await openKeyRing(readConfig(settings), { db: store.db, session }, logger).catch(async (error) => {
      await session.close();
      throw error;
    });
    const closeRing = opened.close.bind(opened);
    opened.close = async () => {
      await closeRing();
      await session.close();
    };
    return opened;
  }

  const rotate = async (keys: OpenKeyRing, say: (line: string) => void = () => {}) =>
    rotateSecrets({ db: store.db, keys, say }, { newKey: false });

  /** Creates resources, each with one secret that holds its own id. */
  async function seed(count: number, keys: OpenKeyRing): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId('ed'));
    const now = new Date();
    const row = { account_id: accountId, kind: 'event_destination', attributes: '{}', created_at: now };
    await store.db
      .insertInto('resources')
      .values(ids.map((id) => ({ ...row, id, updated_at: now })))
      .execute();
    const secrets = new SecretStore(keys.ring);
    for (const resourceId of ids) await secrets.put(store.db, { accountId, resourceId, field: 'f' }, resourceId);
    return ids;
  }

  async function everySeal(): Promise<readonly { key_id: string; nonce: Buffer }[]> {
    return store.db
      .selectFrom('secrets')
      .select(['key_id', 'nonce'])
      .unionAll(
        store.db.selectFrom('idempotency_keys').select(['key_id', 'nonce']).$narrowType<{
          key_id: string;
          nonce: Buffer;
        }>(),
      )
      .execute();
  }

  return { store, processWith, rotate, seed, everySeal };
}

// Concurrent: some tests wait many seconds for a retry interval or a reconnect.
describe('a rotation', { concurrent: true }, () => {
  test('encrypts every secret and stored response with the first key, and changes nothing when repeated', async ({
    expect,
    onTestFinished,
  }) => {
    const { store, processWith, rotate, seed, everySeal } = await openEnvironment(onTestFinished);
    const before = await processWith(k1);
    const ids = await seed(250, before);
    const [kept, deleted] = [claimOf(ids[0] ?? ''), claimOf('ak_deleted')];
    const answers = new IdempotencyStore(store.db, before.ring);
    for (const claim of [kept, deleted]) {
      await answers.claim(claim);
      await answers.storeResponse(claim, { status: 201, headers: {}, body: '{"token":"t"}' });
    }
    await before.close();

    const keys = await processWith(k2, k1);
    await expect(rotate(keys)).resolves.toMatchObject({ keyId: 'k2', finished: true, unreadable: [] });
    const seals = await everySeal();
    // The response of the deleted API key was deleted: it can no longer be requested.
    expect(seals.map(({ key_id }) => key_id)).toEqual(Array.from({ length: 251 }, () => 'k2'));
    await keys.close();

    const after = await processWith(k2);
    const secrets = new SecretStore(after.ring);
    for (const id of ids) await expect(secrets.load(store.db, accountId, id)).resolves.toEqual(new Map([['f', id]]));
    await expect(new IdempotencyStore(store.db, after.ring).claim(kept)).resolves.toMatchObject({
      body: '{"token":"t"}',
    });
    await expect(rotate(after)).resolves.toMatchObject({ finished: true });
    expect((await everySeal()).map(({ nonce }) => nonce.toString('hex')).toSorted()).toEqual(
      seals.map(({ nonce }) => nonce.toString('hex')).toSorted(),
    );
  });

  test('never overwrites concurrent changes, with two rotations at once and a process that still uses the old key', async ({
    expect,
    onTestFinished,
  }) => {
    const { store, processWith, rotate, seed, everySeal } = await openEnvironment(onTestFinished);
    const old = await processWith(k1, k2);
    const ids = await seed(300, old);
    const keys = [await processWith(k2, k1), await processWith(k2, k1)];
    const last = new Map(ids.map((id) => [id, id]));
    const rotating = new AbortController();
    let changes = 0;
    const writers = [old, ...keys].map(async ({ ring }, writer) => {
      const secrets = new SecretStore(ring);
      const own = ids.filter((_, index) => index % 3 === writer);
      while (!rotating.signal.aborted || changes < 300) {
        const id = own[Math.floor(Math.random() * own.length)] ?? '';
        const value = randomBytes(8).toString('hex');
        await secrets.put(store.db, { accountId, resourceId: id, field: 'f' }, value);
        last.set(id, value);
        changes += 1;
      }
    });
    const rotations = await Promise.all(keys.map((one) => rotate(one)));
    rotating.abort();
    await Promise.all(writers);
    // A process whose first key is the old one keeps using it, and the rotation reports that.
    for (const { finished, states } of rotations) {
      expect(finished).toBe(false);
      expect(states.find(({ keyId }) => keyId === 'k1')?.sealing).toEqual(['process 1']);
    }
    await old.close();
    await expect(rotate(keys[0] ?? old)).resolves.toMatchObject({ finished: true });
    const secrets = new SecretStore(keys[1]?.ring ?? old.ring);
    for (const [id, value] of last)
      await expect(secrets.load(store.db, accountId, id)).resolves.toEqual(new Map([['f', value]]));
    expect(new Set((await everySeal()).map(({ key_id }) => key_id))).toEqual(new Set(['k2']));
  });

  test('skips locked rows without waiting, and encrypts them in a later pass', async ({ expect, onTestFinished }) => {
    const { store, processWith, rotate, seed, everySeal } = await openEnvironment(onTestFinished);
    const old = await processWith(k1);
    const ids = await seed(3, old);
    const { ring } = old;
    await old.close();
    const keys = await processWith(k2, k1);
    const [held, release] = [new EventEmitter(), new EventEmitter()];
    const isHeld = once(held, 'now');
    const change = store.db.transaction().execute(async (trx) => {
      await new SecretStore(ring).put(trx, { accountId, resourceId: ids[1] ?? '', field: 'f' }, 'changed');
      held.emit('now');
      await once(release, 'now');
    });
    await isHeld;
    const rotation = rotate(keys);
    const sealedWithNew = async () =>
      (await everySeal()).filter(({ key_id }) => key_id === 'k2').length === 2 ? 'both others' : 'not yet';
    await expect.poll(sealedWithNew).toBe('both others');
    release.emit('now');
    await change;
    await expect(rotation).resolves.toMatchObject({ finished: true });
    const secrets = new SecretStore(keys.ring);
    await expect(secrets.load(store.db, accountId, ids[1] ?? '')).resolves.toEqual(new Map([['f', 'changed']]));
  });

  test('does not call a key unused while an open transaction has used it', async ({ expect, onTestFinished }) => {
    const { store, processWith, rotate, seed, everySeal } = await openEnvironment(onTestFinished);
    const changing = await processWith(k1);
    const [id = ''] = await seed(1, changing);
    const [sealed, release] = [new EventEmitter(), new EventEmitter()];
    const isSealed = once(sealed, 'now');
    const change = store.db.transaction().execute(async (trx) => {
      await new SecretStore(changing.ring).put(trx, { accountId, resourceId: id, field: 'new' }, 'committed');
      sealed.emit('now');
      await once(release, 'now');
    });
    await isSealed;
    await changing.close();
    const keys = await processWith(k2, k1);
    const unfinished = await rotate(keys);
    expect(unfinished).toMatchObject({ finished: false, unreadable: [] });
    // All visible rows are encrypted with the new key.
    expect(unfinished.states.find(({ keyId }) => keyId === 'k1')).toMatchObject({ rows: 0 });
    expect(describeKeys(unfinished.states, null, unfinished.settled).join()).toContain('k1 must stay');
    const inspected = await inspectKeys(store.db, keys);
    expect(describeKeys(inspected.states, null, inspected.settled).join()).toContain('k1 must stay');
    release.emit('now');
    await change;
    const finished = await rotate(keys);
    expect(finished).toMatchObject({ finished: true });
    await expect(inspectKeys(store.db, keys)).resolves.toEqual({ states: finished.states, settled: true });
    expect(describeKeys(finished.states, null, finished.settled).join()).toContain('k1 is not used any more');
    expect((await everySeal()).map(({ key_id }) => key_id)).toEqual(['k2', 'k2']);
  });

  test('names a damaged row and encrypts all others', async ({ expect, onTestFinished }) => {
    const { store, processWith, rotate, seed, everySeal } = await openEnvironment(onTestFinished);
    const old = await processWith(k1);
    const [damaged = '', ...others] = await seed(5, old);
    await old.close();
    await sql`update secrets set ciphertext = 'x' || ciphertext where resource_id = ${damaged}`.execute(store.db);
    const rotation = await rotate(await processWith(k2, k1));
    expect(rotation).toMatchObject({ finished: false, unreadable: [`secrets ${damaged} f`] });
    expect((await everySeal()).filter(({ key_id }) => key_id === 'k2')).toHaveLength(others.length);
  });

  test('does not begin while a running process lacks the key, and names the process', async ({
    expect,
    onTestFinished,
  }) => {
    const { processWith, rotate, seed, everySeal } = await openEnvironment(onTestFinished);
    const old = await processWith(k1);
    await seed(2, old);
    const keys = await processWith(k2, k1);
    await expect(rotate(keys)).rejects.toThrow('lack the key k2: process 1');
    expect((await everySeal()).map(({ key_id }) => key_id)).toEqual(['k1', 'k1']);
  });

  test('continues after kill -9', async ({ expect, onTestFinished }) => {
    const { store, processWith, seed, everySeal } = await openEnvironment(onTestFinished);
    const old = await processWith(k1);
    const ids = await seed(300, old);
    await old.close();
    // The step with this row waits until it is killed.
    await sql`create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(600); return new; end'`.execute(
      store.db,
    );
    await sql`create trigger wait before update on secrets for each row
      when (new.resource_id = ${sql.lit(ids.toSorted()[150])}) execute function wait()`.execute(store.db);
    const env = {
      ...process.env,
      DATABASE_URL: store.connectionString,
      SECRETS_KEYS: `${k2},${k1}`,
      REDIS_URL: '',
    };
    const args = ['src/rotate-secrets.js'];
    const cwd = inject('compiledProject');
    const child = spawn(process.execPath, args, { cwd, env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    const resealed = async () => (await everySeal()).filter(({ key_id }) => key_id === 'k2').length;
    const waiting = sql`from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    await expect.poll(async () => (await sql`select ${waiting}`.execute(store.db)).rows).toHaveLength(1);
    child.kill('SIGKILL');
    await expect(ended).resolves.toEqual([null, 'SIGKILL']);
    await sql`select pg_terminate_backend(pid, 60000) ${waiting}`.execute(store.db);
    await sql`drop function wait cascade`.execute(store.db);
    const soFar = await resealed();
    expect(soFar).toBe(100);

    const { stdout } = await run(process.execPath, args, { cwd, env });
    expect(stdout).toContain(`${ids.length - soFar} rows encrypted with k2.`);
    expect(stdout).toContain('k1 is not used any more: you can remove it from SECRETS_KEYS.');
    const secrets = new SecretStore((await processWith(k2)).ring);
    for (const id of ids) await expect(secrets.load(store.db, accountId, id)).resolves.toEqual(new Map([['f', id]]));
    const again = await run(process.execPath, args, { cwd, env });
    expect(again.stdout).not.toContain('encrypted with k2.');
  });

  describe('with several running processes', () => {
    test('each uses the first key that all hold, and switches to its first key once the last one holds it', async ({
      expect,
      onTestFinished,
    }) => {
      const { processWith } = await openEnvironment(onTestFinished);
      const old = await processWith(k1);
      const first = await processWith(k2, k1);
      expect(first.ring.sealingKeyId).toBe('k1');
      await old.close();
      await processWith(k2, k1);
      await first.register.notify();
      await first.refresh();
      expect(first.ring.sealingKeyId).toBe('k2');
    });

    test('a process that lacks the key that another uses does not start, even before data is encrypted with it', async ({
      expect,
      onTestFinished,
    }) => {
      const { processWith } = await openEnvironment(onTestFinished);
      await processWith(k2, k1);
      await expect(processWith(k1)).rejects.toThrow('encrypts with a key that SECRETS_KEYS lacks: process 1');
      await expect(processWith(k3)).rejects.toThrow('encrypts with a key that SECRETS_KEYS lacks: process 1');
    });

    test('a process that lacks the key of a stored response does not start', async ({ expect, onTestFinished }) => {
      const { store, processWith } = await openEnvironment(onTestFinished);
      const old = await processWith(k1);
      const claim = claimOf('ak_1');
      const answers = new IdempotencyStore(store.db, old.ring);
      await answers.claim(claim);
      await answers.storeResponse(claim, { status: 201, headers: {}, body: '{}' });
      await old.close();
      await expect(processWith(k2)).rejects.toThrow('encrypted with the key k1, which SECRETS_KEYS lacks');
    });

    test('register again after their sessions were terminated', async ({ expect, onTestFinished }) => {
      const { store, processWith } = await openEnvironment(onTestFinished);
      const one = await processWith(k2, k1);
      const two = await processWith(k2, k1);
      const names = async () => (await two.register.others().catch(() => [])).map(({ name }) => name);
      expect(await names()).toEqual(['process 1']);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'process %'`.execute(
        store.db,
      );
      await expect.poll(names).toEqual(['process 1']);
      const sealing = async () => (await two.register.others().catch(() => [])).map((other) => other.seals('k2'));
      await expect.poll(sealing).toEqual([true]);
      expect(one.ring.sealingKeyId).toBe('k2');
    });

    test('keep their key after their sessions were lost, until the others have had time to reconnect', async ({
      expect,
      onTestFinished,
    }) => {
      const { store, processWith } = await openEnvironment(onTestFinished);
      const late = await processWith(k1);
      const early = await processWith(k2, k1);
      expect(early.ring.sealingKeyId).toBe('k1');
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'process %'`.execute(
        store.db,
      );
      await late.close();
      const isBack = async () => early.register.others().catch(() => null);
      await expect.poll(isBack).toEqual([]);
      await early.refresh();
      expect(early.ring.sealingKeyId).toBe('k1');
      // The process that lacks k2 has ended, so no process lacks k2 once the others have had time to reconnect.
      await expect.poll(() => early.ring.sealingKeyId, { interval: 500 }).toBe('k2');
    });
  });
});
