import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { derivedSalt } from '../../src/accounts/derived-salt.js';
import { until } from '../../tools/harness/until.js';
import type { Created, JsonObject } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';
import { someoneWaitsForFence } from '../support/fence-locks.js';

let delivering: DeliveringApi;
beforeAll(async () => {
  delivering = await DeliveringApi.start();
});
afterAll(() => delivering.close());

interface Arrived {
  readonly sequence: number;
  readonly epoch: number;
  readonly event_id: string;
  readonly object: JsonObject;
  readonly principal?: JsonObject;
  readonly request?: JsonObject;
}

/** Waits for `count` events of a destination, and returns them in their order. */
async function arrived(arn: string, count: number): Promise<readonly Arrived[]> {
  await until(() => delivering.arrivals(arn).length >= count, `${count} events arrived`);
  return delivering.arrivals(arn).map((body) => JSON.parse(body) as Arrived);
}

/** Replaces the source of a destination of `DeliveringApi`. */
async function setSource(destination: Created, rule: JsonObject): Promise<string> {
  const { api } = delivering;
  const { event_subscriptions: all } = (await api.admin.get('/event_subscriptions')).body as {
    event_subscriptions: { id: string; destinations: { id: string }[] }[];
  };
  const found = all.find(({ destinations }) => destinations.some(({ id }) => id === destination.id));
  const path = `/event_subscriptions/${found?.id}/sources/ip_policy_created.v0`;
  const { status, text } = await api.admin.patch(path, rule);
  expect(status, text).toBe(200);
  return path;
}

/** Returns the salt of the account. */
async function salt(): Promise<Buffer> {
  const { rows } = await delivering.api.store.pool.query<{ salt: Buffer }>(
    'select salt from account_salts where account_id = $1',
    [delivering.api.accountId],
  );
  return rows[0]?.salt ?? Buffer.alloc(0);
}

it('numbers of filtered events have no gaps', async () => {
  const destination = await delivering.destination();
  await setSource(destination, { filter: 'object.description.startsWith("yes")' });
  for (let n = 0; n < 6; n += 1) {
    await delivering.api.admin.create('/ip_policies', { description: n % 2 === 0 ? `yes ${n}` : `no ${n}` });
  }
  const events = await arrived(destination.arn, 3);
  expect(events.map(({ sequence, object }) => [sequence, object.description])).toEqual([
    [1, 'yes 0'],
    [2, 'yes 2'],
    [3, 'yes 4'],
  ]);
});

it('a destination receives the fields of its source, and every other one the whole event', async () => {
  const { api } = delivering;
  const some = await delivering.destination();
  const all = await delivering.destination();
  const source = await setSource(some, {
    fields: { exclude: ['/object/metadata', '/request'], hash: ['/principal/subject'] },
  });
  const created = await api.admin.create('/ip_policies', { description: 'd', metadata: 'personal' });
  const [projected] = await arrived(some.arn, 1);
  const [whole] = await arrived(all.arn, 1);
  expect(whole).toMatchObject({ object: { id: created.id, metadata: 'personal' } });
  expect(projected?.event_id).toBe(whole?.event_id);
  expect(projected).toMatchObject({ sequence: 1, epoch: whole?.epoch, object: { id: created.id, description: 'd' } });
  expect(projected?.object).not.toHaveProperty('metadata');
  expect(projected).not.toHaveProperty('request');
  const [, , subscriptionId = ''] = source.split('/');
  const subject = createHmac('sha256', derivedSalt(await salt(), subscriptionId))
    .update(JSON.stringify(whole?.principal?.subject))
    .digest('hex');
  expect(projected?.principal).toEqual({ ...whole?.principal, subject: `hmac-sha256:${subject}` });
});

it('the id of a resource is no partition key where its source has fields', async () => {
  const { api, sandbox } = delivering;
  await api.admin.create('/resource_types', { name: 'patient' });
  const types = ['patient_created.v0', 'patient_updated.v0'];
  const subscribe = async (fields?: JsonObject) => {
    const destination = await delivering.destination();
    const sources = [{ type: types[0], fields }, { type: types[1] }];
    await api.admin.create('/event_subscriptions', { destination_ids: [destination.id], sources });
    return destination;
  };
  const [some, all] = [await subscribe({ exclude: ['/object/name'] }), await subscribe()];
  for (const [index, type] of types.entries()) {
    const event = { type, resource_id: 'anna@example.com', object: { name: 'Anna', visit: index } };
    expect((await api.admin.post('/events', { events: [event] })).status).toBe(202);
  }
  const keysOf = async ({ arn }: { readonly arn: string }) => {
    await arrived(arn, 2);
    return sandbox.received({ target: 'data_stream', address: arn }).map(({ partitionKey }) => partitionKey);
  };
  expect(await keysOf(all)).toEqual(['anna@example.com', 'anna@example.com']);
  const hash = createHmac('sha256', derivedSalt(await salt(), some.id))
    .update('anna@example.com')
    .digest('hex');
  expect(await keysOf(some)).toEqual([hash, hash]);
});

