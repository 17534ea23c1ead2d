import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyOptions } from '../../packages/verify/src/command/options.js';
import { run } from '../../packages/verify/src/command/run.js';
import { until } from '../../tools/harness/until.js';
import type { Created, JsonObject, TestClient } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';

/** Data of a person: in each of their events, and in nothing else. */
const NAME = 'Ada Erasable';
const PERSON = 'ada@erasable.example';

let delivering: DeliveringApi;
let folder: string;
let destinations = 0;
beforeAll(async () => {
  [delivering, folder] = await Promise.all([
    DeliveringApi.start({ PROOF_CHECKPOINT_SECONDS: '0.2' }),
    mkdtemp(path.join(tmpdir(), 'waybill-erasures-')),
  ]);
});
afterAll(async () => {
  await delivering.close();
  await rm(folder, { recursive: true });
});

/** An account with a destination for the events of customers. */
async function accountWithCustomers() {
  const admin = await delivering.api.addAccount();
  await admin.create('/resource_types', { name: 'customer', changes: 'computed' });
  return { admin, destination: await customerDestination(admin) };
}

async function customerDestination(admin: TestClient, source: JsonObject = {}) {
  destinations += 1;
  const arn = `arn:aws:kinesis:eu-central-1:123456789012:stream/customers${destinations}`;
  const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'secret' };
  const created = await admin.create('/event_destinations', {
    target: { data_stream: { auth: { creds }, stream_arn: arn } },
  });
  const sources = ['created', 'updated', 'deleted'].map((action) => ({ type: `customer_${action}.v0`, ...source }));
  await admin.create('/event_subscriptions', { destination_ids: [created.id], sources });
  return { ...created, arn };
}

/** Publishes an event of a customer, and returns its id. */
async function publish(
  admin: TestClient,
  customer: string,
  more: JsonObject = {},
  action = 'created',
): Promise<string> {
  const event = { type: `customer_${action}.v0`, resource_id: customer, object: { name: customer }, ...more };
  const { status, body, text } = await admin.send('POST', '/events', { events: [event] });
  expect(status, text).toBe(202);
  return (body.events as { event_id: string }[])[0]?.event_id ?? '';
}

const finished = async (admin: TestClient, { path: at }: Created): Promise<JsonObject> => {
  let body: JsonObject = {};
  await until(async () => (body = (await admin.get(at)).body).state === 'finished', 'the erasure is finished');
  return body;
};

/** Returns the tables that have a text, whatever the column. */
async function tablesWith(text: string): Promise<readonly string[]> {
  const { pool } = delivering.api.store;
  const { rows } = await pool.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await pool.query(`select from ${name} t where strpos(t::text, $1) > 0 limit 1`, [text]);
    if (rowCount !== 0) found.push(name);
  }
  return found;
}

/** Verifies lines with what the API has of the log of a destination. */
async function verify(admin: TestClient, destination: Created, lines: readonly string[], isErased = true) {
  const at = path.join(folder, 'export.ndjson');
  await writeFile(at, lines.join('\n'));
  const keys = path.join(folder, 'keys');
  await writeFile(keys, await (await fetch(`${admin.baseUrl}/.well-known/waybill-log-keys`)).text());
  const log = `${admin.baseUrl}${destination.path}/log/1`;
  const args = [
    at,
    '--key',
    keys,
    '--checkpoint',
    `${log}/checkpoint`,
    ...(isErased ? ['--erasures', `${log}/erasures`] : []),
  ];
  const options = verifyOptions(args);
  if (options === null) throw new Error('The options ask for the help.');
  const { output, exitCode } = await run({ ...options, json: true }, String(admin.token));
  return { exitCode, ...JSON.parse(output) };
}

/** Waits until a checkpoint covers the events that arrived, and returns them. */
async function sealed(admin: TestClient, destination: Created & { readonly arn: string }, count: number) {
  const size = async () => Number((await admin.get(`${destination.path}/log/1/checkpoint`)).text.split('\n')[1] ?? 0);
  const those = () => delivering.arrivals(destination.arn);
  await until(
    async () => those().filter((line) => !line.includes('checkpoint_signed')).length >= count,
    'all events arrived',
  );
  const last = Math.max(
    ...those()
      .filter((line) => !line.includes('checkpoint_signed'))
      .map((line) => Number(JSON.parse(line).sequence)),
  );
  await until(async () => (await size()) >= last, 'a checkpoint covers the events');
  return those();
}

