import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { families, familiesWithoutEvents } from '../../src/resources/families.js';
import type { ResourceDefinition } from '../../src/resources/framework/definition/definition.js';
import { valueAt } from '../../src/resources/framework/definition/paths.js';
import { fillPath } from '../../tools/attack/requests/operations.js';
import type { TestClient } from '../support/api-client.js';
import { createFixtures, type Fixtures } from '../support/fixtures.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

interface Reference {
  readonly id: string;
  readonly uri: string;
  readonly family: string;
  readonly fields: readonly string[];
}

let api: TestApi;
let fixtures: Fixtures;
beforeAll(async () => {
  api = await startTestApi();
  fixtures = await createFixtures(api);
});
afterAll(() => api.close());

const all: readonly ResourceDefinition[] = [...families, ...familiesWithoutEvents].map(({ definition }) => definition);
/** Families whose fixture has no id in the members that may hold one. */
const withoutId = ['reserved_domain', 'reserved_addr', 'agent_ingress', 'tunnel_session'];
const referring = all
  .filter(({ links = [], parent }) => links.length > 0 || parent !== undefined)
  .filter(({ name }) => !withoutId.includes(name));

/** The path of the fixture of a family. */
function fixtureOf({ path }: ResourceDefinition): string {
  const template = `${path.replaceAll(/:(\w+)/g, '{$1}')}/{id}`;
  return fillPath(template, fixtures.parametersOf(template));
}

/** The path of the resource with this id, which is in no other resource. */
function pathOf(id: string): string {
  const family = all.find(({ prefix }) => id.startsWith(`${prefix}_`));
  return `${family?.path}/${id}`;
}

/** The ids in a member of a response, which has plain ids or Refs. */
function idsIn(value: unknown): readonly string[] {
  const items = [value ?? []].flat() as (string | { id: string })[];
  return items.map((one) => (typeof one === 'string' ? one : one.id));
}

/** All references to a resource, page by page. */
async function referencesTo(path: string, limit = 100): Promise<readonly Reference[]> {
  const found: Reference[] = [];
  let next: string | null = `${path}/references?limit=${limit}`;
  while (next !== null) {
    const { body, status, text } = await api.admin.get(next.replace(api.baseUrl, ''));
    expect(status, text).toBe(200);
    found.push(...(body.references as Reference[]));
    next = body.next_page_uri as string | null;
  }
  return found;
}

describe('the references to a resource', () => {
  it.each(referring)('name each $name that has its id, and the members that hold it', async (family) => {
    const path = fixtureOf(family);
    const { body } = await api.admin.get(path);
    const fields = (family.links ?? []).map(({ field, as }) => as ?? field);
    if (family.parent) fields.push(family.parent.parameter);
    const held = fields.flatMap((field) => idsIn(valueAt(body, field)).map((id) => [field, id] as const));
    expect(held.length).toBeGreaterThan(0);
    for (const [field, id] of held) {
      const references = await referencesTo(pathOf(id));
      const [own, ...again] = references.filter((reference) => reference.id === body.id);
      expect(again).toEqual([]);
      expect(own).toMatchObject({ id: body.id, uri: body.uri, family: family.name });
      expect(own?.fields).toContain(field);
    }
  });

  it('are in pages, by id, descending, each resource once', async () => {
    const policy = await api.admin.create('/ip_policies', {});
    expect(await referencesTo(policy.path)).toEqual([]);
    const made: string[] = [];
    for (let last = 1; last <= 5; last += 1) {
      const rule = { ip_policy_id: policy.id, cidr: `192.0.2.${last}`, action: 'allow' };
      made.push((await api.admin.create('/ip_policy_rules', rule)).id);
    }
    const edge = await api.admin.create('/edges/tcp', {
      hostports: ['references.example.com:20002'],
      ip_restriction: { ip_policy_ids: [policy.id] },
    });
    const references = await referencesTo(policy.path, 2);
    expect(references.map(({ id }) => id)).toEqual([...made.toReversed(), edge.id]);
    expect(references).toEqual(await referencesTo(policy.path));
    expect(references.at(-1)).toEqual({
      id: edge.id,
      uri: `${api.baseUrl}${edge.path}`,
      family: 'tcp_edge',
      fields: ['ip_restriction.ip_policies'],
    });
    for (const id of made) await api.admin.delete(`/ip_policy_rules/${id}`);
    expect((await referencesTo(policy.path)).map(({ id }) => id)).toEqual([edge.id]);
  });

  it('of an edge are its routes', async () => {
    const edge = await api.admin.create('/edges/https', {});
    const route = await api.admin.create(`${edge.path}/routes`, { match_type: 'path_prefix', match: '/' });
    const fields = ['edge_id'];
    const uri = `${api.baseUrl}${route.path}`;
    expect(await referencesTo(edge.path)).toEqual([{ id: route.id, uri, family: 'https_edge_route', fields }]);
    expect(await referencesTo(route.path)).toEqual([]);
  });

  it('leave out API keys that the caller may not see', async () => {
    const bot = await api.addBot();
    const other = await api.admin.create('/bot_users', { name: 'other' });
    const key = await api.admin.create('/api_keys', { owner_id: other.id });
    const listedBy = async (client: TestClient, path: string) =>
      ((await client.get(`${path}/references`)).body.references as Reference[]).map(({ id }) => id);
    expect(await listedBy(api.admin, other.path)).toEqual([key.id]);
    expect(await listedBy(bot, other.path)).toEqual([]);
    const own = await listedBy(bot, `/bot_users/${bot.botId}`);
    expect(own).toEqual(await listedBy(api.admin, `/bot_users/${bot.botId}`));
    expect(own).toHaveLength(1);
  });

  it('are not found for a resource that does not exist or was deleted', async () => {
    const policy = await api.admin.create('/ip_policies', {});
    await api.admin.delete(policy.path);
    for (const path of [policy.path, '/ip_policies/nonsense', `/bot_users/${policy.id}`]) {
      const response = await api.admin.get(`${path}/references`);
      expect([response.status, response.body.error_code]).toEqual([404, 'not_found']);
    }
  });

  it.each(['nonsense', '%00', 'ipr_', 'IPR_01jdxxxxxxxxxxxxxxxxxxxxxx'])('refuse the cursor %s', async (cursor) => {
    const policy = await api.admin.create('/ip_policies', {});
    const response = await api.admin.get(`${policy.path}/references?before_id=${cursor}`);
    expect(response.status).toBe(400);
    expect(response.body.errors).toMatchObject([{ pointer: '?before_id' }]);
  });
});
