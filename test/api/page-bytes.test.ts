import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAGE_BYTES } from '../../src/database/page-bytes.js';
import { DeliveryViewStore } from '../../src/destinations/deliveries/view/delivery-view-store.js';
import type { EventFilter } from '../../src/events/log/event-filter.js';
import { EventSearchStore, MOST_SCANNED } from '../../src/events/log/event-search-store.js';
import { TestClient, type JsonObject, type TestResponse } from '../support/api-client.js';
import { addVersions, copyResources, insertDeliveries, insertEvents } from '../support/large-rows.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

const CONFIG_KEY = 'test_configuration_key_0123456789abcd';
/** About the largest payload of an event, and the largest attributes of a resource. */
const LARGE = 52_000;
const EVENTS = 45;
const RESOURCES = 30;
/** Largest page: its bytes, the item that reaches them, and what surrounds them. */
const LARGEST_PAGE = PAGE_BYTES + LARGE + 2_000;

let api: TestApi;
let eventIds: readonly string[];
let destinationId: string;
beforeAll(async () => {
  api = await startTestApi();
  const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef', site: 'datadoghq.eu' } };
  destinationId = (await api.admin.create('/event_destinations', { format: 'json', target })).id;
  const { id: policyId } = await api.admin.create('/ip_policies', {});
  eventIds = await insertEvents(api.store, api.accountId, EVENTS, LARGE);
  await insertDeliveries(
    api.store,
    { accountId: api.accountId, destinationId, eventIds },
    { attempts: 40, bytes: 4_000 },
  );
  await copyResources(api.store, policyId, RESOURCES, LARGE);
});
afterAll(() => api.close());

/** Reads a list page by page. Each page is in its bounds, and all but the last one are about as large as permitted. */
async function readAll(path: string, listKey: string, client = api.admin): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  for (let next: unknown = path; typeof next === 'string';) {
    const { status, body, text } = await client.get(next);
    expect(status, text.slice(0, 500)).toBe(200);
    const length = Buffer.byteLength(text);
    expect(length).toBeLessThan(LARGEST_PAGE);
    items.push(...(body[listKey] as JsonObject[]));
    next = body.next_page_uri;
    if (next !== null) expect(length).toBeGreaterThan(PAGE_BYTES / 3);
  }
  return items;
}

const newestFirst = () => eventIds.toReversed();

