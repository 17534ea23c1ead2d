import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ProcessSession } from '../../src/database/connections/process-session.js';
import type { Store } from '../../src/database/store.js';
import { DeadWorkerStore } from '../../src/delivery/recovery/dead-worker-store.js';
import { usualPresenceTimes, WorkerPresence } from '../../src/delivery/recovery/worker-presence.js';
import { createLogger } from '../../src/logging/logger.js';
import { until } from '../../tools/harness/until.js';
import { createTestStore } from '../support/database.js';
import { Relay } from '../support/relay.js';

/** A database, and presences of workers in it. */
async function openWorld() {
  const store = await createTestStore();
  const [presences, sessions]: [WorkerPresence[], ProcessSession[]] = [[], []];
  onTestFinished(async () => {
    await Promise.all(presences.map((presence) => presence.leave(true)));
    await Promise.all(sessions.map((session) => session.close()));
    await store.close();
  });
  const join = async (instance: string, connectionString = store.connectionString) => {
    const losses: string[] = [];
    const session = new ProcessSession({
      connectionString,
      name: `session of ${instance}`,
      logger: createLogger('fatal'),
    });
    const presence = new WorkerPresence({ session, instance, times: usualPresenceTimes });
    presence.start(() => losses.push(instance));
    sessions.push(session);
    presences.push(presence);
    await until(() => presence.idForLeases !== null, `${instance} has joined`);
    return { presence, losses };
  };
  /** Ends the sessions of these instances, and returns their number when each instance has opened another one. */
  const terminate = async (...instances: readonly string[]) => {
    const names = instances.map((instance) => `session of ${instance}`);
    const pids = `select pid from pg_stat_activity where application_name = any($1) and datname = current_database()`;
    const { rows } = await store.pool.query<{ pid: number }>(pids, [names]);
    await store.pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [
      rows.map(({ pid }) => pid),
    ]);
    await until(async () => {
      const { rows: now } = await store.pool.query<{ pid: number }>(pids, [names]);
      return now.length === rows.length && now.every(({ pid }) => rows.every((old) => old.pid !== pid));
    }, 'there are other sessions');
    return rows.length;
  };
  return { store, join, terminate };
}

async function instancesOf(store: Store): Promise<readonly string[]> {
  const rows = await store.db.selectFrom('worker_presences').select('instance').orderBy('instance').execute();
  return rows.map(({ instance }) => instance);
}

it('sees a presence whose session has ended, and no other', async () => {
  const { store, join } = await openWorld();
  const relay = await Relay.to(store.connectionString);
  const { presence } = await join('a');
  await join('b');
  const { presence: dying } = await join('c', relay.of(store.connectionString));
  expect(await presence.missing()).toEqual([]);
  await relay.close();
  await until(async () => (await presence.missing())?.length === 1, 'the presence is missing');
  expect(await presence.missing()).toEqual([{ id: dying.id, instance: 'c' }]);
  expect(await new DeadWorkerStore(store.db).endLeases(dying.id)).toEqual([]);
  expect(await instancesOf(store)).toEqual(['a', 'b']);
  expect(await presence.missing()).toEqual([]);
});

it('of a worker that lives cannot be ended, also right after its session was lost and opened again', async () => {
  const { store, join, terminate } = await openWorld();
  const { presence, losses } = await join('a');
  expect(await new DeadWorkerStore(store.db).endLeases(presence.id)).toBeNull();
  expect(await terminate('a')).toBe(1);
  await until(() => presence.idForLeases !== null, 'the session is open again');
  expect(await new DeadWorkerStore(store.db).endLeases(presence.id)).toBeNull();
  expect(await instancesOf(store)).toEqual(['a']);
  expect(losses).toEqual([]);
});

it('sees no deaths after all sessions were lost, as in a restart of Postgres', async () => {
  const { store, join, terminate } = await openWorld();
  const relay = await Relay.to(store.connectionString);
  const { presence: a } = await join('a');
  const { presence: b } = await join('b');
  const { presence: away } = await join('away', relay.of(store.connectionString));
  await relay.close();
  await terminate('a');
  await until(() => a.idForLeases !== null, 'the session is open again');
  // The third one is missing, and only the worker that kept its session says so.
  await until(async () => (await b.missing())?.some(({ id }) => id === away.id) === true, 'the presence is missing');
  expect(await a.missing()).toBeNull();
  await until(async () => (await a.missing()) !== null, 'the time for the others to reconnect is over');
  expect(await a.missing()).toEqual([{ id: away.id, instance: 'away' }]);
});

it('tells its worker when another one has ended its leases', async () => {
  const { store, join, terminate } = await openWorld();
  const { presence, losses } = await join('a');
  await store.db.deleteFrom('worker_presences').execute();
  await terminate('a');
  await until(() => losses.length > 0, 'the worker is told');
  expect(losses).toEqual(['a']);
  await until(() => presence.idForLeases !== null, 'the session is open again');
  expect(await instancesOf(store)).toEqual(['a']);
});

it('tells its worker when it cannot be opened again, unless no server takes connections', async () => {
  const { store, join } = await openWorld();
  const relays = [await Relay.to(store.connectionString), await Relay.to(store.connectionString)] as const;
  const cut = await join('cut', relays[0].of(store.connectionString));
  const down = await join('down', relays[1].of(store.connectionString));
  // A network that drops new connections, and a port that nobody listens on.
  relays[0].silence();
  relays[0].drop();
  await relays[1].close();
  await until(() => cut.losses.length > 0, 'the worker is told');
  expect(down.presence.idForLeases).toBeNull();
  await sleep(1_000);
  expect(down.losses).toEqual([]);
  await relays[0].close();
});

it('leaves its row where its worker still holds leases, and removes it otherwise', async () => {
  const { store, join } = await openWorld();
  const { presence } = await join('a');
  const done = await join('done');
  const busy = await join('busy');
  await done.presence.leave(true);
  await busy.presence.leave(false);
  expect(await instancesOf(store)).toEqual(['a', 'busy']);
  await until(async () => (await presence.missing())?.length === 1, 'the presence is missing');
  expect(await presence.missing()).toEqual([{ id: busy.presence.id, instance: 'busy' }]);
  expect([...done.losses, ...busy.losses]).toEqual([]);
});
