import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyRoles } from '../../src/accounts/key-role.js';
import type { TestClient } from '../support/api-client.js';
import { createFixtures, document, fillPath, operations, type Fixtures } from '../support/fixtures.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
let fixtures: Fixtures;
let publisher: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  fixtures = await createFixtures(api);
  publisher = api.client(String((await api.admin.create('/api_keys', { role: 'publisher' })).token));
});
afterAll(() => api.close());

interface Declared {
  readonly 'x-roles'?: readonly string[];
  readonly security: readonly object[];
}

/** The roles that the document declares for an operation; null for a public operation. */
function rolesOf({ method, path }: { readonly method: string; readonly path: string }): readonly string[] | null {
  const operation = document.paths[path]?.[method.toLowerCase()] as unknown as Declared;
  return operation.security.length === 0 ? null : (operation['x-roles'] ?? []);
}

const withKey = operations
  .filter((operation) => rolesOf(operation) !== null)
  .map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

async function eventCount(): Promise<number> {
  const { rows } = await api.store.pool.query<{ count: number }>('select count(*)::int as count from events');
  return rows[0]?.count ?? 0;
}

describe('the roles of a route', () => {
  it.each(withKey)('%s declares known roles, admin among them', (_, operation) => {
    const roles = rolesOf(operation) ?? [];
    expect(roles).toContain('admin');
    expect(roles.filter((role) => !(keyRoles as readonly string[]).includes(role))).toEqual([]);
  });

  it.each(withKey.filter(([, operation]) => rolesOf(operation)?.includes('publisher') === false))(
    '%s refuses a key with the role publisher, and changes nothing',
    async (_, operation) => {
      const events = await eventCount();
      const path = fillPath(operation.path, fixtures.parametersOf(operation.path));
      const { status, body, text } = await publisher.send(operation.method, path, fixtures.bodyOf(operation));
      expect([status, body.error_code], text).toEqual([403, 'role_not_allowed']);
      expect(await eventCount()).toBe(events);
    },
  );
});

describe('a key with the role publisher', () => {
  it('is refused before its body is read, and reads nothing from paths without an operation', async () => {
    const malformed = await publisher.send('POST', '/ip_policies', '{', { 'service-version': undefined });
    expect(malformed.body.error_code).toBe('role_not_allowed');
    expect((await publisher.get('/nowhere')).body.error_code).toBe('route_not_found');
  });

  it('shows its role, which cannot be changed', async () => {
    const created = await api.admin.create('/api_keys', { role: 'publisher' });
    expect(created).toMatchObject({ role: 'publisher' });
    expect((await api.admin.get(created.path)).body).toMatchObject({ role: 'publisher', token: null });
    expect((await api.admin.patch(created.path, { role: 'admin' })).body).toMatchObject({
      errors: [{ pointer: '/role', detail: 'is unknown' }],
    });
    expect((await api.admin.create('/api_keys', {})).role).toBe('admin');
    const unknown = await api.admin.post('/api_keys', { role: 'root' });
    expect(unknown.body).toMatchObject({ errors: [{ pointer: '/role' }] });
  });

  it('is not found by a release that knows no roles: its stored hash is not that of the token', async () => {
    const created = await api.admin.create('/api_keys', { role: 'publisher' });
    const { rows } = await api.store.pool.query(
      `select from api_tokens where key_id = $1 and token_hash = sha256(convert_to($2, 'UTF8'))`,
      [created.id, created.token],
    );
    expect(rows).toEqual([]);
  });

  it('does not count as a key of the admins', async () => {
    const { keys } = (await api.admin.get('/api_keys')).body as { keys: { id: string; role: string }[] };
    const [last, ...others] = keys.filter(({ role }) => role === 'admin').toReversed();
    for (const { id } of others) expect((await api.admin.delete(`/api_keys/${id}`)).status).toBe(204);
    const refused = await api.admin.delete(`/api_keys/${last?.id}`);
    expect([refused.status, refused.body.error_code]).toEqual([409, 'last_admin_key']);
    for (const { id, role } of keys) {
      if (role === 'publisher') expect((await api.admin.delete(`/api_keys/${id}`)).status).toBe(204);
    }
  });
});
