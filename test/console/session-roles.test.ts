import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyRoles, type KeyRole } from '../../src/accounts/key-role.js';
import { signIn, type BrowserSession } from '../support/browser-session.js';
import { createFixtures, document, fillPath, operations, type Fixtures, type Operation } from '../support/fixtures.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
let fixtures: Fixtures;
let sessions: Readonly<Record<KeyRole, BrowserSession>>;
beforeAll(async () => {
  api = await startTestApi();
  fixtures = await createFixtures(api);
  const opened = await Promise.all(
    keyRoles.map(async (role) => {
      const { token } = await api.admin.create('/api_keys', { role });
      return [role, await signIn(api.baseUrl, { token: String(token) })] as const;
    }),
  );
  sessions = Object.fromEntries(opened) as typeof sessions;
});
afterAll(() => api.close());

interface Declared {
  readonly 'x-roles'?: readonly KeyRole[];
}

function rolesOf({ method, path }: Operation): readonly KeyRole[] | undefined {
  const declared = document.paths[path]?.[method.toLowerCase()] as unknown as Declared | undefined;
  return declared?.['x-roles'];
}

const refusedCalls = operations.flatMap((operation) =>
  keyRoles
    .filter((role) => rolesOf(operation)?.includes(role) === false)
    .map((role) => [`${operation.method} ${operation.path}`, role, operation] as const),
);

async function rowCounts(): Promise<unknown> {
  const { rows } = await api.store.pool.query(
    `select (select count(*)::int from events) as events, (select count(*)::int from resources) as resources,
            (select count(*)::int from deliveries) as deliveries, (select count(*)::int from exports) as exports`,
  );
  return rows[0];
}

describe('a session', () => {
  it('is tried with hundreds of refused operations', () => {
    expect(refusedCalls.length).toBeGreaterThan(200);
  });

  it.each(refusedCalls)('is refused by %s with the role %s, and nothing changes', async (_, role, operation) => {
    const before = await rowCounts();
    const path = fillPath(operation.path, fixtures.parametersOf(operation.path));
    const response = await sessions[role].send(operation.method, path, fixtures.bodyOf(operation), {
      'sec-fetch-site': 'same-origin',
    });
    expect([response.status, response.body.error_code], response.text).toEqual([403, 'role_not_allowed']);
    expect(await rowCounts()).toEqual(before);
  });

  it.each(['admin', 'operator', 'auditor'] as const)('with the role %s reads what its key reads', async (role) => {
    const reads = operations.filter((operation) => operation.method === 'GET' && rolesOf(operation)?.includes(role));
    for (const { path } of reads.filter((operation) => operation.path !== '/service')) {
      const filled = fillPath(path, fixtures.parametersOf(path));
      const [asSession, asAdmin] = [await sessions[role].get(filled), await api.admin.get(filled)];
      expect(asSession.status, path).toBe(200);
      if (path !== '/session') expect(asSession.text, path).toBe(asAdmin.text);
    }
  });
});
