import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EventSearchStore } from '../../src/events/log/event-search-store.js';
import type { EventSearch } from '../../src/events/log/event-search.js';
import { DirectExport } from '../../src/exports/api/direct-export.js';
import { fileOf, type ExportManifest } from '../../src/exports/export.js';
import { StorageError, type ExportStorage } from '../../src/exports/storage/export-storage.js';
import { ExportStorages } from '../../src/exports/storage/export-storages.js';
import { LocalFolder } from '../../src/exports/storage/local-folder.js';
import { ExportCleanup } from '../../src/exports/work/export-cleanup.js';
import { ExportWorkStore } from '../../src/exports/work/export-work-store.js';
import { IdempotencyStore } from '../../src/http/idempotency/idempotency-store.js';
import type { RequestContext } from '../../src/http/request/request-context.js';
import { idBound } from '../../src/ids/id-time.js';
import { createLogger } from '../../src/logging/logger.js';
import { until } from '../../tools/harness/until.js';
import type { Created } from '../support/api-client.js';
import { exportCleanup, exportRunner, turn, writeExport } from '../support/exports.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  for (let index = 0; index < 5; index += 1) await api.admin.create('/ip_policies', { description: `${index}` });
});
afterAll(() => api.close());

const create = (body: object = {}): Promise<Created> => api.admin.create('/exports', { format: 'ndjson', ...body });
const filesInFolder = async (id: string) => (await readdir(api.exportFolder)).filter((name) => name.startsWith(id));

async function query(text: string, ...values: readonly unknown[]): Promise<void> {
  await api.store.pool.query(text, [...values]);
}

/** Ends the lease of an export, as 30 seconds without a renewal do. */
const endLease = (id: string) => query(`update exports set leased_until = now() where id = $1`, id);

const claim = { leaseMs: 30_000, smallOnly: false, storage: 'folder' };

/** Waits until the next attempt at an export has begun, as a worker that is then killed. */
async function claimed(store = new ExportWorkStore(api.store.db)) {
  for (;;) {
    const one = await store.claim(claim);
    if (one) return one;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}

const LOST = 's3://lost/';

/** Storages of which an earlier one cannot be reached. */
function storagesAfterLoss(): { storages: ExportStorages; removals: () => number } {
  let removals = 0;
  const lost = {
    name: LOST,
    remove: async () => {
      removals += 1;
      throw new StorageError('storage_unavailable', 'The bucket is silent.');
    },
  } as unknown as ExportStorage;
  return { storages: new ExportStorages(new LocalFolder(api.exportFolder), () => lost), removals: () => removals };
}

describe('a request for an export', () => {
  it.each([
    ['/exports', { format: 'ndjson' }],
    ['/erasures', { object_id: 'ipp_none', reason: 'a test' }],
  ])('stores its response with what it creates: POST %s', async (path, body) => {
    const crash = vi.spyOn(IdempotencyStore.prototype, 'storeResponse').mockRejectedValue(new Error('killed'));
    const send = () => api.admin.post(path, body, { 'idempotency-key': `once ${path}` });
    const first = await send();
    crash.mockRestore();
    const again = await send();
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    if (path === '/exports') await api.admin.post(`${path}/${String(first.body.id)}/cancel`, {});
  });

  it.each([
    ['no event matches', { filter: { object_id: 'ipp_none' } }, '/filter', 'no event matches the filter'],
    [
      'a type is unknown',
      { filter: { type: ['no_type.v0'] } },
      '/filter/type',
      '"no_type.v0" is not an event type; see /event_types',
    ],
    ['the types are none', { filter: { type: [] } }, '/filter/type', 'must not be empty'],
    [
      'a range is reversed',
      { filter: { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } },
      '/filter/to',
      'must be later than from',
    ],
    ['a filter is unknown', { filter: { colour: 'red' } }, '/filter/colour', 'is unknown'],
    ['a filter is no text', { filter: { object_id: 5 } }, '/filter/object_id', 'must be text'],
    [
      'the destination is unknown',
      { destination_id: 'ed_none' },
      '/destination_id',
      'there is no event destination with this id',
    ],
    ['the format is unknown', { format: 'xlsx' }, '/format', expect.any(String) as string],
  ])('is refused when %s, and nothing is created', async (_, body, pointer, detail) => {
    const before = (await api.admin.get('/exports')).text;
    const { status, body: problem } = await api.admin.post('/exports', { format: 'ndjson', ...body });
    expect([status, problem.error_code, problem.errors]).toEqual([400, 'invalid_input', [{ pointer, detail }]]);
    expect((await api.admin.get('/exports')).text).toBe(before);
  });

  it('is refused for the destination of another account', async () => {
    const stranger = await api.addAccount();
    const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'secret' };
    const theirs = await stranger.create('/event_destinations', {
      target: { data_stream: { auth: { creds }, stream_arn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/s1' } },
    });
    const { body } = await api.admin.post('/exports', { format: 'ndjson', destination_id: theirs.id });
    expect(body.errors).toMatchObject([{ pointer: '/destination_id' }]);
  });

  it('is refused while the account has enough under way, also when many come at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => api.admin.post('/exports', { format: 'ndjson' })),
    );
    const made = responses.filter(({ status }) => status === 201);
    expect(made).toHaveLength(3);
    const refused = responses.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ body }) => body.error_code))).toEqual(new Set(['exports_under_way']));
    for (const { body } of made) {
      const id = String(body.id);
      expect((await api.admin.post(`/exports/${id}/cancel`, undefined)).body.state).toBe('cancelled');
    }
    expect((await api.admin.delete((await create()).path)).status).toBe(204);
  });
});

