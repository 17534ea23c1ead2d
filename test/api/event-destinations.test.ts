import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { targetKinds, type TargetKind } from '../../src/targets/target.js';
import type { JsonObject } from '../support/api-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const SECRET = 'planted-secret-0123456789-abcdefghijkl';
const creds = { creds: { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: SECRET } };
const role = { role: { role_arn: 'arn:aws:iam::123456789012:role/writer' } };
const targets: Readonly<Record<TargetKind, Record<string, unknown>>> = {
  delivery_stream: {
    auth: creds,
    delivery_stream_arn: 'arn:aws:firehose:us-east-1:123456789012:deliverystream/audit',
    records: 'one_event',
  },
  data_stream: {
    auth: creds,
    stream_arn: 'arn:aws:kinesis:us-east-1:123456789012:stream/audit',
    records: 'packed',
  },
  log_group: { auth: creds, log_group_arn: 'arn:aws:logs:us-east-1:123456789012:log-group:/audit' },
  monitoring: {
    api_key: 'feedfacefeedfacefeedfacefeedface',
    site: 'datadoghq.com',
    service: 'audit',
    tags: 'a:b',
  },
  log_ingestion: {
    tenant_id: '11111111-2222-4333-8444-555555555555',
    client_id: '66666666-7777-4888-8999-aaaaaaaaaaaa',
    client_secret: SECRET,
    logs_ingestion_uri: 'https://audit-x1y2.westeurope-1.ingest.monitor.azure.com',
    data_collection_rule_id: 'dcr-0123456789abcdef0123456789abcdef',
    data_collection_stream_name: 'Custom-Audit_CL',
  },
};
const secretOf: Readonly<Record<TargetKind, string>> = {
  delivery_stream: 'target.delivery_stream.auth.creds.cloud_secret_access_key',
  data_stream: 'target.data_stream.auth.creds.cloud_secret_access_key',
  log_group: 'target.log_group.auth.creds.cloud_secret_access_key',
  monitoring: 'target.monitoring.api_key',
  log_ingestion: 'target.log_ingestion.client_secret',
};

/** The sealed secrets of a resource, as stored. */
async function sealed(id: string) {
  return api.store.db.selectFrom('secrets').selectAll().where('resource_id', '=', id).execute();
}

