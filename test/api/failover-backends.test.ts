import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Created } from '../support/api-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

const PATH = '/backends/failover';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

function make(backends: readonly string[] = []): Promise<Created> {
  return api.admin.create(PATH, { backends });
}

/** Whether the children of these backends form a cycle, according to the API. */
async function hasCycle(all: readonly Created[]): Promise<boolean> {
  const children = new Map<string, readonly string[]>();
  for (const { id, path: its } of all) {
    children.set(id, (await api.admin.get(its)).body.backends as string[]);
  }
  const done = new Set<string>();
  const leadsBack = (id: string, above: readonly string[]): boolean => {
    if (above.includes(id)) return true;
    if (done.has(id)) return false;
    const found = (children.get(id) ?? []).some((child) => leadsBack(child, [...above, id]));
    done.add(id);
    return found;
  };
  return all.some(({ id }) => leadsBack(id, []));
}

describe('a failover backend', () => {
  it('keeps its children, of every kind of backend, in order', async () => {
    const group = await api.admin.create('/backends/tunnel_group', { labels: { app: 'x' } });
    const response = await api.admin.create('/backends/http_response', {});
    const inner = await make([response.id]);
    const ids = [inner.id, group.id, response.id];
    const backend = await make(ids);
    expect(backend.backends).toEqual(ids);
    const turned = await api.admin.patch(backend.path, { backends: ids.toReversed() });
    expect(turned.body.backends).toEqual(ids.toReversed());
    const { body } = await api.admin.get('/events?type=failover_backend_updated.v0&limit=1');
    expect(body.events).toMatchObject([
      { payload: { changes: { before: { backends: ids }, after: { backends: ids.toReversed() } } } },
    ]);
  });

  it('keeps its children when an update omits them, and removes them with an empty list', async () => {
    const child = await api.admin.create('/backends/http_response', {});
    const backend = await make([child.id]);
    expect((await api.admin.patch(backend.path, { metadata: 'x' })).body.backends).toEqual([child.id]);
    expect((await api.admin.delete(child.path)).body.conflicts).toEqual([backend.id]);
    expect((await api.admin.patch(backend.path, { backends: [] })).body.backends).toEqual([]);
    expect((await api.admin.delete(child.path)).status).toBe(204);
  });

  it('accepts only existing backends, each once', async () => {
    const { id } = await api.admin.create('/backends/http_response', {});
    const policy = await api.admin.create('/ip_policies', {});
    const theirs = await (await api.addAccount()).create('/backends/http_response', {});
    for (const wrong of ['bkdhr_00000000000000000000000000', policy.id, theirs.id]) {
      const response = await api.admin.post(PATH, { backends: [id, wrong] });
      expect(response.status).toBe(400);
      expect(response.body.errors).toMatchObject([{ pointer: '/backends/1' }]);
    }
    const twice = await api.admin.post(PATH, { backends: [id, id] });
    expect(twice.body.errors).toMatchObject([{ pointer: '/backends' }]);
    expect((await api.admin.post(PATH, { backends: null })).body.errors).toMatchObject([{ pointer: '/backends' }]);
  });

  it('cannot be its own child', async () => {
    const other = await make();
    const backend = await make();
    const response = await api.admin.patch(backend.path, { backends: [other.id, backend.id] });
    expect(response.status).toBe(400);
    expect(response.body.errors).toEqual([{ pointer: '/backends/1', detail: 'must not be the backend itself' }]);
  });

  it('cannot be a child of its descendants, and the error names the child of the cycle', async () => {
    const bottom = await make();
    const middle = await make([bottom.id]);
    const top = await make([middle.id]);
    const free = await make();
    const response = await api.admin.patch(bottom.path, { backends: [free.id, top.id, middle.id] });
    expect(response.status).toBe(400);
    expect(response.body.errors).toEqual(
      [1, 2].map((index) => ({
        pointer: `/backends/${index}`,
        detail: `would create a cycle: the child fails over to ${bottom.id}`,
      })),
    );
    expect((await api.admin.get(bottom.path)).body.backends).toEqual([]);
    expect((await api.admin.patch(top.path, { backends: [middle.id, bottom.id] })).status).toBe(200);
  });

  it('does not become part of a cycle of two concurrent updates', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b, c] = [await make(), await make(), await make()];
      const responses = await Promise.all([
        api.admin.patch(a.path, { backends: [b.id] }),
        api.admin.patch(b.path, { backends: [c.id] }),
        api.admin.patch(c.path, { backends: [a.id] }),
      ]);
      expect(responses.map(({ status }) => String(status)).toSorted()).toEqual(['200', '200', '400']);
      expect(await hasCycle([a, b, c])).toBe(false);
    }
  });

  it('is never part of a cycle, whatever the concurrent updates', async () => {
    const count = 5;
    const index = fc.nat(count - 1);
    const update = fc.record({ of: index, to: fc.uniqueArray(index, { maxLength: 3 }) });
    const waves = fc.array(fc.array(update, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(waves, async (plan) => {
        const all = await Promise.all(Array.from({ length: count }, () => make()));
        const idOf = (place: number) => all[place]?.id ?? '';
        for (const wave of plan) {
          const responses = await Promise.all(
            wave.map(({ of, to }) => api.admin.patch(`${PATH}/${idOf(of)}`, { backends: to.map(idOf) })),
          );
          for (const { status } of responses) expect([200, 400]).toContain(status);
          expect(await hasCycle(all)).toBe(false);
        }
      }),
      { numRuns: 8 },
    );
  });
});