describe('a page of large items ends after a mebibyte, and the next one continues:', () => {
  it.each([
    ['all events', '/events?resource=any', 'newest'],
    ['events oldest first', '/events?order=oldest_first', 'oldest'],
    ['events of an index', '/events?object_id=ipp_large', 'newest'],
    ['events that a filter leaves, oldest first', '/events?changed=metadata&order=oldest_first', 'oldest'],
    ['events that filters leave', '/events?principal_id=usr_large&type=ip_policy_updated.v0', 'newest'],
  ])('%s', async (_, path, order) => {
    const events = await readAll(path.replace('resource=any', 'limit=100'), 'events');
    const found = events.filter(({ resource_id: resource }) => resource === 'ipp_large').map(({ id }) => id);
    expect(found).toEqual(order === 'newest' ? newestFirst() : eventIds);
    expect(events.find(({ id }) => id === eventIds[0])?.payload).toMatchObject({
      object: { metadata: expect.stringMatching(/^[0-9a-f]{52000}$/) },
    });
  });

  it('resources', async () => {
    const policies = await readAll('/ip_policies', 'ip_policies');
    expect(new Set(policies.map(({ id }) => id)).size).toBe(RESOURCES + 1);
    expect(policies).toHaveLength(RESOURCES + 1);
  });

  it.each([
    ['of a destination', () => `/event_destinations/${destinationId}/deliveries`],
    ['of a destination in a state', () => `/event_destinations/${destinationId}/deliveries?state=rejected`],
    ['that were not delivered', () => '/event_destinations/deliveries'],
  ])('deliveries %s, whose attempts have long messages', async (_, path) => {
    const deliveries = await readAll(path(), 'deliveries');
    const found = deliveries.map(({ event_id: id, attempts }) => [id, (attempts as JsonObject[]).length]);
    expect(found).toEqual(newestFirst().map((id) => [id, 20]));
  });

  it('event types', async () => {
    const names = ['aaa', 'mmm', 'zzz'];
    const actions = Array.from({ length: 20 }, (_, index) => `happened_${'x'.repeat(20)}_${index + 10}`);
    for (const name of names) {
      const { id } = await api.admin.create('/resource_types', { name, actions });
      await addVersions(api.store, id, 90);
    }
    const types = (await readAll('/event_types', 'event_types')).map(({ type }) => String(type));
    expect(new Set(types).size).toBe(types.length);
    expect(types.filter((type) => /^(aaa|mmm|zzz)_/.test(type))).toHaveLength(names.length * 20 * 90);
    expect(types[0]).not.toContain('aaa_');
    const last = types.at(-1) ?? '';
    expect(await readAll(`/event_types?after_id=${last}`, 'event_types')).toEqual([]);
    const [first = '', second] = types;
    expect((await readAll(`/event_types?after_id=${first}`, 'event_types'))[0]).toMatchObject({ type: second });
    const refused = await api.admin.get('/event_types?after_id=nothing');
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ pointer: '?after_id', detail: 'is not an event type' }],
    ]);
  });

  it('the configuration of the data plane, and its changes', async () => {
    const plane = await api.startDataPlane({ DATA_PLANE_CONFIG_KEY: CONFIG_KEY });
    const gateway = new TestClient(plane.client.baseUrl, CONFIG_KEY);
    const read = async (path: string): Promise<TestResponse> => {
      const response = await gateway.get(path);
      expect(response.status, response.text.slice(0, 500)).toBe(200);
      expect(Buffer.byteLength(response.text)).toBeLessThan(LARGEST_PAGE);
      return response;
    };
    const begun = (await read('/configuration?limit=1')).body;
    const found: JsonObject[] = [];
    let { body } = await read('/configuration');
    const cursors = [body.cursor];
    for (; ; body = (await read(`/configuration?page=${body.next_page as string}`)).body) {
      found.push(...(body.resources as JsonObject[]));
      cursors.push(body.cursor);
      if (body.next_page === null) break;
    }
    expect(cursors.length).toBeGreaterThan(2);
    expect(begun.cursor).toBeNull();
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    const large = found.filter(({ object }) => JSON.stringify(object).length > LARGE);
    expect(large).toHaveLength(RESOURCES);

    await api.store.pool.query(`update resources set version = version + 1 where id = any($1)`, [
      large.map(({ id }) => id),
    ]);
    const changed = new Set<unknown>();
    let [cursor, pages] = [body.cursor, 0];
    await expect
      .poll(async () => {
        const { body: changes } = await read(`/configuration/changes?cursor=${String(cursor)}`);
        for (const { id } of changes.changes as JsonObject[]) changed.add(id);
        cursor = changes.cursor;
        if ((changes.changes as JsonObject[]).length > 0) pages += 1;
        return changed.size;
      })
      .toBe(RESOURCES);
    expect(pages).toBeGreaterThan(1);
    await plane.stop();
  });

  it('a direct export has every event', async () => {
    const { text } = await api.admin.get('/events/export?object_id=ipp_large');
    const exported = text.trimEnd().split('\n');
    expect(exported).toHaveLength(EVENTS);
    expect(new Set(exported.map((line) => line.length)).size).toBe(1);
  });
});

describe('with pages of few bytes', () => {
  const filters: readonly EventFilter[] = [{}, { object_id: 'ipp_large' }, { changed: 'metadata' }];

  it.each(filters.flatMap((filter) => [1, 3, 7].map((items) => [filter, items] as const)))(
    'a search of %j reads %i events at once, and misses none',
    async (filter, items) => {
      const store = new EventSearchStore(api.store.db, MOST_SCANNED, (items - 1) * LARGE + 1);
      const found: string[] = [];
      for (let beforeId: string | undefined; ;) {
        const range = { order: 'newest_first', before_id: beforeId } as const;
        const { events, resumeAt } = await store.page(api.accountId, filter, range, 100);
        const large = events.filter(({ resourceId }) => resourceId === 'ipp_large');
        expect(large.length).toBeLessThanOrEqual(items);
        found.push(...large.map(({ id }) => id));
        if (resumeAt === null) break;
        expect(resumeAt).toBe(events.at(-1)?.id);
        beforeId = resumeAt;
      }
      expect(found).toEqual(newestFirst());
    },
  );

  it('a list of deliveries has one at least, with attempts of its last runs only', async () => {
    const [eventId] = eventIds;
    const runs = Array.from({ length: 10 }, (_, index) => ({
      batch_id: `bat_${destinationId}${index + 1}`,
      attempts: 40,
      state: 'rejected',
      code: 'http_400',
      message: 'refused',
    }));
    await api.store.pool.query('update finished_deliveries set earlier_runs = $1 where event_id = $2', [
      JSON.stringify(runs),
      eventId,
    ]);
    const views = new DeliveryViewStore(api.store.db, 1);
    const wanted = { limit: 100, beforeId: undefined };
    const { deliveries, resumeAt } = await views.undelivered(
      api.accountId,
      { state: undefined, destinationIds: undefined },
      wanted,
    );
    expect([deliveries.length, resumeAt]).toEqual([1, deliveries[0]?.id]);
    const whole = await new DeliveryViewStore(api.store.db).find(api.accountId, destinationId, String(eventId));
    expect(whole).toMatchObject({ attemptCount: 440, attempts: { length: 20 } });
  });
});