describe('what an export holds', () => {
  it('is everything that was committed or had drawn its id before, and nothing later', async () => {
    const { rows } = await api.store.pool.query<{ payload: string }>(`select payload from events limit 1`);
    const client = await api.store.pool.connect();
    const record = async (): Promise<string> => {
      const id = `${idBound('evt', new Date())}${'0'.repeat(16)}`;
      await client.query(
        `insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, operation_id,
                             commitment)
         values ($1, $2, 'late.v0', 'late', $3, now(), 'usr_late', 'op_late', '')`,
        [id, api.accountId, rows[0]?.payload.replace(/"event_id":"[^"]*"/, `"event_id":"${id}"`)],
      );
      return id;
    };
    try {
      // A change that has drawn its id and is not committed.
      await client.query('begin');
      const lateId = await record();
      const { id, path } = await create();
      // The same transaction draws another id, later than the bound of the export.
      const { rows: bounds } = await api.store.pool.query<{ bound: string }>(
        'select before_id as bound from exports where id = $1',
        [id],
      );
      const bound = bounds[0]?.bound ?? '';
      await until(() => idBound('evt', new Date()) > bound, 'the time of the bound is over');
      const tooLateId = await record();
      const later = await api.admin.create('/ip_policies', { description: 'later' });
      await exportRunner(api).run(turn);
      expect((await api.admin.get(path)).body.state).toBe('pending');
      await client.query('commit');
      expect(await writeExport(api, path)).toMatchObject({ state: 'completed' });
      const { text } = await api.admin.get(`${path}/download`);
      expect(text).toContain(lateId);
      expect(text).not.toContain(tooLateId);
      expect(text).not.toContain(later.id);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

describe('an attempt', () => {
  it('that is killed is followed by one that begins anew, and can finish nothing any more', async () => {
    const { id, path } = await create();
    const store = new ExportWorkStore(api.store.db);
    const killed = await claimed(store);
    expect([killed.id, killed.attempt]).toEqual([id, 1]);
    await mkdir(api.exportFolder, { recursive: true });
    await writeFile(join(api.exportFolder, `${fileOf(killed)}.part`), 'half a file');
    // Leased: no other process begins.
    expect(await store.claim(claim)).toBeUndefined();
    await endLease(id);
    const one = await writeExport(api, path);
    expect(one).toMatchObject({ state: 'completed' });
    expect(await filesInFolder(id)).toEqual([`${id}.2.ndjson`]);
    const manifest = one.manifest as ExportManifest;
    expect(await store.complete(killed, { ...manifest, count: 0 }, 1_000)).toBe(false);
    expect(await store.fail(killed, { code: 'interrupted', message: '' })).toBe(false);
    expect(await store.renew(killed, { events: 0, bytes: 0, reached_at: null }, 1_000)).toBe(false);
    expect((await api.admin.get(path)).body).toEqual(one);
  });

  it('that a shutdown ends is taken up by another process at once', async () => {
    const { id, path } = await create();
    const stop = new AbortController();
    const events = {
      page: async (...given: Parameters<EventSearchStore['page']>) => {
        stop.abort(new Error('stopping'));
        return new EventSearchStore(api.store.db).page(...given);
      },
    };
    while (!stop.signal.aborted)
      await exportRunner(api, { events }).run({ stopped: stop.signal, progressed: () => undefined });
    expect((await api.admin.get(path)).body.state).toBe('running');
    expect(await filesInFolder(id)).toEqual([]);
    expect(await writeExport(api, path)).toMatchObject({ state: 'completed' });
  });

  it('in one process does not hold up the exports of others: each worker writes some', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reading: string[] = [];
    const events = {
      page: async (...given: Parameters<EventSearchStore['page']>) => {
        reading.push(given[0]);
        await released;
        return new EventSearchStore(api.store.db).page(...given);
      },
    };
    const [first, second] = [await create(), await create()];
    const busyWorker = exportRunner(api, { events });
    const busy = (async () => {
      while (reading.length === 0) await busyWorker.run(turn);
    })();
    await until(() => reading.length > 0, 'an export is read');
    expect(await writeExport(api, second.path)).toMatchObject({ state: 'completed' });
    expect((await api.admin.get(first.path)).body.state).toBe('running');
    release();
    await busy;
    expect(await writeExport(api, first.path)).toMatchObject({
      state: 'completed',
      progress: { events: expect.any(Number) as number },
    });
  });

  it('is made although an earlier storage cannot be reached', async () => {
    const { id, path } = await create();
    await query(`update exports set attempt = 1, state = 'running', storages = $2 where id = $1`, id, [LOST]);
    const { storages, removals } = storagesAfterLoss();
    const one = await writeExport(api, path, exportRunner(api, {}, { storages }));
    expect([one.state, one.error, removals()]).toEqual(['completed', null, 1]);
    await query(`delete from exports where id = $1`, id);
  });

  it('that ends its process each time is not repeated without a limit', async () => {
    const { id, path } = await create();
    await query(`update exports set attempt = 20, state = 'running' where id = $1`, id);
    expect(await writeExport(api, path)).toMatchObject({ state: 'failed', error: { code: 'interrupted' } });
  });
});

describe('the end of an export', () => {
  it('is for the principal that requested it, and for admins', async () => {
    const bot = await api.admin.create('/bot_users', { name: 'audit' });
    const keyed = async (role: string, owner?: Created) => {
      const key = await api.admin.create('/api_keys', { role, ...(owner && { owner_id: owner.id }) });
      return api.client(String(key.token));
    };
    const [auditor, operator, another] = [
      await keyed('auditor', bot),
      await keyed('operator', bot),
      await keyed('auditor'),
    ];
    const ofAdmin = await create();
    const ofBot = await auditor.create('/exports', { format: 'ndjson' });
    for (const [client, path] of [
      [auditor, ofAdmin.path],
      [operator, ofAdmin.path],
      [another, ofBot.path],
    ] as const) {
      const before = (await api.admin.get(path)).body.state;
      for (const refused of [await client.post(`${path}/cancel`, undefined), await client.delete(path)])
        expect(refused.body, refused.text).toMatchObject({
          status: 403,
          error_code: 'role_not_allowed',
          allowed_roles: ['admin'],
        });
      expect((await client.get(path)).body.state).toBe(before);
    }
    expect((await operator.post(`${ofBot.path}/cancel`, undefined)).body.state).toBe('cancelled');
    expect((await auditor.delete(ofBot.path)).status).toBe(204);
    expect((await another.delete(ofAdmin.path)).status).toBe(204);
    const last = await auditor.create('/exports', { format: 'ndjson' });
    expect((await api.admin.delete(last.path)).status).toBe(204);
  });
});

describe('a cancellation', () => {
  it('ends an attempt under way, whose files are removed', async () => {
    const { id, path } = await create();
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const store = new EventSearchStore(api.store.db);
    // The first page again and again: only the cancellation ends the attempt.
    const events = {
      page: async (...[accountId, filter, range, limit]: Parameters<EventSearchStore['page']>) => {
        begin();
        const { events: found } = await store.page(accountId, filter, { ...range, after_id: undefined }, limit);
        return { events: found, resumeAt: range.before_id ?? null };
      },
    };
    const runner = exportRunner(api, { events });
    const running = (async () => {
      while ((await api.admin.get(path)).body.state !== 'cancelled') await runner.run(turn);
    })();
    await begun;
    expect((await api.admin.get(path)).body.state).toBe('running');
    const cancelled = await api.admin.post(`${path}/cancel`, undefined);
    expect([cancelled.status, cancelled.body.state]).toEqual([200, 'cancelled']);
    await running;
    expect(await filesInFolder(id)).toEqual([]);
    expect((await api.admin.post(`${path}/cancel`, undefined)).status).toBe(200);
    expect((await api.admin.get(`${path}/download`)).body.error_code).toBe('export_not_complete');
  });

  it('of a complete export is refused', async () => {
    const { path } = await create();
    await writeExport(api, path);
    const { status, body } = await api.admin.post(`${path}/cancel`, undefined);
    expect([status, body.error_code]).toEqual([409, 'conflict']);
  });
});

describe('files', () => {
  it('of an export that has expired are removed, and the API says so', async () => {
    const { id, path } = await create();
    await writeExport(api, path);
    await exportCleanup(api).run(turn);
    expect(await filesInFolder(id)).toHaveLength(1);
    await query(`update exports set expires_at = now(), leased_until = now() where id = $1`, id);
    await exportCleanup(api).run(turn);
    expect(await filesInFolder(id)).toEqual([]);
    expect((await api.admin.get(path)).body).toMatchObject({ state: 'expired', download_uri: null });
    const { status, body } = await api.admin.get(`${path}/download`);
    expect([status, body.error_code]).toEqual([410, 'export_expired']);
  });

  it('that have expired are not sent, also while no worker removes them', async () => {
    const { id, path } = await create();
    await writeExport(api, path);
    await query(`update exports set expires_at = now() where id = $1`, id);
    expect((await api.admin.get(path)).body).toMatchObject({ state: 'expired', download_uri: null });
    const { status, body } = await api.admin.get(`${path}/download`);
    expect([status, body.error_code]).toEqual([410, 'export_expired']);
    expect(await filesInFolder(id)).toHaveLength(1);
  });

  it('that were kept for long leave an export that is shown for another 30 days', async () => {
    const { id, path } = await create();
    await writeExport(api, path);
    await query(
      `update exports set finished_at = now() - interval '60 days', expires_at = now(), leased_until = now()
       where id = $1`,
      id,
    );
    for (let n = 0; n < 2; n += 1) await exportCleanup(api).run(turn);
    expect((await api.admin.get(path)).body.state).toBe('expired');
    expect((await api.admin.get(`${path}/download`)).status).toBe(410);
    await query(`update exports set files_removed_at = now() - interval '31 days' where id = $1`, id);
    await exportCleanup(api).run(turn);
    expect((await api.admin.get(path)).status).toBe(404);
  });

  it('of a deleted export are removed, also those of killed attempts, and it is gone', async () => {
    const { id, path } = await create();
    const one = await claimed();
    await writeFile(join(api.exportFolder, `${fileOf(one)}.part`), 'half a file');
    expect((await api.admin.delete(path)).status).toBe(204);
    expect((await api.admin.get(path)).status).toBe(404);
    expect((await api.admin.delete(path)).status).toBe(404);
    await exportCleanup(api).run(turn);
    // The process of the attempt may still write.
    expect(await filesInFolder(id)).toHaveLength(1);
    await endLease(id);
    await exportCleanup(api).run(turn);
    expect(await filesInFolder(id)).toEqual([]);
    await query(`update exports set deleted_at = now() - interval '2 days' where id = $1`, id);
    await exportCleanup(api).run(turn);
    const { rows } = await api.store.pool.query(`select from exports where id = $1`, [id]);
    expect(rows).toEqual([]);
  });

  it('that this process does not find are a 503', async () => {
    const { path } = await create();
    const elsewhere = new LocalFolder(join(api.exportFolder, 'elsewhere'));
    await writeExport(api, path, exportRunner(api, { storage: elsewhere }));
    const { status, body } = await api.admin.get(`${path}/download`);
    expect([status, body.error_code]).toEqual([503, 'export_file_unavailable']);
  });
});

describe('files in a storage that cannot be reached', () => {
  /** Runs a turn of the cleanup. Returns how many removals it has tried in the lost storage. */
  async function cleanUp(): Promise<number> {
    const { storages, removals } = storagesAfterLoss();
    await new ExportCleanup({ store: new ExportWorkStore(api.store.db), storages, logger: createLogger('silent') }).run(
      turn,
    );
    return removals();
  }

  it('do not keep those of other storages, however many they are, and are asked for once in a turn', async () => {
    const [one, ofBoth] = [await create(), await create()];
    for (const { id, path } of [one, ofBoth]) {
      await writeExport(api, path);
      await api.admin.delete(path);
      await endLease(id);
    }
    await query(`update exports set storages = $2 where id = $1`, ofBoth.id, [LOST, 'folder']);
    // Their ids and their ends are earlier.
    await query(
      `insert into exports (id, account_id, format, filter, principal_id, operation_id, before_id, horizon, state,
                            attempt, storages, finished_at)
       select 'exp_00' || n, account_id, format, filter, principal_id, operation_id, before_id, horizon, 'failed',
              1, $2::text[], '2020-01-01' from exports, generate_series(1, 150) n where id = $1`,
      one.id,
      [LOST],
    );
    expect(await cleanUp()).toBe(1);
    for (const { id } of [one, ofBoth]) expect(await filesInFolder(id)).toEqual([]);
    // Nothing is due before ten minutes have passed.
    expect(await cleanUp()).toBe(0);
    await query(
      `update exports set files_removed_at = '2020-01-01', leased_until = null where id = $1 or $2 = any(storages)`,
      one.id,
      LOST,
    );
    expect(await cleanUp()).toBe(1);
    const left = await api.store.pool.query(`select id from exports where id = $1 or $2 = any(storages)`, [
      one.id,
      LOST,
    ]);
    expect(left.rows).toHaveLength(151);
    expect(left.rows).not.toContainEqual({ id: one.id });
    await query(`delete from exports where $1 = any(storages)`, LOST);
  });
});

describe('a storage', () => {
  it('that is full fails the export', async () => {
    const { id, path } = await create();
    await mkdir(api.exportFolder, { recursive: true });
    for (const attempt of [1, 2]) await symlink('/dev/full', join(api.exportFolder, `${id}.${attempt}.ndjson.part`));
    expect(await writeExport(api, path)).toMatchObject({
      state: 'failed',
      error: { code: 'storage_full', message: 'The disk of the exports is full.' },
    });
    expect(await filesInFolder(id)).not.toContain(`${id}.1.ndjson.part`);
  });

  it('that cannot be used fails the export, without a path in the message', async () => {
    const { path } = await create();
    const file = join(api.exportFolder, 'a-file');
    await writeFile(file, '');
    const one = await writeExport(api, path, exportRunner(api, { storage: new LocalFolder(join(file, 'folder')) }));
    expect(one).toMatchObject({ state: 'failed', error: { code: 'storage_unavailable' } });
    expect(JSON.stringify(one.error)).not.toContain(api.exportFolder);
  });
});

describe('the list of exports', () => {
  it('is paged, newest first, and of one account', async () => {
    const first = await api.admin.get('/exports?limit=2');
    const shown = first.body.exports as { id: string }[];
    expect(shown).toHaveLength(2);
    const next = (await api.admin.get(String(first.body.next_page_uri))).body.exports as { id: string }[];
    const ids = [...shown, ...next].map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const stranger = await api.addAccount();
    expect((await stranger.get('/exports')).body.exports).toEqual([]);
  });
});

describe('a direct export', () => {
  const silent = createLogger('silent');
  const search = { refuseUnknownTypes: async () => undefined } as unknown as EventSearch;
  const marks = { completeSince: async () => null };
  const contextOf = () => ({ accountId: api.accountId, principal: { id: 'usr_1' } }) as RequestContext;

  it('has what the search finds, oldest first', async () => {
    const { body } = await api.admin.get('/events?type=ip_policy_created.v0&order=oldest_first');
    const found = (body.events as { payload: object }[]).map(({ payload }) => JSON.stringify(payload));
    const { status, text, headers } = await api.admin.get('/events/export?type=ip_policy_created.v0');
    expect([status, text.trim().split('\n')]).toEqual([200, found]);
    expect(headers.get('event-count')).toBe(String(found.length));
    expect(headers.get('content-disposition')).toBe('attachment; filename="events.ndjson"');
    const table = await api.admin.get('/events/export?type=ip_policy_created.v0&format=csv');
    expect(table.text.trimEnd().split('\r\n')).toHaveLength(found.length + 1);
  });

  it('of nothing is an empty file', async () => {
    const { status, text, headers } = await api.admin.get('/events/export?object_id=ipp_none');
    expect([status, text, headers.get('event-count')]).toEqual([200, '', '0']);
  });

  it('of too many events says so, and sends none', async () => {
    const { db } = api.store;
    const events = new EventSearchStore(db);
    const open = (most: number) =>
      new DirectExport({ search, events, marks, logger: silent }, most).open(contextOf(), {
        format: 'ndjson',
        type: ['ip_policy_created.v0'],
      });
    const { headers } = await open(1_000);
    const count = Number(headers['event-count']);
    expect(count).toBeGreaterThan(4);
    await expect(open(count)).resolves.toMatchObject({ headers: { 'event-count': String(count) } });
    await expect(open(count - 1)).rejects.toMatchObject({ code: 'too_many_events' });
  });

  it('ends with an error where the retention has removed an event since the count was sent', async () => {
    const store = new EventSearchStore(api.store.db);
    const events = {
      ids: store.ids.bind(store),
      withIds: async (accountId: string, ids: readonly string[]) => store.withIds(accountId, ids.slice(1)),
    } as unknown as EventSearchStore;
    const direct = new DirectExport({ search, events, marks, logger: silent });
    const { content } = await direct.open(contextOf(), { format: 'ndjson', type: ['ip_policy_created.v0'] });
    await expect(textOf(Readable.from(content))).rejects.toThrow('An event was removed or erased');
  });

  it.each(['?colour=red', '?type=no_type.v0', '?format=xlsx', '?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z'])(
    'refuses %s',
    async (parameters) => {
      const { status, body } = await api.admin.get(`/events/export${parameters}`);
      expect([status, body.error_code]).toEqual([400, 'invalid_input']);
    },
  );
});

it('the row of an export has who requested it', async () => {
  const { id } = await create();
  const row = await api.store.db.selectFrom('exports').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { keys } = (await api.admin.get('/api_keys')).body as { keys: { id: string; owner_id: string }[] };
  expect(keys.map((key) => [key.owner_id, key.id])).toContainEqual([row.principal_id, row.credential_id]);
  expect(row.operation_id).toMatch(/^op_/);
});
