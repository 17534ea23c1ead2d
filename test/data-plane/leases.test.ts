import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAccount } from '../support/second-account.js';
import { startTestApi, type TestApi, type TestDataPlane } from '../support/test-api.js';
import { eventTypesAbout, testSession, type TestSession } from './data-plane-session.js';

let api: TestApi;
let plane: TestDataPlane;
beforeAll(async () => {
  api = await startTestApi();
  plane = await api.startDataPlane();
});
afterAll(() => api.close());

const lastsUntil = (response: { body: { expires_at?: unknown } }) => Date.parse(String(response.body.expires_at));

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await condition()) return;
    await sleep(100);
  }
  throw new Error('It did not come to pass within a minute.');
}

/** How many statements wait for a lock that another transaction holds. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(api.store.db);
  return rows[0]?.count ?? 0;
}

async function lapse(session: TestSession): Promise<void> {
  await api.store.db
    .updateTable('leases')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', session.id)
    .execute();
}

/** Moves the lease of a session as if time had passed. */
async function age(session: TestSession, ms: number): Promise<void> {
  await api.store.db
    .updateTable('leases')
    .set({ expires_at: sql<Date>`expires_at - ${ms}::float8 * interval '1 millisecond'` })
    .where('id', '=', session.id)
    .execute();
}

/** Ends no expired lease until `release` is called: no process gets a turn at that task. */
async function holdExpiry({ store }: TestApi): Promise<{ readonly release: () => Promise<unknown> }> {
  await sql`create function skip_turn() returns trigger language plpgsql as 'begin return null; end'`.execute(store.db);
  await sql`create trigger skip_turn before insert on maintenance_tasks for each row
    when (new.name = 'expired_sessions') execute function skip_turn()`.execute(store.db);
  return { release: () => sql`drop function skip_turn cascade`.execute(store.db) };
}

const endedEvents = async (ids: readonly string[]) =>
  (await eventTypesAbout(api, ids)).filter((type) => type.endsWith('_deleted.v0')).length;

