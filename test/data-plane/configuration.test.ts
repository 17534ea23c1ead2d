import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { configurationFamilies } from '../../src/data-plane/configuration/configuration-families.js';
import { newId } from '../../src/ids/id.js';
import { makeCertificate } from '../../tools/harness/certificates.js';
import { TestClient, type JsonObject, type TestResponse } from '../support/api-client.js';
import { idpMetadata } from '../support/idp-metadata.js';
import { samples } from '../support/samples.js';
import { startTestApi, type TestApi, type TestDataPlane } from '../support/test-api.js';
import { startTestService } from '../support/test-service.js';

const CONFIG_KEY = 'test_configuration_key_0123456789abcd';

interface Item {
  readonly id: string;
  readonly kind: string;
  readonly account_id: string;
  readonly object: JsonObject | null;
  readonly secrets: Readonly<Record<string, string>>;
  readonly unavailable_secrets: readonly string[];
}

let api: TestApi;
let plane: TestDataPlane;
let gateway: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  plane = await api.startDataPlane({ DATA_PLANE_CONFIG_KEY: CONFIG_KEY });
  gateway = new TestClient(plane.client.baseUrl, CONFIG_KEY);
});
afterAll(() => api.close());

const itemsOf = ({ body }: TestResponse, member = 'changes') => body[member] as readonly Item[];
const changesAfter = (cursor: unknown, more = '') =>
  gateway.get(`/configuration/changes?cursor=${String(cursor)}${more}`);

/** Reads every page. Returns all resources and the cursor of the changes. */
async function readAll(query = ''): Promise<{ items: readonly Item[]; cursor: string }> {
  const items: Item[] = [];
  let answer = await gateway.get(`/configuration?limit=3${query}`);
  for (;;) {
    expect(answer.status).toBe(200);
    const page = itemsOf(answer, 'resources');
    expect(page.length).toBeLessThanOrEqual(3);
    items.push(...page);
    const { cursor } = answer.body;
    if (typeof cursor === 'string') return { items, cursor };
    answer = await gateway.get(`/configuration?limit=3&page=${String(answer.body.next_page)}`);
  }
}

/**
 * Reads the changes after a cursor until a new one of the test's own arrives. Other transactions of the server can
 * delay changes, in other databases too.
 */
async function changesUntilNow(cursor: string, limit = 100, client = gateway): Promise<readonly Item[]> {
  const marker = await api.admin.create('/ip_policies', { description: 'marker' });
  const items: Item[] = [];
  for (let at = cursor; ;) {
    const answer = await client.get(`/configuration/changes?cursor=${at}&limit=${limit}&wait_seconds=20`);
    expect(answer.status).toBe(200);
    const page = itemsOf(answer);
    expect(page.length).toBeLessThanOrEqual(limit);
    items.push(...page);
    if (page.some(({ id }) => id === marker.id)) return items;
    at = String(answer.body.cursor);
  }
}

/** A cursor behind every change until now. The one of `readAll` can be older, and then has some of them again. */
async function cursorOfNow(): Promise<string> {
  const { cursor } = await readAll();
  const marker = await api.admin.create('/ip_policies', { description: 'marker' });
  for (let at = cursor; ;) {
    const answer = await changesAfter(at, '&wait_seconds=20');
    at = String(answer.body.cursor);
    if (itemsOf(answer).some(({ id }) => id === marker.id)) return at;
  }
}

/** The configuration after every change until now. */
async function followed(items: readonly Item[], cursor: string): Promise<ReadonlyMap<string, Item>> {
  const current = new Map(items.map((item) => [item.id, item]));
  for (const item of await changesUntilNow(cursor, 2)) {
    if (item.object === null) current.delete(item.id);
    else current.set(item.id, item);
  }
  return current;
}

describe('the key of the configuration', () => {
  it('is apart from the key for reports', async () => {
    for (const path of ['/configuration', '/configuration/changes']) {
      expect(await plane.client.get(path)).toMatchObject({ status: 401, body: { error_code: 'credentials_invalid' } });
    }
    const report = await gateway.send('PUT', `/sessions/${newId('ts')}`, {});
    expect([report.status, report.body.error_code]).toEqual([401, 'credentials_invalid']);
  });

  it('is required: there is no configuration without it', async () => {
    const other = await api.startDataPlane();
    expect(await other.client.get('/configuration')).toMatchObject({ status: 404 });
    await other.stop();
  });
});

