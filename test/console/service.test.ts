import { expect, it, onTestFinished, vi } from 'vitest';
import { RELEASE } from '../../src/config/version.js';
import { ProcessSession } from '../../src/database/connections/process-session.js';
import { usualPresenceTimes, WorkerPresence } from '../../src/delivery/recovery/worker-presence.js';
import { createLogger } from '../../src/logging/logger.js';
import { until } from '../../tools/harness/until.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

interface Shown {
  readonly instance: string;
  readonly alive: boolean;
  readonly started_at: string;
  readonly last_seen_at: string;
}

async function openApi(): Promise<TestApi> {
  const api = await startTestApi();
  onTestFinished(() => api.close());
  return api;
}

async function workersOf(api: TestApi): Promise<readonly Shown[]> {
  return (await api.admin.get('/service')).body.workers as readonly Shown[];
}

function presenceIn(api: TestApi, instance: string): WorkerPresence {
  const { connectionString } = api.store;
  const session = new ProcessSession({ connectionString, name: instance, logger: createLogger('silent') });
  const presence = new WorkerPresence({ session, instance, times: usualPresenceTimes });
  presence.start(() => {});
  onTestFinished(async () => {
    await presence.leave(true);
    await session.close();
  });
  return presence;
}

it('shows the release and the backend of the queues, and that no worker runs', async () => {
  const api = await openApi();
  const { status, body } = await api.admin.get('/service');
  expect(status).toBe(200);
  expect(body).toEqual({ version: RELEASE, queue_backend: 'postgres', workers: [], time: expect.any(String) });
});

it('shows the workers that are alive, to keys of every role, and no secret', async () => {
  const api = await openApi();
  await api.startWorker();
  await until(async () => (await workersOf(api)).length === 1, 'the worker is shown');
  const { token } = await api.admin.create('/api_keys', { role: 'publisher' });
  const { body, text } = await api.client(String(token)).get('/service');
  expect(body.workers).toMatchObject([{ alive: true, last_seen_at: body.time }]);
  expect(text).not.toContain('postgres://');
  expect((await api.client(null).get('/service')).status).toBe(401);
});

it('shows a worker that died, and when it was last seen', async () => {
  const api = await openApi();
  const seenAt = new Date(Date.now() - 3_600_000);
  await api.store.db
    .insertInto('worker_presences')
    .values([
      { id: 1, instance: 'died', started_at: new Date(seenAt.getTime() - 60_000), seen_at: seenAt },
      { id: 2, instance: 'died before it was seen', started_at: seenAt },
    ])
    .execute();
  const alive = presenceIn(api, 'lives');
  await until(() => alive.idForLeases !== null, 'the worker has joined');
  expect(await workersOf(api)).toMatchObject([
    { instance: 'died', alive: false, last_seen_at: seenAt.toISOString() },
    { instance: 'died before it was seen', alive: false, last_seen_at: seenAt.toISOString() },
    { instance: 'lives', alive: true },
  ]);
});

it('does not take a lock that another database has for a worker that lives', async () => {
  const [api, other] = [await openApi(), await openApi()];
  const presence = presenceIn(other, 'of the other database');
  await until(() => presence.idForLeases !== null, 'the worker has joined');
  await api.store.db.insertInto('worker_presences').values({ id: presence.id, instance: 'died' }).execute();
  expect(await workersOf(api)).toMatchObject([{ instance: 'died', alive: false }]);
  expect(await workersOf(other)).toMatchObject([{ alive: true }]);
});

it('a worker records every few seconds that it lives', async () => {
  const api = await openApi();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const presence = presenceIn(api, 'lives');
  await until(() => presence.idForLeases !== null, 'the worker has joined');
  const seenAt = async () =>
    (await api.store.db.selectFrom('worker_presences').select('seen_at').executeTakeFirstOrThrow()).seen_at;
  expect(await seenAt()).toBeNull();
  vi.advanceTimersByTime(15_000);
  await until(async () => (await seenAt()) !== null, 'the worker was seen');
  vi.useRealTimers();
});
