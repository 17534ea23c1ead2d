import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ProcessSession, type LockHolder } from '../../src/database/connections/process-session.js';
import { createLogger } from '../../src/logging/logger.js';
import { until } from '../../tools/harness/until.js';
import { createTestStore } from '../support/database.js';

const CLASS = 4_711;

/** A database with a session, and its holders of one lock each. */
async function openWorld() {
  const store = await createTestStore();
  const { connectionString } = store;
  const session = new ProcessSession({ connectionString, name: 'session of a test', logger: createLogger('fatal') });
  onTestFinished(async () => {
    await session.close();
    await store.close();
  });
  /** Lets a holder of the lock `id` join. Its first `failures` tries on later sessions fail. */
  const join = async (id: number, failures = 0) => {
    const holder = { id, losses: 0, tries: 0 };
    const locks: LockHolder = {
      takeLocks: async () => {
        holder.tries += 1;
        if (holder.tries > 1 && holder.tries <= 1 + failures) throw new Error('not granted');
        await session.query('select pg_advisory_lock_shared($1, $2)', [CLASS, id]);
      },
      lost: () => void (holder.losses += 1),
    };
    await session.join(locks);
    return { holder, leave: () => session.leave(locks) };
  };
  /** Returns the locks, with the process of the session. */
  const held = async () => {
    const { rows } = await store.pool.query<{ id: number; pid: number }>(
      `select objid::int as id, pid from pg_locks where classid::int = $1 and locktype = 'advisory'
         and database = (select oid from pg_database where datname = current_database()) order by id`,
      [CLASS],
    );
    return rows;
  };
  const terminate = async () => {
    const [lock] = await held();
    await store.pool.query('select pg_terminate_backend($1)', [lock?.pid]);
    // The first session counts as settled for ever.
    await until(() => !session.isSettled(3_600_000), 'the loss is noticed');
  };
  return { session, join, held, terminate };
}

it('holds the locks of all its holders, and takes them again after a loss', async () => {
  const { session, join, held, terminate } = await openWorld();
  const one = await join(1);
  const left = await join(2);
  const failing = await join(3, 2);
  const [before] = await held();
  expect((await held()).map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(session.isSettled(3_600_000)).toBe(true);
  left.leave();
  await terminate();
  await until(() => session.isSettled(0), 'another session is open');
  const after = await held();
  // One session has the locks of all that are left: those of the tries that failed have ended.
  expect(after.map(({ id }) => id)).toEqual([1, 3]);
  expect(new Set(after.map(({ pid }) => pid)).size).toBe(1);
  expect(after[0]?.pid).not.toBe(before?.pid);
  expect(session.isSettled(3_600_000)).toBe(false);
  expect([one.holder.losses > 0, one.holder.tries, failing.holder.tries, left.holder.losses]).toEqual([true, 4, 4, 0]);
});

it('sends one query at a time, whichever holder asks', async () => {
  const { session, join } = await openWorld();
  await join(1);
  const warnings: string[] = [];
  const warned = ({ message }: Error) => void warnings.push(message);
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  const asked = Array.from({ length: 5 }, (_, index) => session.query<{ n: number }>('select $1::int as n', [index]));
  await expect(session.query('select from missing')).rejects.toThrow(/missing/);
  expect((await Promise.all(asked)).map(([row]) => row?.n)).toEqual([0, 1, 2, 3, 4]);
  await setImmediate();
  expect(warnings).toEqual([]);
});

it('releases every lock when it is closed', async () => {
  const { session, join, held } = await openWorld();
  await join(1);
  await session.close();
  await until(async () => (await held()).length === 0, 'the locks are released');
  await expect(session.query('select')).rejects.toThrow('The session of the process is lost.');
});