describe('a lease', () => {
  it('ends the session when it expires, with its events, and hides the session at once', async () => {
    const session = testSession(api, plane);
    await session.report();
    const { tunnels, endpoints } = await session.read();
    const ids = [session.id, ...tunnels.map(({ id }) => String(id)), ...endpoints.map(({ id }) => String(id))];
    expect(ids).toHaveLength(4);
    // The lease is short only now: on a busy machine it would end before the reads above.
    const renewed = await session.renew(1);
    expect(renewed.status).toBe(200);
    await sleep(Math.max(0, lastsUntil(renewed) - Date.now()) + 50);
    const after = await session.read();
    expect([after.session.status, after.tunnels, after.endpoints]).toEqual([404, [], []]);
    expect((await session.renew(60)).status).toBe(404);
    await until(async () => (await endedEvents(ids)) === 4);
  });

  it('lasts as long as it is renewed', async () => {
    const session = testSession(api, plane);
    const reported = await session.report({ ttl_seconds: 60 });
    const renewed = await session.renew(600);
    expect(renewed.status).toBe(200);
    expect(lastsUntil(renewed) - lastsUntil(reported)).toBeGreaterThan(530_000);
    // As if the first lease had ended.
    await age(session, 61_000);
    expect((await session.read()).session.status).toBe(200);
    expect(await eventTypesAbout(api, [session.id])).toEqual(['tunnel_session_created.v0']);
    await age(session, 600_000);
    expect((await session.read()).session.status).toBe(404);
  });

  it('that has expired is not revived: the same report creates a new session with the same id', async () => {
    const quiet = await startTestApi();
    const silent = await quiet.startDataPlane();
    try {
      await holdExpiry(quiet);
      const session = testSession(quiet, silent);
      await session.report();
      const before = await session.read();
      await quiet.store.db
        .updateTable('leases')
        .set({ expires_at: new Date(Date.now() - 1_000) })
        .execute();
      expect((await session.read()).tunnels).toEqual([]);
      expect((await quiet.admin.post('/endpoints', { url: session.url })).status).toBe(201);
      const endpoints = await quiet.admin.get('/endpoints');
      expect(endpoints.body.endpoints).toMatchObject([{ type: 'cloud' }]);
      expect((await session.report()).status).toBe(409);
      const [cloud] = endpoints.body.endpoints as { uri: string }[];
      await quiet.admin.delete(cloud?.uri ?? '');
      expect((await session.report()).status).toBe(200);
      const after = await session.read();
      expect(after.tunnels).toHaveLength(2);
      expect(after.tunnels.map(({ id }) => id)).not.toEqual(before.tunnels.map(({ id }) => id));
      expect(await eventTypesAbout(quiet, [session.id])).toEqual([
        'tunnel_session_created.v0',
        'tunnel_session_deleted.v0',
        'tunnel_session_created.v0',
      ]);
    } finally {
      await quiet.close();
    }
  });

  it('outlives the process that created it, and expires without it', async () => {
    // Every api process ends expired leases, also one without a data plane.
    const { release } = await holdExpiry(api);
    const [kept, left] = [testSession(api, plane), testSession(api, plane)];
    await kept.report();
    await left.report();
    const before = await kept.read();
    const leftIds = [left.id, ...(await left.read()).tunnels.map(({ id }) => String(id))];
    await plane.stop();
    await lapse(left);
    expect(await kept.read()).toMatchObject({ tunnels: before.tunnels, endpoints: before.endpoints });
    expect((await left.read()).session.status).toBe(404);
    expect(await endedEvents(leftIds)).toBe(0);
    await release();
    plane = await api.startDataPlane();
    await until(async () => (await endedEvents(leftIds)) === leftIds.length);
    const again = testSession(api, plane);
    expect((await again.report()).status).toBe(200);
    expect((await plane.client.send('PUT', `/sessions/${kept.id}/lease`, { ttl_seconds: 60 })).status).toBe(200);
    expect(await kept.read()).toMatchObject({ tunnels: before.tunnels, endpoints: before.endpoints });
  });

  it('is ended by one of several processes, with each event once', async () => {
    const others = [await api.startDataPlane(), await api.startDataPlane()];
    const sessions = Array.from({ length: 12 }, () => testSession(api, plane));
    await Promise.all(sessions.map((session) => session.report()));
    const ids = sessions.map(({ id }) => id);
    await Promise.all(sessions.map(lapse));
    await until(async () => (await endedEvents(ids)) === ids.length);
    await sleep(300);
    expect(await endedEvents(ids)).toBe(ids.length);
    const leases = await api.store.db.selectFrom('leases').select('id').where('id', 'in', ids).execute();
    expect(leases).toEqual([]);
    await Promise.all(others.map((other) => other.stop()));
  });
});

it('a busy account does not delay reports, renewals and ends of sessions of another', async () => {
  const busy = Array.from({ length: 3 }, () => testSession(api, plane));
  for (const session of busy) expect((await session.report()).status).toBe(200);
  await addAccount(api.store.db);
  const { id: account_id } = await api.store.db
    .selectFrom('accounts')
    .select('id')
    .where('id', '!=', api.accountId)
    .executeTakeFirstOrThrow();
  const quiet = testSession(api, plane);
  expect((await quiet.report({ account_id })).status).toBe(200);
  const { busyDone } = await api.store.db.transaction().execute(async (trx) => {
    // Reports and renewals of the busy account wait until this transaction ends.
    const ids = busy.map(({ id }) => id);
    await trx.selectFrom('leases').select('id').where('id', 'in', ids).forUpdate().execute();
    const sent = busy.flatMap((session) =>
      Array.from({ length: 4 }, (_, index) => [session.report({ metadata: `${index}` }), session.renew(60)]).flat(),
    );
    await until(async () => (await waitingForLocks()) >= 4);
    const renewed = await quiet.renew(60);
    const reported = await quiet.report({ account_id, metadata: 'new' });
    const ended = await quiet.end();
    expect([renewed.status, reported.status, ended.status]).toEqual([200, 200, 204]);
    return { busyDone: Promise.all(sent) };
  });
  expect(new Set((await busyDone).map(({ status }) => status))).toEqual(new Set([200]));
});
