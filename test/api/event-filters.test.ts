import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { MAX_EVENT_BYTES } from '../../src/events/envelope/event-envelope.js';
import { EventRuleStore, MOST_RULE_CHARACTERS } from '../../src/events/rules/event-rule-store.js';
import { MOST_FORMS, publishedProjections, type ProjectionLimits } from '../../src/events/rules/projection-store.js';
import { MOST_FORM_POINTERS, Projector } from '../../src/events/rules/projection.js';
import { until } from '../../tools/harness/until.js';
import type { Created, JsonObject } from '../support/api-client.js';
import { someoneWaitsForFence } from '../support/fence-locks.js';
import { copyRow } from '../support/large-rows.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };

interface Subscribed {
  readonly destination: Created;
  readonly subscription: Created;
}

/** Subscribes a destination, a new one by default. */
async function subscribe(sources: readonly JsonObject[], given?: Created): Promise<Subscribed> {
  const destination = given ?? (await api.admin.create('/event_destinations', { target }));
  const subscription = await api.admin.create('/event_subscriptions', { sources, destination_ids: [destination.id] });
  return { destination, subscription };
}

/** The descriptions or names of the resources in the events for a destination, in the order of their deliveries. */
async function eventsFor({ destination }: Subscribed): Promise<readonly (readonly [string, unknown])[]> {
  const rows = await api.store.db
    .selectFrom('all_deliveries as deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .select(['events.type', 'events.payload'])
    .where('deliveries.destination_id', '=', destination.id)
    .orderBy('deliveries.id')
    .execute();
  return rows.map(({ type, payload }) => {
    const { object } = JSON.parse(payload) as { object: { description?: unknown; name?: unknown } };
    return [type.replace('.v0', ''), object.description ?? object.name];
  });
}

/** A filter whose macros visit lists that are many times longer than those of an event. */
const joinedLists = (() => {
  const list = Array.from({ length: 25 }, () => 'dyn(object).l').join('+');
  return `(${list}).all(a, (${list}).all(b, a <= b))`;
})();

const createdWith = (filter: string) => [{ type: 'ip_policy_created.v0', filter }];

describe('a filter', () => {
  it('sends the events that match, and only those', async () => {
    const some = await subscribe(createdWith('object.description == "wanted"'));
    const all = await subscribe([{ type: 'ip_policy_created.v0' }]);
    for (const description of ['wanted', 'other', 'wanted']) await api.admin.create('/ip_policies', { description });
    expect(await eventsFor(some)).toEqual([
      ['ip_policy_created', 'wanted'],
      ['ip_policy_created', 'wanted'],
    ]);
    expect(await eventsFor(all)).toHaveLength(3);
  });

  it('may read what an update changed', async () => {
    const subscribed = await subscribe([
      { type: 'ip_policy_updated.v0', filter: 'has(changes.after.description) && changes.before.description == "a"' },
    ]);
    const policy = await api.admin.create('/ip_policies', { description: 'a' });
    await api.admin.patch(policy.path, { metadata: 'only this' });
    await api.admin.patch(policy.path, { description: 'b' });
    await api.admin.patch(policy.path, { description: 'c' });
    expect(await eventsFor(subscribed)).toEqual([['ip_policy_updated', 'b']]);
  });

  it('of one subscription does not hide what another one sends to the destination', async () => {
    const first = await subscribe(createdWith('object.description == "x"'));
    await subscribe(createdWith('object.description == "y"'), first.destination);
    for (const description of ['x', 'y', 'z']) await api.admin.create('/ip_policies', { description });
    expect(await eventsFor(first)).toEqual([
      ['ip_policy_created', 'x'],
      ['ip_policy_created', 'y'],
    ]);
  });

  it('that cannot be evaluated for an event sends the event', async () => {
    const subscribed = await subscribe(createdWith('dyn(object).nothing == "x"'));
    await api.admin.create('/ip_policies', { description: 'kept' });
    expect(await eventsFor(subscribed)).toEqual([['ip_policy_created', 'kept']]);
  });

  it('applies to the present state', async () => {
    const kept = await api.admin.create('/bot_users', { name: 'kept' });
    await api.admin.create('/bot_users', { name: 'other' });
    const subscribed = await subscribe([{ type: 'bot_user_snapshot.v0', filter: `object.id == "${kept.id}"` }]);
    const { path } = subscribed.subscription;
    await until(async () => {
      const { snapshots } = (await api.admin.get(`${path}/snapshots`)).body as { snapshots: { state: string }[] };
      return snapshots.length > 0 && snapshots.every(({ state }) => state === 'finished');
    }, 'the snapshot is finished');
    expect(await eventsFor(subscribed)).toEqual([['bot_user_snapshot', 'kept']]);
    const events = (await api.admin.get('/events?type=bot_user_snapshot.v0')).body.events;
    expect(events).toHaveLength(1);
  });

  it('that no longer fits its type is an error of its own source only', async () => {
    const type = 'parcel_created.v0';
    const parcel = await api.admin.create('/resource_types', { name: 'parcel', schema: { type: 'object' } });
    const unfit = { type, filter: 'object.weight > 1.0' };
    const { subscription } = await subscribe([{ type: 'ip_policy_created.v0' }, unfit]);
    const schema = { type: 'object', properties: { weight: { type: 'string' } } };
    expect((await api.admin.patch(parcel.path, { schema })).status).toBe(200);
    const sources = `${subscription.path}/sources`;
    const other = `${sources}/ip_policy_created.v0`;
    const filter = 'object.description == "x"';
    expect((await api.admin.patch(other, { filter })).body).toMatchObject({ filter });
    expect((await api.admin.post(sources, { type: 'ip_policy_deleted.v0', filter })).status).toBe(201);
    expect((await api.admin.delete(`${sources}/ip_policy_deleted.v0`)).status).toBe(204);
    const given = { sources: [unfit, { type: 'ip_policy_created.v0', filter }] };
    expect((await api.admin.patch(subscription.path, given)).body).toMatchObject(given);
    const fields = { exclude: ['/object'] };
    for (const [path, change] of [
      [other, { filter: 'object.nothing == 1' }],
      [`${sources}/${type}`, { fields }],
    ] as const) {
      const { status, body } = await api.admin.patch(path, change);
      expect([status, (body.errors as JsonObject[]).map(({ pointer }) => pointer)]).toEqual([400, ['/filter']]);
    }
  });

  it('applies to each event of a published batch', async () => {
    const schema = {
      type: 'object',
      properties: { total: { type: 'number' } },
      required: ['total'],
      additionalProperties: false,
    };
    await api.admin.create('/resource_types', { name: 'order', schema });
    const type = 'order_created.v0';
    const some = await subscribe([{ type, filter: 'object.total >= 10' }]);
    const others = await subscribe([{ type, filter: 'object.total < 10' }]);
    const all = await subscribe([{ type }]);
    const events = [5, 10, 15].map((total) => ({ type, resource_id: `o${total}`, object: { total } }));
    expect((await api.admin.post('/events', { events })).status).toBe(202);
    expect(await Promise.all([some, others, all].map(async (one) => (await eventsFor(one)).length))).toEqual([2, 1, 3]);
  });

  it('changes with its source, and ends with its subscription', async () => {
    const subscribed = await subscribe(createdWith('object.description == "x"'));
    const source = `${subscribed.subscription.path}/sources/ip_policy_created.v0`;
    const create = () => api.admin.create('/ip_policies', { description: 'y' });
    await create();
    expect(await eventsFor(subscribed)).toEqual([]);
    const changed = await api.admin.patch(source, { filter: 'object.description == "y"' });
    expect([changed.status, changed.body.filter]).toEqual([200, 'object.description == "y"']);
    await create();
    expect(await eventsFor(subscribed)).toHaveLength(1);
    // Without sources in the request, the filter stays.
    await api.admin.patch(subscribed.subscription.path, { description: 'another' });
    expect((await api.admin.get(source)).body.filter).toBe('object.description == "y"');
    expect((await api.admin.patch(source, { filter: null })).body).not.toHaveProperty('filter');
    await api.admin.create('/ip_policies', { description: 'z' });
    expect(await eventsFor(subscribed)).toHaveLength(2);
    await api.admin.patch(source, { filter: 'object.description == "x"' });
    await api.admin.delete(subscribed.subscription.path);
    const rules = await api.store.db
      .selectFrom('event_rules')
      .select('subscription_id')
      .where('subscription_id', '=', subscribed.subscription.id)
      .execute();
    expect(rules).toEqual([]);
  });

  it('waits, when it changes, for the changes that have not seen it', async () => {
    const { subscription } = await subscribe(createdWith('object.description == "x"'));
    const source = `${subscription.path}/sources/ip_policy_created.v0`;
    let answer: Promise<unknown> | undefined;
    await api.store.db.transaction().execute(async (trx) => {
      await sql`select 1 from event_route_fence where false for share`.execute(trx);
      answer = api.admin.patch(source, { filter: 'object.description == "y"' });
      await until(() => someoneWaitsForFence(api.store), 'the change waits for the fence');
    });
    expect(await answer).toMatchObject({ status: 200 });
  });
});

describe('a source', () => {
  it('shows its filter and fields, and is accepted as it is shown', async () => {
    const source = {
      type: 'ip_policy_updated.v0',
      filter: 'object.description != ""',
      fields: { exclude: ['/object/metadata'], hash: ['/principal/subject'] },
    };
    const { subscription } = await subscribe([source]);
    expect(subscription).toMatchObject({ sources: [source] });
    const { body } = await api.admin.get(subscription.path);
    const again = await api.admin.patch(subscription.path, { sources: body.sources });
    expect(again.body).toEqual(body);
  });

  it.each([
    [{ filter: 'object.descriptio == "x"' }, '/filter', /^line 1, column \d+: /],
    [{ filter: 'object.description == 1' }, '/filter', /string == int/],
    [{ filter: 'object.description' }, '/filter', /condition/],
    [{ filter: ' '.repeat(1_001) }, '/filter', /1000 characters/],
    [{ filter: '' }, '/filter', /./],
    [{ fields: { exclude: ['/object/descriptio'] } }, '/fields/exclude/0', /schema describes/],
    [{ fields: { hash: ['/event_id'] } }, '/fields/hash/0', /always sent/],
    [{ fields: { exclude: ['/*'] } }, '/fields/exclude/0', /name of a member/],
    [{ fields: { hash: ['/*/description'] } }, '/fields/hash/0', /name of a member/],
    [{ filter: joinedLists }, '/filter', /costs too much/],
    [{ fields: {} }, '/fields', /include, exclude or hash/],
  ])('with %j is refused, and nothing changes', async (rule, pointer, detail) => {
    const type = 'ip_policy_created.v0';
    const { path } = await api.admin.create('/event_subscriptions', {});
    const direct = await api.admin.post(`${path}/sources`, { type, ...rule });
    expect([direct.status, direct.body.errors]).toMatchObject([
      400,
      [{ pointer, detail: expect.stringMatching(detail) }],
    ]);
    const sources = [{ type: 'bot_user_created.v0' }, { type, ...rule }];
    const within = await api.admin.post('/event_subscriptions', { sources });
    expect(within.body.errors).toMatchObject([{ pointer: `/sources/1${pointer}` }]);
    const previewed = await api.admin.post('/event_subscriptions/preview', { type, ...rule });
    expect(previewed.body.errors).toMatchObject([{ pointer }]);
    expect((await api.admin.get(path)).body.sources).toEqual([]);
  });
});

describe('the forms of a type', () => {
  /** Copies a subscription with its destination: each copy has a salt of its own. */
  async function copy({ destination, subscription }: Subscribed, type: string, count: number): Promise<void> {
    for (const [id, prefix] of [
      [destination.id, 'copied_destination_'],
      [subscription.id, 'copied_subscription_'],
    ])
      await copyRow(api.store, 'resources', { where: `id = '${id}'`, changed: `'id', '${prefix}${type}' || n`, count });
    await sql`
      insert into event_routes (account_id, event_type, destination_id, subscription_id)
      select account_id, event_type, 'copied_destination_' || event_type || n, 'copied_subscription_' || event_type || n
      from event_routes, generate_series(1, ${count}::int) n
      where subscription_id = ${subscription.id} and event_type = ${type}`.execute(api.store.db);
    await sql`
      insert into event_rules (account_id, event_type, subscription_id, filter, fields)
      select account_id, event_type, 'copied_subscription_' || event_type || n, filter, fields
      from event_rules, generate_series(1, ${count}::int) n
      where subscription_id = ${subscription.id} and event_type = ${type}`.execute(api.store.db);
  }

  it('are bounded: a source that adds one more is refused', async () => {
    const type = 'bot_user_deleted.v0';
    const source = { type, fields: { hash: ['/principal/subject'] } };
    await copy(await subscribe([source]), type, MOST_FORMS - 2);
    const last = await subscribe([source]);
    const { id } = await api.admin.create('/event_destinations', { target });
    const body = { sources: [{ type: 'bot_user_created.v0' }, source], destination_ids: [id] };
    const refused = await api.admin.post('/event_subscriptions', body);
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ pointer: '/sources/1/fields' }]]);
    await api.admin.delete(last.subscription.path);
    expect((await api.admin.post('/event_subscriptions', body)).status).toBe(201);
  });

  it('have a bounded number of pointers together', async () => {
    await api.admin.create('/resource_types', { name: 'pointed' });
    const type = 'pointed_created.v0';
    const exclude = Array.from({ length: 39 }, (_, index) => `/object/member_${index}`);
    const source = { type, fields: { exclude, hash: ['/principal/subject'] } };
    const most = MOST_FORM_POINTERS / 40;
    expect(most).toBeLessThanOrEqual(MOST_FORMS);
    await copy(await subscribe([source]), type, most - 2);
    await subscribe([source]);
    const { id } = await api.admin.create('/event_destinations', { target });
    const fields = { hash: ['/principal/subject'] };
    const refused = await api.admin.post('/event_subscriptions', {
      sources: [{ type, fields }],
      destination_ids: [id],
    });
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ pointer: '/sources/0/fields' }]]);
    // Without destinations, nothing has that form.
    expect((await api.admin.post('/event_subscriptions', { sources: [{ type, fields }] })).status).toBe(201);
    const published = { type, resource_id: 'p1', object: { member_1: 1, other: 2 } };
    expect((await api.admin.post('/events', { events: [published] })).status).toBe(202);
    const { rows } = await sql<{ payload: string }>`
      select p.payload from event_projections p join events on id = event_id where type = ${type}`.execute(
      api.store.db,
    );
    expect(rows).toHaveLength(most);
    expect(new Set(rows.map(({ payload }) => JSON.stringify(JSON.parse(payload).object)))).toEqual(
      new Set(['{"other":2}']),
    );
  });

  it('have rules of a bounded length, over all subscriptions of the account', async () => {
    const type = 'bot_user_updated.v0';
    const { subscription } = await subscribe([{ type, filter: 'true' }]);
    await sql`
      update event_rules set filter = 'true' || repeat(' ', ${MOST_RULE_CHARACTERS})
      where subscription_id = ${subscription.id}`.execute(api.store.db);
    const body = { sources: [{ type: 'bot_user_created.v0' }, { type, filter: 'true' }] };
    const refused = await api.admin.post('/event_subscriptions', body);
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ pointer: '/sources/1/filter' }]]);
    // A subscription without rules is accepted, and so is one that has fewer.
    expect((await api.admin.post('/event_subscriptions', { sources: [{ type }] })).status).toBe(201);
    await api.admin.patch(subscription.path, { sources: [{ type, filter: 'false' }] });
    expect((await api.admin.post('/event_subscriptions', body)).status).toBe(201);
  });

  it('count the rules of another subscription that is being changed', async () => {
    const type = 'bot_user_deleted.v0';
    const { subscription } = await subscribe([{ type, filter: 'true' }]);
    const filter = 'true'.padEnd(MOST_RULE_CHARACTERS);
    const { accountId } = api;
    const { other } = await api.store.db.transaction().execute(async (trx) => {
      const rules = new EventRuleStore(trx);
      await rules.replace(accountId, subscription.id, [
        { eventType: type, subscriptionId: subscription.id, filter, fields: null },
      ]);
      await rules.holdLimits(accountId);
      const request = api.admin.post('/event_subscriptions', { sources: [{ type, filter: 'true' }] });
      await until(() => someoneWaitsForFence(api.store), 'the other change waits');
      return { other: request };
    });
    const { status, body } = await other;
    expect([status, body.errors]).toMatchObject([400, [{ pointer: '/sources/0/filter' }]]);
    await api.admin.patch(subscription.path, { sources: [{ type }] });
  });

  /** Lets a request write less until the end of the test: to reach the usual limits takes seconds. */
  function limitProjections(fewer: Partial<ProjectionLimits>): void {
    const usual = { ...publishedProjections };
    Object.assign(publishedProjections, fewer);
    onTestFinished(() => void Object.assign(publishedProjections, usual));
  }

  it('of the events of a request have a number of characters that all of one event have', async () => {
    await api.admin.create('/resource_types', { name: 'manifold' });
    const type = 'manifold_created.v0';
    await copy(await subscribe([{ type, fields: { hash: ['/principal/subject'] } }]), type, 100);
    expect(publishedProjections.characters).toBeGreaterThanOrEqual(MOST_FORMS * MAX_EVENT_BYTES);
    limitProjections({ characters: 2 * 1024 * 1024 });
    const object = { text: 'x'.repeat(3_125) };
    const events = Array.from({ length: 10 }, (_, index) => ({ type, resource_id: `m${index}`, object }));
    const refused = await api.admin.post('/events', { events });
    expect([refused.status, refused.body.error_code]).toEqual([413, 'body_too_large']);
    expect((await api.admin.post('/events', { events: events.slice(0, 5) })).status).toBe(202);
  });

  it('are bounded for the events of a request, before the first one is made', async () => {
    await api.admin.create('/resource_types', { name: 'counted' });
    const type = 'counted_created.v0';
    limitProjections({ projections: 800 });
    const { projections } = publishedProjections;
    await copy(await subscribe([{ type, fields: { hash: ['/principal/subject'] } }]), type, projections / 400 - 1);
    const events = Array.from({ length: 401 }, (_, index) => ({ type, resource_id: `c${index}`, object: {} }));
    const made = vi.spyOn(Projector.prototype, 'projected');
    const refused = await api.admin.post('/events', { events });
    expect([refused.status, refused.body.error_code]).toEqual([413, 'body_too_large']);
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
    expect((await api.admin.post('/events', { events: events.slice(1) })).status).toBe(202);
  });
});