/** A returned target without null and undefined members. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, withoutNulls(member)]),
  );
}

describe.each(targetKinds)('a %s destination', (kind) => {
  const plain = JSON.parse(
    JSON.stringify(targets[kind]).replaceAll(/"(cloud_secret_access_key|api_key|client_secret)":"[^"]*"/g, '"$1":null'),
  ) as Record<string, unknown>;

  it('returns exactly one target, without its secret, and seals the secret', async () => {
    const created = await api.admin.create('/event_destinations', { target: { [kind]: targets[kind] } });
    const shown = created.target as Record<TargetKind, unknown>;
    expect(Object.keys(shown).toSorted()).toEqual([...targetKinds].toSorted());
    expect(targetKinds.filter((other) => shown[other] !== null)).toEqual([kind]);
    expect(withoutNulls(shown[kind])).toEqual(withoutNulls(plain));
    expect((await sealed(created.id)).map(({ field }) => field)).toEqual([secretOf[kind]]);
  });

  it('has a lane of its kind from the start', async () => {
    const { id } = await api.admin.create('/event_destinations', { target: { [kind]: targets[kind] } });
    const lane = await api.store.db
      .selectFrom('delivery_lanes')
      .selectAll()
      .where('destination_id', '=', id)
      .executeTakeFirst();
    expect(lane).toMatchObject({ target_kind: kind, account_id: api.accountId });
  });

  it('accepts the GET response as an update that changes nothing', async () => {
    const { path } = await api.admin.create('/event_destinations', { target: { [kind]: targets[kind] } });
    const read = await api.admin.get(path);
    const { description, metadata, format, target } = read.body;
    const response = await api.admin.patch(path, { description, metadata, format, target });
    expect([response.status, response.headers.get('etag')]).toEqual([200, '"v1"']);
    expect(response.body).toEqual(read.body);
  });

  it('takes any one of its fields as an update, and keeps the others', async () => {
    const { path } = await api.admin.create('/event_destinations', { target: { [kind]: targets[kind] } });
    const { body } = await api.admin.get(path);
    for (const [name, value] of Object.entries(targets[kind])) {
      const response = await api.admin.patch(path, { target: { [kind]: { [name]: value } } });
      expect([response.status, response.body], name).toEqual([200, body]);
    }
  });

  it('requires its secret on creation', async () => {
    const response = await api.admin.post('/event_destinations', { target: { [kind]: withoutNulls(plain) } });
    expect(response.body).toMatchObject({
      status: 400,
      errors: [{ pointer: `/${secretOf[kind].replaceAll('.', '/')}`, detail: 'is required' }],
    });
  });

  it('refuses unknown fields in its target', async () => {
    const response = await api.admin.post('/event_destinations', {
      target: { [kind]: { ...targets[kind], endpoint: 'http://evil' } },
    });
    expect(response.body).toMatchObject({ status: 400, errors: [{ pointer: `/target/${kind}/endpoint` }] });
  });
});

describe('event destinations', () => {
  it('show both members of auth, one of them null, however the request spells it', async () => {
    const authOf = ({ target }: JsonObject) => (target as { data_stream: { auth: JsonObject } }).data_stream.auth;
    const withAuth = (auth: object) => ({ target: { data_stream: { ...targets.data_stream, auth } } });
    for (const [before, after] of [
      [creds, role],
      [
        { role: null, ...creds },
        { creds: null, ...role },
      ],
    ] as const) {
      const { path, id } = await api.admin.create('/event_destinations', withAuth(before));
      const key = { role: null, creds: { ...creds.creds, cloud_secret_access_key: null } };
      expect(authOf((await api.admin.get(path)).body)).toEqual(key);
      const ofRole = { role: { ...role.role, external_id: expect.any(String) as string }, creds: null };
      expect(authOf((await api.admin.patch(path, withAuth(after))).body)).toEqual(ofRole);
      const { events } = (await api.admin.get(`/events?object_id=${id}`)).body as {
        events: { payload: { object: JsonObject } }[];
      };
      expect(events.map(({ payload }) => authOf(payload.object))).toEqual([ofRole, key]);
    }
  });

  it('have exactly one target', async () => {
    const { monitoring, data_stream } = targets;
    for (const target of [{}, { monitoring, data_stream }, { monitoring: null }, null, undefined, { webhook: {} }]) {
      expect((await api.admin.post('/event_destinations', { target })).status).toBe(400);
    }
  });

  it('accept JSON as the only format', async () => {
    const target = { monitoring: targets.monitoring };
    expect((await api.admin.create('/event_destinations', { target, format: 'JSON' })).format).toBe('json');
    expect((await api.admin.create('/event_destinations', { target })).format).toBe('json');
    expect((await api.admin.post('/event_destinations', { target, format: 'xml' })).status).toBe(400);
  });

  it('keep their kind of target: a change is a 409', async () => {
    const { path } = await api.admin.create('/event_destinations', {
      target: { monitoring: targets.monitoring },
    });
    const response = await api.admin.patch(path, { target: { data_stream: targets.data_stream } });
    expect([response.status, response.body.error_code]).toEqual([409, 'conflict']);
  });

  it('keep a secret that an update omits, and replace one that it contains', async () => {
    const { path, id } = await api.admin.create('/event_destinations', {
      target: { monitoring: targets.monitoring },
    });
    const [before] = await sealed(id);
    await api.admin.patch(path, { target: { monitoring: { site: 'datadoghq.eu' } } });
    expect((await sealed(id))[0]?.ciphertext).toEqual(before?.ciphertext);
    await api.admin.patch(path, {
      target: { monitoring: { site: 'datadoghq.eu', api_key: 'cafe'.repeat(8) } },
    });
    expect((await sealed(id))[0]?.ciphertext).not.toEqual(before?.ciphertext);
  });

  it('keep target fields that an update omits: a new key does not change the site', async () => {
    const monitoring = { ...targets.monitoring, site: 'datadoghq.eu', service: 'audit', tags: 'a:b' };
    const { path } = await api.admin.create('/event_destinations', { target: { monitoring } });
    const rotated = await api.admin.patch(path, { target: { monitoring: { api_key: 'f00d'.repeat(8) } } });
    expect(rotated.body.target).toMatchObject({
      monitoring: { site: 'datadoghq.eu', service: 'audit', tags: 'a:b' },
    });
    const cleared = await api.admin.patch(path, { target: { monitoring: { service: null } } });
    expect(cleared.body.target).toMatchObject({
      monitoring: { site: 'datadoghq.eu', service: null, tags: 'a:b' },
    });
  });

  it('check the fields that an update changes together with those that it keeps', async () => {
    const { path } = await api.admin.create('/event_destinations', {
      target: { log_group: { ...targets.log_group, auth: role } },
    });
    const log_group_arn = 'arn:aws:logs:us-east-1:999999999999:log-group:/audit';
    const refused = await api.admin.patch(path, { target: { log_group: { log_group_arn } } });
    const pointer = '/target/log_group/auth/role/role_arn';
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ pointer }]]);
    const emptied = await api.admin.patch(path, { target: { log_group: { auth: {} } } });
    expect([emptied.status, emptied.body.errors]).toMatchObject([400, [{ pointer: '/target/log_group/auth' }]]);
  });

  it('emit an event for a changed secret that shows null before and after', async () => {
    const { path, id } = await api.admin.create('/event_destinations', {
      target: { monitoring: targets.monitoring },
    });
    await api.admin.patch(path, {
      target: { monitoring: { ...targets.monitoring, api_key: 'beef'.repeat(8) } },
    });
    const list = await api.admin.get('/events?type=event_destination_updated.v0&limit=1');
    expect(list.body.events).toMatchObject([
      {
        resource_id: id,
        payload: {
          changes: {
            before: { target: { monitoring: { api_key: null } } },
            after: { target: { monitoring: { api_key: null } } },
          },
        },
      },
    ]);
  });

  it('generate the external id of a role, keep it, and ignore one from a client', async () => {
    const body = (auth: unknown) => ({ target: { data_stream: { ...targets.data_stream, auth } } });
    const made = await api.admin.create(
      '/event_destinations',
      body({ role: { ...role.role, external_id: 'chosen-by-a-client' } }),
    );
    const idIn = (response: Record<string, unknown>) =>
      (response.target as { data_stream: { auth: { role: { external_id: string } } } }).data_stream.auth.role
        .external_id;
    const externalId = idIn(made);
    expect(externalId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await sealed(made.id)).toEqual([]);
    const moved = await api.admin.patch(
      made.path,
      body({ role: { role_arn: 'arn:aws:iam::123456789012:role/other' } }),
    );
    expect(idIn(moved.body)).toBe(externalId);
    for (const external_id of ['chosen-by-a-client', '', null]) {
      const response = await api.admin.patch(made.path, body({ role: { ...role.role, external_id } }));
      expect([response.status, idIn(response.body)]).toEqual([200, externalId]);
    }
    const fromKeys = await api.admin.create('/event_destinations', body(creds));
    const assumed = await api.admin.patch(fromKeys.path, body({ role: { ...role.role, external_id: externalId } }));
    expect(idIn(assumed.body)).toMatch(/^[0-9a-f-]{36}$/);
    expect(idIn(assumed.body)).not.toBe(externalId);
    const other = await api.admin.create('/event_destinations', body(role));
    expect(idIn(other)).not.toBe(externalId);
  });

  it('can change between role and keys, and the secret is stored only with keys', async () => {
    const body = (auth: unknown) => ({ target: { data_stream: { ...targets.data_stream, auth } } });
    const { path, id } = await api.admin.create('/event_destinations', body(creds));
    await api.admin.patch(path, body(role));
    expect(await sealed(id)).toEqual([]);
    const withoutSecret = { creds: { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE' } };
    expect((await api.admin.patch(path, body(withoutSecret))).status).toBe(400);
    expect((await api.admin.patch(path, body(creds))).status).toBe(200);
    expect(await sealed(id)).toHaveLength(1);
  });

  it('can be updated while a secret cannot be decrypted, and take a new one', async () => {
    const { path, id } = await api.admin.create('/event_destinations', { target: { monitoring: targets.monitoring } });
    await api.store.db
      .updateTable('secrets')
      .set({ nonce: Buffer.alloc(12) })
      .where('resource_id', '=', id)
      .execute();
    const damaged = await sealed(id);
    const kept = await api.admin.patch(path, { description: 'the secret is kept' });
    expect([kept.status, await sealed(id)], kept.text).toEqual([200, damaged]);
    const api_key = '0123456789abcdef0123456789abcdef';
    const replace = () => api.admin.patch(path, { target: { monitoring: { ...targets.monitoring, api_key } } });
    expect((await replace()).headers.get('etag')).toBe('"v3"');
    // The new secret can be decrypted: the same one is no change.
    expect((await replace()).headers.get('etag')).toBe('"v3"');
  });

  it('never expose a secret in responses, events or tables', async () => {
    const made = await api.admin.create('/event_destinations', {
      target: { log_ingestion: targets.log_ingestion },
    });
    await api.admin.patch(made.path, { description: 'changed' });
    await api.admin.create('/event_subscriptions', {
      destination_ids: [made.id],
      sources: [{ type: 'bot_user_created.v0' }],
    });
    const responses = [
      await api.admin.get(made.path),
      await api.admin.get('/event_destinations'),
      await api.admin.get('/events'),
    ];
    for (const { text } of responses) expect(text).not.toContain(SECRET);
    const tables = await api.store.pool.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    );
    for (const { name } of tables.rows) {
      const rows = await api.store.pool.query(`select t::text as line from ${name} t`);
      expect(JSON.stringify(rows.rows), name).not.toContain(SECRET);
    }
  });
});

describe.each(['delivery_stream', 'data_stream'] as const)('the records of a %s', (kind) => {
  const { records: _, ...withoutRecords } = targets[kind];
  const recordsIn = (body: Record<string, unknown>) =>
    (body.target as Record<TargetKind, { records: string }>)[kind].records;

  it('hold one event by default', async () => {
    const created = await api.admin.create('/event_destinations', { target: { [kind]: withoutRecords } });
    expect(recordsIn(created)).toBe('one_event');
  });

  it('are packed on request, and stay packed when an update omits the option', async () => {
    const { path, ...created } = await api.admin.create('/event_destinations', {
      target: { [kind]: { ...withoutRecords, records: 'packed' } },
    });
    expect(recordsIn(created)).toBe('packed');
    const kept = await api.admin.patch(path, { target: { [kind]: withoutRecords } });
    expect(recordsIn(kept.body)).toBe('packed');
    const changed = await api.admin.patch(path, { target: { [kind]: { ...withoutRecords, records: 'one_event' } } });
    expect(recordsIn(changed.body)).toBe('one_event');
    expect(recordsIn((await api.admin.get(path)).body)).toBe('one_event');
  });

  it.each(['kpl', null, 1, ''])('cannot be %j: the error names the option', async (records) => {
    const response = await api.admin.post('/event_destinations', {
      target: { [kind]: { ...withoutRecords, records } },
    });
    expect(response.body).toMatchObject({ status: 400, errors: [{ pointer: `/target/${kind}/records` }] });
  });

  it('of a destination that is older than the option hold one event', async () => {
    const { path, id } = await api.admin.create('/event_destinations', { target: { [kind]: withoutRecords } });
    await api.store.pool.query('update resources set attributes = attributes #- $2::text[] where id = $1', [
      id,
      ['target', kind, 'records'],
    ]);
    expect(recordsIn((await api.admin.get(path)).body)).toBe('one_event');
    const updated = await api.admin.patch(path, { target: { [kind]: { ...withoutRecords, records: 'packed' } } });
    expect(recordsIn(updated.body)).toBe('packed');
  });
});