it('the events of a person are erased, and everything else is still proven', async () => {
  const { admin, destination } = await accountWithCustomers();
  const projected = await customerDestination(admin, { fields: { include: ['/object'] } });
  const ids = [
    await publish(admin, 'c1'),
    await publish(admin, PERSON, { object: { name: NAME }, id: `pub-1` }),
    await publish(admin, 'c2', { principal: { id: 'user-1', subject: 'Bob' } }),
    await publish(admin, PERSON, { object: { name: `${NAME} II` } }, 'updated'),
    await publish(admin, PERSON, { object: { name: NAME } }, 'deleted'),
  ];
  const [first = '', second = ''] = ids;
  const ofPerson = ids.filter((_, at) => at === 1 || at > 2);
  await sealed(admin, destination, 5);
  await sealed(admin, projected, 5);
  expect(await tablesWith(NAME)).toEqual(expect.arrayContaining(['event_projections']));
  const exported = await admin.create('/exports', { format: 'ndjson', destination_id: destination.id });
  await until(async () => (await admin.get(exported.path)).body.state === 'completed', 'the export is complete');

  const erasure = await admin.create('/erasures', { object_id: PERSON, reason: 'Ticket 4711' });
  expect(erasure).toMatchObject({ kind: 'object', state: 'running', subject_id: PERSON, events_erased: 0 });
  expect(await finished(admin, erasure)).toMatchObject({ events_erased: 3, events_waiting: 0, subject_id: null });
  expect(await tablesWith(NAME)).toEqual([]);
  expect(await tablesWith(PERSON)).toEqual([]);

  const erased = { id: second, resource_id: '', payload: null, erasure_id: erasure.id, type: 'customer_created.v0' };
  expect((await admin.get(`/events/${second}`)).body).toMatchObject(erased);
  expect((await admin.get(`/events/${first}`)).body.erasure_id).toBeUndefined();
  const listed = (await admin.get('/events?type=customer_created.v0')).body.events as JsonObject[];
  expect(listed.find(({ id }) => id === second)).toMatchObject(erased);
  expect((await admin.get(`/events?object_id=${encodeURIComponent(PERSON)}`)).body.events).toEqual([]);
  const preview = await admin.send('POST', '/event_subscriptions/preview', { type: 'customer_created.v0' });
  expect([preview.status, preview.body.evaluated]).toEqual([200, 2]);
  const said = ((await admin.get('/events?type=event_erasure_recorded.v0')).body.events as JsonObject[]).map(
    ({ payload }) => (payload as JsonObject).object as JsonObject,
  );
  expect(said).toHaveLength(3);
  const about = { id: erasure.id, kind: 'object', reason: 'Ticket 4711', events: 3 };
  expect(said).toEqual(said.map(() => expect.objectContaining(about)));

  expect((await admin.get(exported.path)).body).toMatchObject({ state: 'failed', error: { code: 'events_erased' } });
  const direct = await admin.get('/events/export?type=customer_created.v0');
  expect([direct.status, direct.text.trim().split('\n')]).toEqual([
    200,
    [expect.stringContaining(first), expect.any(String)],
  ]);
  const redelivery = await admin.send('POST', `${destination.path}/redeliveries`, { event_ids: [second] });
  expect([redelivery.status, redelivery.body.error_code]).toEqual([409, 'event_erased']);
  const again = await admin.send('POST', `${destination.path}/redeliveries`, {
    state: 'delivered',
    from: '2020-01-01T00:00:00Z',
  });
  expect(again.status).toBe(202);
  const arrivedTwice = (id: string) =>
    delivering.arrivals(destination.arn).filter((line) => line.includes(id)).length > 1;
  await until(() => arrivedTwice(first), 'the others are redelivered');
  expect(ofPerson.filter(arrivedTwice)).toEqual([]);
  // A relay may repeat what it has published.
  expect(await publish(admin, PERSON, { object: { name: 'someone else' }, id: 'pub-1' })).toBe(second);

  for (const to of [destination, projected]) {
    const held = await sealed(admin, to, 6);
    const kept = held.filter((line) => !ofPerson.some((id) => line.includes(id)));
    expect(await verify(admin, to, held)).toMatchObject({ exitCode: 0, logs: [{ erased: 0, erased_but_there: 3 }] });
    expect(await verify(admin, to, kept)).toMatchObject({ exitCode: 0, logs: [{ erased: 3, erased_but_there: 0 }] });
    expect(await verify(admin, to, kept, false)).toMatchObject({ exitCode: 1, counts: { missing: 3 } });
    const altered = kept.with(0, (kept[0] ?? '').replace('"object":', '"Object":'));
    expect(await verify(admin, to, altered)).toMatchObject({ exitCode: 1, verified: false });
  }

  const fresh = await admin.create('/exports', { format: 'ndjson', destination_id: destination.id });
  await until(async () => (await admin.get(fresh.path)).body.state === 'completed', 'the export is complete');
  expect((await admin.get(fresh.path)).body.manifest).toMatchObject({ erased: 3 });
  const { text } = await admin.get(`${fresh.path}/download`);
  expect(await verify(admin, destination, text.split('\n'))).toMatchObject({ exitCode: 0, logs: [{ erased: 3 }] });
});