describe('the configuration', () => {
  it('has every family of the data plane as GET returns it, in bounded pages', async () => {
    const made = new Map<string, string>();
    for (const { name, path } of configurationFamilies) {
      const sample = samples[name];
      if (!sample) throw new Error(`There is no sample of ${name}.`);
      const collection = (await sample.collection?.(api.admin)) ?? path;
      const created = await api.admin.create(collection, await sample.create(api.admin));
      made.set(created.id, created.path);
    }
    const { items } = await readAll();
    expect(items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toSorted());
    const byId = new Map(items.map((item) => [item.id, item]));
    for (const [id, path] of made) {
      expect(byId.get(id)).toMatchObject({ account_id: api.accountId, object: (await api.admin.get(path)).body });
    }
    const kinds = new Set(items.map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual(configurationFamilies.map(({ name }) => name).toSorted());
  });

  it('has the secrets in plain text, apart from the objects', async () => {
    const { certificate, key } = await makeCertificate({ dnsNames: ['secret.example.com'] });
    const tls = await api.admin.create('/tls_certificates', { certificate_pem: certificate, private_key_pem: key });
    const edge = await api.admin.create('/edges/https', {});
    const route = await api.admin.create(`${edge.path}/routes`, {
      match_type: 'path_prefix',
      match: '/',
      saml: { idp_metadata: idpMetadata() },
      webhook_verification: { provider: 'github', secret: 'webhook-secret' },
      oidc: { issuer_url: 'https://login.example.com', client_id: 'c', client_secret: 'oidc-secret' },
    });
    const { items, cursor } = await readAll();
    const byId = await followed(items, cursor);
    expect(byId.get(tls.id)?.secrets).toEqual({ private_key_pem: key });
    expect(byId.get(route.id)?.secrets).toEqual({
      'saml.request_signing_key_pem': expect.stringContaining('PRIVATE KEY') as string,
      'webhook_verification.secret': 'webhook-secret',
      'oidc.client_secret': 'oidc-secret',
    });
    expect(JSON.stringify(byId.get(route.id)?.object)).not.toMatch(/PRIVATE KEY|webhook-secret|oidc-secret/);
    await api.admin.send('PUT', `${route.path}/webhook_verification`, { provider: 'github', secret: 'rotated' });
    const changed = (await changesUntilNow(cursor)).filter(({ id }) => id === route.id);
    expect(changed.at(-1)).toMatchObject({ secrets: { 'webhook_verification.secret': 'rotated' } });
  });

  it('can be limited to one account, with its changes', async () => {
    const stranger = await api.addAccount();
    const theirs = await stranger.create('/ip_policies', {});
    const { items, cursor } = await readAll(`&account_id=${api.accountId}`);
    expect(new Set(items.map(({ account_id }) => account_id))).toEqual(new Set([api.accountId]));
    await stranger.patch(theirs.path, { description: 'theirs' });
    const changed = await changesUntilNow(cursor);
    expect(changed.map(({ id }) => id)).not.toContain(theirs.id);
  });

  it('is that of the API after its changes, in whatever order and page they come', async () => {
    const { items, cursor } = await readAll();
    const policies = [];
    for (let count = 0; count < 5; count += 1) policies.push(await api.admin.create('/ip_policies', {}));
    const [first, second] = policies;
    await api.admin.patch(first?.path ?? '', { description: 'changed' });
    await api.admin.delete(second?.path ?? '');
    const edge = await api.admin.create('/edges/https', { hostports: ['followed.example.com:443'] });
    await api.admin.create(`${edge.path}/routes`, { match_type: 'exact_path', match: '/' });
    await api.admin.delete(edge.path);
    const current = await followed(items, cursor);
    const fresh = await readAll();
    expect([...current.keys()].toSorted()).toEqual(fresh.items.map(({ id }) => id));
    for (const item of fresh.items) expect(current.get(item.id)).toEqual(item);
    expect(current.get(first?.id ?? '')?.object).toMatchObject({ description: 'changed' });
  });
});

describe('a cursor', () => {
  it('does not pass a transaction that commits late', async () => {
    const policy = await api.admin.create('/ip_policies', { description: 'before' });
    const { cursor } = await readAll();
    const { db } = api.store;
    let after = cursor;
    await db.transaction().execute(async (trx) => {
      const late = JSON.stringify({ description: 'late' });
      await sql`update resources set attributes = attributes || ${late}::jsonb where id = ${policy.id}`.execute(trx);
      // Younger, and committed first.
      const quick = await api.admin.create('/ip_policies', { description: 'quick' });
      const answer = await changesAfter(after);
      expect(itemsOf(answer).map(({ id }) => id)).not.toContain(quick.id);
      after = String(answer.body.cursor);
    });
    const changed = await changesUntilNow(after);
    expect(changed.map(({ object }) => object?.description)).toEqual(expect.arrayContaining(['late', 'quick']));
  });

  it('is valid at another process, and after a restart', async () => {
    const { cursor } = await readAll();
    const policy = await api.admin.create('/ip_policies', {});
    const other = await api.startDataPlane({ DATA_PLANE_CONFIG_KEY: CONFIG_KEY });
    const changes = await changesUntilNow(cursor, 100, new TestClient(other.client.baseUrl, CONFIG_KEY));
    expect(changes.map(({ id }) => id)).toContain(policy.id);
    await other.stop();
  });

  it('expires with the deletions that it needs, and after a restore or a failover', async () => {
    const { cursor } = await readAll();
    const read = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as JsonObject;
    const forge = (members: JsonObject) => Buffer.from(JSON.stringify({ ...read, ...members })).toString('base64url');
    const restored = await changesAfter(forge({ database: 'other-00000001' }));
    expect([restored.status, restored.body.error_code]).toEqual([410, 'cursor_expired']);
    await sql`update configuration_horizon set tx = (${String(read.transaction)}::xid8)`.execute(api.store.db);
    expect((await changesAfter(cursor)).status).toBe(200);
    const older = forge({ transaction: String(BigInt(String(read.transaction)) - 1n) });
    expect((await changesAfter(older)).status).toBe(410);
    // A restore into another cluster brings the horizon of the old one, which may be ahead of every transaction.
    await sql`update configuration_horizon set tx = '9000000000000'`.execute(api.store.db);
    expect((await changesAfter(cursor)).status).toBe(200);
  });

  it.each(['nonsense', Buffer.from('{}').toString('base64url'), ''])(
    'is refused unless the API made it: %j',
    async (token) => {
      const answer = await changesAfter(token);
      expect([answer.status, answer.body.errors]).toMatchObject([400, [{ pointer: '?cursor' }]]);
    },
  );

  it('of a page is not one of changes', async () => {
    const { body } = await gateway.get('/configuration?limit=1');
    expect((await changesAfter(body.next_page)).status).toBe(400);
    const { cursor } = await readAll();
    expect((await gateway.get(`/configuration?page=${cursor}`)).status).toBe(400);
  });
});

describe('a request that waits', () => {
  it('responds when there is a change', async () => {
    const cursor = await cursorOfNow();
    const waiting = changesAfter(cursor, '&wait_seconds=50');
    const policy = await api.admin.create('/ip_policies', {});
    expect(itemsOf(await waiting).map(({ id }) => id)).toContain(policy.id);
  });

  it('responds without changes after its time, with a later cursor', async () => {
    const cursor = await cursorOfNow();
    const answer = await changesAfter(cursor, '&wait_seconds=1');
    expect([answer.status, itemsOf(answer), answer.body.more]).toEqual([200, [], false]);
  });

  it('ends when the process stops', async () => {
    const other = await api.startDataPlane({ DATA_PLANE_CONFIG_KEY: CONFIG_KEY });
    const client = new TestClient(other.client.baseUrl, CONFIG_KEY);
    const cursor = await cursorOfNow();
    const waiting = client.get(`/configuration/changes?cursor=${cursor}&wait_seconds=50`);
    const inProgress = async () => {
      const { rows } = await api.store.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and query like '%configuration_changes%'`,
      );
      return rows.length;
    };
    await vi.waitFor(async () => expect(await inProgress()).toBeGreaterThan(1), { timeout: 60_000 });
    await other.stop();
    expect((await waiting).status).toBe(200);
  });
});

describe('the account of the configuration', () => {
  it.each([
    ['', 400],
    [newId('ip'), 400],
    ['acct_1', 400],
    [newId('acct'), 404],
  ])('must exist: %j is a %i', async (id, status) => {
    const answer = await gateway.get(`/configuration?account_id=${id}`);
    expect([answer.status, answer.body.resources]).toEqual([status, undefined]);
    if (status === 400) expect(answer.body.errors).toMatchObject([{ pointer: '?account_id' }]);
  });
});

describe('a secret that cannot be decrypted', () => {
  it('makes its own resource unavailable, with one warning, and no other', async () => {
    const { certificate, key } = await makeCertificate({ dnsNames: ['damaged.example.com'] });
    const body = { certificate_pem: certificate, private_key_pem: key };
    const damaged = await api.admin.create('/tls_certificates', body);
    const whole = await api.admin.create('/tls_certificates', body);
    const { cursor } = await readAll();
    const secret = api.store.db.updateTable('secrets').where('resource_id', '=', damaged.id);
    const [before] = await api.store.db
      .selectFrom('secrets')
      .selectAll()
      .where('resource_id', '=', damaged.id)
      .execute();
    await secret.set({ nonce: Buffer.alloc(12) }).execute();
    const lines: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const settings = { ROLES: 'api', DATA_PLANE_CONFIG_KEY: CONFIG_KEY, DATA_PLANE_PORT: '0' };
    const service = await startTestService(api.store.connectionString, settings, logger);
    const client = new TestClient(service.dataPlaneUrl ?? '', CONFIG_KEY);
    try {
      const field = Object.keys((await readAll()).items.find(({ id }) => id === whole.id)?.secrets ?? {});
      const unavailable = { object: { id: damaged.id }, secrets: {}, unavailable_secrets: field };
      for (let read = 0; read < 2; read += 1) {
        const items = itemsOf(await client.get('/configuration'), 'resources');
        expect(items.find(({ id }) => id === damaged.id)).toMatchObject(unavailable);
        expect(items.find(({ id }) => id === whole.id)).toMatchObject({ unavailable_secrets: [] });
      }
      await api.store.db
        .updateTable('resources')
        .set({ updated_at: new Date() })
        .where('id', '=', damaged.id)
        .execute();
      const changed = (await changesUntilNow(cursor)).filter(({ id }) => id === damaged.id);
      expect(changed.at(-1)).toMatchObject(unavailable);
      const warnings = lines.filter((line) => line.includes('secrets of the configuration cannot be decrypted'));
      expect(warnings.map((line) => JSON.parse(line) as JsonObject)).toMatchObject([
        { level: 40, resource: damaged.id, fields: field },
      ]);
      await secret.set({ nonce: before?.nonce ?? Buffer.alloc(0) }).execute();
      const items = itemsOf(await client.get('/configuration'), 'resources');
      expect(items.find(({ id }) => id === damaged.id)).toMatchObject({ unavailable_secrets: [] });
    } finally {
      await service.stop();
    }
  });
});

describe('each read', () => {
  it('is on record, with the ids whose secrets were read and without the secrets', async () => {
    const { certificate, key } = await makeCertificate({ dnsNames: ['recorded.example.com'] });
    const tls = await api.admin.create('/tls_certificates', { certificate_pem: certificate, private_key_pem: key });
    const lines: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const settings = { ROLES: 'api', DATA_PLANE_CONFIG_KEY: CONFIG_KEY, DATA_PLANE_PORT: '0' };
    const service = await startTestService(api.store.connectionString, settings, logger);
    const client = new TestClient(service.dataPlaneUrl ?? '', CONFIG_KEY);
    const { cursor } = await readAll();
    const page = await client.get(`/configuration?account_id=${api.accountId}`);
    const changes = await client.get(`/configuration/changes?cursor=${cursor}`);
    await service.stop();
    const reads = lines.map((line) => JSON.parse(line) as JsonObject).filter(({ msg }) => msg === 'configuration read');
    expect(reads).toMatchObject([
      {
        operation_id: page.headers.get('operation-id'),
        ip: '127.0.0.1',
        read: 'page',
        resources: itemsOf(page, 'resources').length,
        accounts: [api.accountId],
        secrets_of: expect.arrayContaining([tls.id]) as string[],
      },
      { operation_id: changes.headers.get('operation-id'), read: 'changes' },
    ]);
    expect(lines.join('')).not.toContain('PRIVATE KEY');
  });
});

describe('the triggers', () => {
  it('have the families of the configuration', async () => {
    const { rows } = await api.store.pool.query<{ definition: string }>(
      `select pg_get_triggerdef(oid) as definition from pg_trigger
       where tgrelid = 'resources'::regclass and tgname like 'configuration%'`,
    );
    expect(rows).toHaveLength(2);
    for (const { definition } of rows) {
      const kinds = [...definition.matchAll(/'([a-z_]+)'/g)].map(([, kind = '']) => kind);
      expect(kinds.toSorted()).toEqual(configurationFamilies.map(({ name }) => name).toSorted());
    }
  });

  it('forget deletions after a week, and move the horizon', async () => {
    const policy = await api.admin.create('/ip_policies', {});
    await api.admin.delete(policy.path);
    const row = () => api.store.db.selectFrom('configuration_changes').selectAll().where('resource_id', '=', policy.id);
    const [deleted] = await row().execute();
    expect(deleted?.deleted_at).not.toBeNull();
    await api.store.db
      .updateTable('configuration_changes')
      .set({ deleted_at: new Date(Date.now() - 8 * 86_400_000) })
      .where('resource_id', '=', policy.id)
      .execute();
    await sql`update maintenance_tasks set due_at = now() where name = 'configuration_deletions'`.execute(api.store.db);
    const other = await api.startDataPlane();
    await vi.waitFor(async () => expect(await row().execute()).toEqual([]), { timeout: 60_000 });
    const { rows } = await sql<{ moved: boolean }>`
      select tx > ${deleted?.tx}::xid8 and tx < pg_current_xact_id() as moved from configuration_horizon`.execute(
      api.store.db,
    );
    expect(rows).toEqual([{ moved: true }]);
    await other.stop();
  });
});
