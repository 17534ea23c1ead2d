import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventSearchStore } from '../../src/events/log/event-search-store.js';
import type { ExportManifest } from '../../src/exports/export.js';
import { deliverNextPart } from '../delivery/support/fan-outs.js';
import type { Created, JsonObject } from '../support/api-client.js';
import { exportRunner, writeExport } from '../support/exports.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

/** No worker runs: deliveries wait, and only the test writes exports. */
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'secret' };
const stream = { auth: { creds }, stream_arn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/s1' };

/** Creates a destination of created IP policies. */
async function destinationOfPolicies(): Promise<{ id: string; remove: () => Promise<void> }> {
  const { id, path } = await api.admin.create('/event_destinations', { target: { data_stream: stream } });
  const sources = [{ type: 'ip_policy_created.v0' }];
  const subscription = await api.admin.create('/event_subscriptions', { destination_ids: [id], sources });
  const remove = async (): Promise<void> => {
    for (const each of [subscription.path, path]) expect((await api.admin.delete(each)).status).toBe(204);
  };
  return { id, remove };
}

/** Creates an IP policy. Returns its id, with the id and the time of its event. */
async function changed(): Promise<{ policy: string; event: string; at: Date }> {
  const policy = await api.admin.create('/ip_policies', {});
  const { body } = await api.admin.get(`/events?object_id=${policy.id}`);
  const [event] = body.events as { id: string; created_at: string }[];
  return { policy: policy.id, event: event?.id ?? '', at: new Date(event?.created_at ?? '') };
}

/** Removes the rows of an event from a table, as the retention does: with a mark. Returns the time of the mark. */
async function prune(kind: 'events' | 'deliveries', { event, at }: { event: string; at: Date }): Promise<string> {
  const { pool } = api.store;
  await pool.query('delete from deliveries where event_id = $1', [event]);
  if (kind === 'events') await pool.query('delete from events where id = $1', [event]);
  const since = new Date(at.getTime() + 1);
  await pool.query(
    `insert into retention_marks (kind, complete_since) values ($1, $2)
     on conflict (kind) do update set complete_since = excluded.complete_since`,
    [kind, since],
  );
  return since.toISOString();
}

const create = (body: object): Promise<Created> => api.admin.create('/exports', { format: 'ndjson', ...body });

async function linesOf(path: string): Promise<readonly JsonObject[]> {
  const { text } = await api.admin.get(`${path}/download`);
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
}

describe('an export of a destination whose deliveries the retention has removed', () => {
  it('says since when it is complete, and names the retention where nothing is left', async () => {
    const { id } = await destinationOfPolicies();
    const [gone, kept] = [await changed(), await changed()];
    const since = await prune('deliveries', gone);
    const { path } = await create({ destination_id: id });
    const one = await writeExport(api, path);
    expect((one.manifest as ExportManifest).complete_since).toBe(since);
    expect((await linesOf(path)).map((line) => line.event_id)).toEqual([kept.event]);

    const ofGone = await writeExport(
      api,
      (await create({ destination_id: id, filter: { object_id: gone.policy } })).path,
    );
    expect(ofGone).toMatchObject({ state: 'failed', error: { code: 'nothing_to_export' } });
    const { message } = ofGone.error as { message: string };
    expect(message).toContain(since);
    expect(message).toContain('GET /retention');
    // Without a destination, deliveries do not matter.
    const whole = await writeExport(api, (await create({})).path);
    expect((whole.manifest as ExportManifest).complete_since).toBeNull();
    await api.store.pool.query('delete from retention_marks');
  });
});

it('an export says that the retention has removed events after its creation, before they were read', async () => {
  const [gone] = [await changed(), await changed()];
  const { path } = await create({ filter: { type: ['ip_policy_created.v0'] } });
  const since = await prune('events', gone);
  const one = await writeExport(api, path);
  expect((one.manifest as ExportManifest).complete_since).toBe(since);
  // A range that begins later misses nothing.
  const later = await create({ filter: { from: since } });
  expect(((await writeExport(api, later.path)).manifest as ExportManifest).complete_since).toBeNull();
  await api.store.pool.query('delete from retention_marks');
});

it('an export of a destination waits for the fan-outs of its events', async () => {
  const { id } = await destinationOfPolicies();
  const { event } = await changed();
  await api.store.pool.query(
    `with waiting as (delete from deliveries where event_id = $1 and destination_id = $2 returning *)
     insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
     select event_id, account_id, 'ipp_1', array[destination_id], created_at from waiting`,
    [event, id],
  );
  const { path } = await create({ destination_id: id });
  // Its transactions have ended when those of a later export have.
  expect(await writeExport(api, (await create({})).path)).toMatchObject({ state: 'completed' });
  expect((await api.admin.get(path)).body.state).toBe('pending');
  expect(await deliverNextPart(api.store.db)).toEqual([id]);
  expect(await writeExport(api, path)).toMatchObject({ state: 'completed' });
  expect((await linesOf(path)).map((line) => line.event_id)).toEqual([event]);
});

describe('an export whose destination is deleted', () => {
  it('while it is written fails, and leaves no file', async () => {
    const { id, remove } = await destinationOfPolicies();
    await changed();
    const { id: exportId, path } = await create({ destination_id: id });
    const store = new EventSearchStore(api.store.db);
    let removal: Promise<void> | undefined;
    const events = {
      page: async (...given: Parameters<EventSearchStore['page']>) => {
        removal ??= remove();
        await removal;
        return store.page(...given);
      },
    };
    const one = await writeExport(api, path, exportRunner(api, { events }));
    expect(one).toMatchObject({ state: 'failed', error: { code: 'destination_deleted' }, manifest: null });
    expect((await readdir(api.exportFolder)).filter((name) => name.startsWith(exportId))).toEqual([]);
  });

  it('before it is written reads no event', async () => {
    const { id, remove } = await destinationOfPolicies();
    await changed();
    const { path } = await create({ destination_id: id });
    await remove();
    let pages = 0;
    const store = new EventSearchStore(api.store.db);
    const events = {
      page: (...given: Parameters<EventSearchStore['page']>) => {
        pages += 1;
        return store.page(...given);
      },
    };
    const one = await writeExport(api, path, exportRunner(api, { events }));
    expect([one.error, pages]).toMatchObject([{ code: 'destination_deleted' }, 0]);
  });
});