it('a published resource keeps its version and its object while another person has events of it', async () => {
  const { admin, destination } = await accountWithCustomers();
  const by = (id: string) => ({ principal: { id } });
  const ended = async (body: JsonObject) =>
    finished(admin, await admin.create('/erasures', { ...body, reason: 'Ticket 4713' }));
  const rows = async () => {
    const { rows: found } = await delivering.api.store.pool.query(
      `select resource_id as id, version, object from published_resources
       where type_id = (select id from resources where account_id = (select account_id from resources where id = $1)
                        and kind = 'resource_type') order by resource_id`,
      [destination.id],
    );
    return found as readonly JsonObject[];
  };
  for (const customer of ['c1', 'c2']) {
    await publish(admin, customer, by('alice'));
    await publish(admin, customer, by('bob'), 'updated');
  }
  await publish(admin, 'c1', by('bob'), 'deleted');
  await publish(admin, 'c3', by('bob'));
  await publish(admin, 'c3', by('alice'), 'updated');
  await sealed(admin, destination, 7);
  await ended({ principal_id: 'alice' });
  expect(await rows()).toEqual([
    { id: 'c1', version: 3, object: null },
    { id: 'c2', version: 2, object: '{"name":"c2"}' },
    { id: 'c3', version: 2, object: null },
  ]);
  await ended({ object_id: 'c1', type: ['customer_updated.v0'] });
  expect(await rows()).toHaveLength(3);
  await ended({ principal_id: 'bob' });
  expect(await rows()).toEqual([
    { id: 'c2', version: 2, object: null },
    { id: 'c3', version: 2, object: null },
  ]);
});

it('an event that waits for a delivery is delivered, and then erased', async () => {
  const { admin, destination } = await accountWithCustomers();
  await publish(admin, 'c1', { principal: { id: 'user-9' } });
  await sealed(admin, destination, 1);
  await admin.send('PATCH', destination.path, { paused: { reason: 'test' } });
  const waiting = await publish(admin, 'c2', { principal: { id: 'user-9' } });
  const erasure = await admin.create('/erasures', { principal_id: 'user-9', reason: 'Ticket 4712' });
  const late = await publish(admin, 'c3', { principal: { id: 'user-9' } });
  const progress = async () => (await admin.get(erasure.path)).body;
  await until(async () => (await progress()).events_waiting === 1, 'one event waits');
  expect(await progress()).toMatchObject({ state: 'running', events_erased: 1 });
  expect((await admin.get(`/events/${waiting}`)).body.payload).toMatchObject({ event_id: waiting });
  await admin.send('PATCH', destination.path, { paused: null });
  await until(() => delivering.arrivals(destination.arn).some((line) => line.includes(waiting)), 'it is delivered');
  await delivering.api.store.pool.query('update erasures set due_at = now() where finished_at is null');
  expect(await finished(admin, erasure)).toMatchObject({ events_erased: 2 });
  expect((await admin.get(`/events/${waiting}`)).body.payload).toBeNull();
  expect((await admin.get(`/events/${late}`)).body.payload).toMatchObject({ event_id: late });
  expect(await verify(admin, destination, await sealed(admin, destination, 4))).toMatchObject({ exitCode: 0 });
});

it('a repeated request does nothing, and a backfill leaves out what is erased', async () => {
  const admin = await delivering.api.addAccount();
  const create = () => admin.post('/ip_policies', { description: NAME }, { 'idempotency-key': 'once' });
  const { id } = (await create()).body;
  await admin.create('/ip_policies', {});
  await admin.send('PATCH', `/ip_policies/${String(id)}`, { description: 'none' });
  const erasure = { object_id: id, type: ['ip_policy_created.v0'], reason: 'The description.' };
  expect(await finished(admin, await admin.create('/erasures', erasure))).toMatchObject({ events_erased: 1 });
  const repeated = await create();
  expect([repeated.status, repeated.body.error_code]).toEqual([409, 'idempotency_response_erased']);
  const destination = await delivering.destination(admin);
  const backfill = await admin.create(`${destination.path}/backfills`, { from: '2020-01-01T00:00:00Z' });
  await until(async () => (await admin.get(backfill.path)).body.state === 'finished', 'the backfill is finished');
  expect((await admin.get(backfill.path)).body).toMatchObject({ events_total: 1, events_queued: 1 });
});

it('an erased account keeps what proves its streams', async () => {
  const { admin, destination } = await accountWithCustomers();
  await publish(admin, 'c1');
  await sealed(admin, destination, 1);
  await finished(admin, await admin.create('/erasures', { account: true, reason: 'The contract has ended.' }));
  const held = await sealed(admin, destination, 2);
  const kept = held.filter((line) => !line.includes('customer_created.v0'));
  expect(await verify(admin, destination, kept)).toMatchObject({ exitCode: 0, logs: [{ erased: 1 }] });
  const listed = (await admin.get('/events')).body.events as JsonObject[];
  const left = listed.filter(({ payload }) => payload !== null).map(({ type }) => type);
  expect(new Set(left)).toEqual(new Set(['event_destination_checkpoint_signed.v0', 'event_erasure_recorded.v0']));
});

it.each([
  [{ reason: 'nothing is named' }],
  [{ object_id: 'c1', account: true, reason: 'two are named' }],
  [{ principal_id: 'user-1', type: ['customer_created.v0'], reason: 'types of a principal' }],
  [{ object_id: 'c1' }],
])('%j is no erasure', async (body) => {
  const { status } = await delivering.api.admin.send('POST', '/erasures', body);
  expect(status).toBe(400);
});
