import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillPath } from '../../tools/attack/requests/operations.js';
import { createFixtures, operations, type Fixtures } from '../support/fixtures.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
let fixtures: Fixtures;
beforeAll(async () => {
  api = await startTestApi();
  fixtures = await createFixtures(api);
});
afterAll(() => api.close());

const creations = operations.filter(({ method, body }) => method === 'POST' && body !== undefined);

it.each(creations.map((operation) => [operation.path, operation] as const))(
  'POST %s without a body fails as with an empty object, or succeeds',
  async (_, operation) => {
    const path = fillPath(operation.path, fixtures.parametersOf(operation.path));
    const without = await api.admin.send('POST', path, '');
    const withEmpty = await api.admin.send('POST', path, {});
    expect(without.status, without.text).toBeLessThan(500);
    expect([without.status, 400], without.text).toContain(withEmpty.status);
  },
);