it('a publisher cannot find a hashed value of another subscription by publishing every value', async () => {
  const { api } = delivering;
  const type = 'visitor_created.v0';
  await api.admin.create('/resource_types', { name: 'visitor' });
  const key = await api.admin.create('/api_keys', { role: 'publisher' });
  const subscribe = async (filter: string) => {
    const destination = await delivering.destination();
    const sources = [{ type, filter, fields: { hash: ['/object/pin'] } }];
    await api.admin.create('/event_subscriptions', { destination_ids: [destination.id], sources });
    return destination;
  };
  const theirs = await subscribe(`has(principal.via) && principal.via.id == "${key.id}"`);
  const ours = await subscribe(`!has(principal.via) || principal.via.id != "${key.id}"`);
  const event = (pin: number) => ({ type, resource_id: `visitor-${pin}`, object: { pin: `${pin}`.padStart(4, '0') } });
  expect((await api.admin.post('/events', { events: [event(17)] })).status).toBe(202);
  const publisher = api.client(String(key.token));
  const pins = Array.from({ length: 50 }, (_, pin) => event(pin));
  expect((await publisher.post('/events', { events: pins })).status).toBe(202);
  const [secret] = (await arrived(ours.arn, 1)).map(({ object }) => object.pin);
  const tried = (await arrived(theirs.arn, pins.length)).map(({ object }) => object.pin);
  expect(secret).toMatch(/^hmac-sha256:/);
  expect(new Set(tried).size).toBe(pins.length);
  expect(tried).not.toContain(secret);
});

it('a salt that was removed is made again, with other hashes', async () => {
  const { api } = delivering;
  const destination = await delivering.destination();
  await setSource(destination, { fields: { hash: ['/object/description'] } });
  await api.admin.create('/ip_policies', { description: 'same' });
  await arrived(destination.arn, 1);
  await api.store.pool.query('delete from account_salts where account_id = $1', [api.accountId]);
  for (let n = 0; n < 2; n += 1) await api.admin.create('/ip_policies', { description: 'same' });
  const [before, after, again] = (await arrived(destination.arn, 3)).map(({ object }) => object.description);
  expect(before).toMatch(/^hmac-sha256:/);
  expect([after === before, again === after]).toEqual([false, true]);
});

it('deliveries to a destination go on while its first fields wait for a change in progress', async () => {
  const { api } = delivering;
  const destination = await delivering.destination();
  let answered = false;
  let answer: Promise<unknown> | undefined;
  await api.store.db.transaction().execute(async (trx) => {
    await sql`select 1 from event_route_fence where false for share`.execute(trx);
    answer = setSource(destination, { fields: { exclude: ['/object/metadata'] } }).finally(() => (answered = true));
    await until(() => someoneWaitsForFence(api.store), 'the change of the fields waits');
    await api.admin.create('/ip_policies', { description: 'd', metadata: 'shown' });
    await delivering.ended(destination.path, 'delivered', 1);
    expect(answered).toBe(false);
  });
  await answer;
  await api.admin.create('/ip_policies', { description: 'd', metadata: 'hidden' });
  const events = await arrived(destination.arn, 2);
  expect(events.map(({ object }) => object.metadata)).toEqual(['shown', undefined]);
});

it('a redelivery sends what was sent, whatever the source says since', async () => {
  const destination = await delivering.destination();
  await setSource(destination, { fields: { exclude: ['/object/metadata'] } });
  await delivering.api.admin.create('/ip_policies', { description: 'd', metadata: 'hidden' });
  await arrived(destination.arn, 1);
  const [delivery] = await delivering.ended(destination.path, 'delivered', 1);
  await setSource(destination, { fields: null });
  const ids = [delivery?.event_id];
  const { status, text } = await delivering.api.admin.post(`${destination.path}/redeliveries`, { event_ids: ids });
  expect(status, text).toBe(202);
  await arrived(destination.arn, 2);
  const [first, second] = delivering.arrivals(destination.arn);
  expect(second).toBe(first);
  await delivering.api.admin.create('/ip_policies', { description: 'd', metadata: 'shown' });
  const events = await arrived(destination.arn, 3);
  expect(events[2]?.object).toMatchObject({ metadata: 'shown' });
});

it('a destination of two subscriptions receives what both let through', async () => {
  const { api } = delivering;
  const destination = await delivering.destination();
  await setSource(destination, { fields: { exclude: ['/object/metadata'] } });
  await api.admin.create('/event_subscriptions', {
    destination_ids: [destination.id],
    sources: [
      { type: 'ip_policy_created.v0', filter: 'object.description == "both"', fields: { exclude: ['/principal'] } },
    ],
  });
  await api.admin.create('/ip_policies', { description: 'one', metadata: 'm' });
  await api.admin.create('/ip_policies', { description: 'both', metadata: 'm' });
  const [one, both] = await arrived(destination.arn, 2);
  expect([one?.object.metadata, one?.principal === undefined]).toEqual([undefined, false]);
  expect([both?.object.metadata, both?.principal]).toEqual([undefined, undefined]);
});

it('published events are projected too', async () => {
  const { api } = delivering;
  await api.admin.create('/resource_types', { name: 'invoice' });
  const destination = await delivering.destination();
  const type = 'invoice_created.v0';
  await api.admin.create('/event_subscriptions', {
    destination_ids: [destination.id],
    sources: [{ type, filter: 'object.total > 1', fields: { exclude: ['/object/email'] } }],
  });
  const events = [1, 2, 3].map((total) => ({
    type,
    resource_id: `i${total}`,
    object: { total, email: 'a@example.com' },
  }));
  expect((await api.admin.post('/events', { events })).status).toBe(202);
  expect((await arrived(destination.arn, 2)).map(({ object, sequence }) => [sequence, object])).toEqual([
    [1, { total: 2 }],
    [2, { total: 3 }],
  ]);
});