describe('a preview', () => {
  it('stores no response for its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'previewed' };
    const body = { type: 'ip_policy_created.v0' };
    for (let time = 0; time < 2; time += 1)
      expect((await api.admin.post('/event_subscriptions/preview', body, headers)).status).toBe(200);
    const { rows } = await api.store.pool.query(`select from idempotency_keys where idempotency_key = 'previewed'`);
    expect(rows).toEqual([]);
  });

  it('shows which of the newest events match, and what would be sent', async () => {
    const type = 'certificate_authority_deleted.v0';
    expect((await api.admin.post('/event_subscriptions/preview', { type })).body).toMatchObject({
      evaluated: 0,
      events: [],
    });
    for (const description of ['first', 'second', 'third']) await api.admin.create('/ip_policies', { description });
    const before = await api.store.pool.query('select count(*) from events');
    const { status, body } = await api.admin.post('/event_subscriptions/preview', {
      type: 'ip_policy_created.v0',
      filter: 'object.description == "second" || dyn(object).nothing == 1 && object.description == "third"',
      fields: { include: ['/object/description'] },
      limit: 3,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ type: 'ip_policy_created.v0', evaluated: 3, matched: 2, failed: 1 });
    const events = body.events as { matches: boolean; error: string | null; payload: JsonObject | null }[];
    expect(events.map(({ matches, error }) => [matches, error !== null])).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
    expect(events[1]?.payload?.object).toEqual({ description: 'second' });
    expect(Object.keys(events[1]?.payload ?? {}).toSorted()).toEqual(
      ['account_id', 'event_id', 'event_timestamp', 'event_type', 'object', 'version'].toSorted(),
    );
    expect(events[2]?.payload).toBe(null);
    expect((await api.store.pool.query('select count(*) from events')).rows).toEqual(before.rows);
  });

  it('goes on behind an event that the filter costs too much for', async () => {
    await api.admin.create('/resource_types', { name: 'reading' });
    const type = 'reading_created.v0';
    const events = [3, 5_000, 4_000].map((length) => ({
      type,
      resource_id: `r${length}`,
      object: { list: Array.from({ length }, () => 1) },
    }));
    expect((await api.admin.post('/events', { events })).status).toBe(202);
    const filter = 'object.list.all(a, object.list.all(b, a < b))';
    const { status, body } = await api.admin.post('/event_subscriptions/preview', { type, filter });
    expect([status, body]).toMatchObject([200, { evaluated: 3, matched: 2, failed: 2 }]);
    expect((body.events as { matches: boolean }[]).map(({ matches }) => matches)).toEqual([true, true, false]);
  });

  it('reads events of its own account only, and refuses unknown types and large limits', async () => {
    const stranger = await api.addAccount();
    const preview = (body: JsonObject) => stranger.post('/event_subscriptions/preview', body);
    expect((await preview({ type: 'ip_policy_created.v0' })).body).toMatchObject({ evaluated: 0 });
    expect((await preview({ type: 'ip_policy_exploded.v0' })).body.errors).toMatchObject([{ pointer: '/type' }]);
    expect((await preview({ type: 'event_destination_test.v0' })).body.errors).toMatchObject([{ pointer: '/type' }]);
    expect((await preview({ type: 'ip_policy_created.v0', limit: 101 })).body.errors).toMatchObject([
      { pointer: '/limit' },
    ]);
  });
});
