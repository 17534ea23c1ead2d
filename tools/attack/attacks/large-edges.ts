import type { Attack } from '../attack.js';
import type { AttackClient } from '../environment/attack-client.js';

/** Header values of a route: its event has almost the 64 KiB that fit. */
const HEADERS = Object.fromEntries(Array.from({ length: 22 }, (_, index) => [`h${index}`, 'v'.repeat(1_000)]));
const POLICY = `{"on_http_request":[]}${' '.repeat(24_000)}`;
const MONITORING = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };
const DELETED = 'https_edge_route_deleted.v0';
/** Below the rate of a key. */
const ROUTES_OF_A_KEY = 900;

/** Deletions that record thousands of events in one transaction. */
export const largeEdges: Attack = {
  name: 'large-edges',
  title:
    'deletions of two edges at once, each with thousands of the largest routes, whose events are filtered and projected',
  async run(environment) {
    const { admin } = await environment.account();
    const other = await environment.account();
    const routes = environment.pick(3_500, 250);
    const destination = await admin.demand('POST', '/event_destinations', {
      target: MONITORING,
      paused: { reason: 'x' },
    });
    const source = { type: DELETED, filter: 'object.match != "/7"', fields: { exclude: ['/object/description'] } };
    await admin.demand('POST', '/event_subscriptions', { sources: [source], destination_ids: [destination['id']] });
    const edges = [await admin.demand('POST', '/edges/https', {}), await admin.demand('POST', '/edges/https', {})];
    for (let at = 0; at < routes; at += ROUTES_OF_A_KEY / 2) {
      const key = await environment.key(admin, 'admin');
      const until = Math.min(routes, at + ROUTES_OF_A_KEY / 2);
      for (const { id } of edges) await makeRoutes(key, `/edges/https/${String(id)}/routes`, at, until);
    }
    const begun = performance.now();
    const deletions = edges.map(({ id }) => admin.send('DELETE', `/edges/https/${String(id)}`));
    const told = await other.admin.demand('POST', '/event_destinations', { target: MONITORING });
    // It waits for no deletion of the attacker.
    const subscribed = await other.admin.send('POST', '/event_subscriptions', {
      sources: [{ type: DELETED }],
      destination_ids: [told['id']],
    });
    const waited = performance.now() - begun;
    const statuses = (await Promise.all(deletions)).map(({ status }) => status);
    const took = performance.now() - begun;
    environment.note(
      `two edges of ${routes} routes in ${(took / 1_000).toFixed(1)} s: ${statuses.join()}; a subscription of another account after ${(waited / 1_000).toFixed(1)} s: ${subscribed.status}`,
    );
    environment.expect(subscribed.status === 201, 'another account subscribes during the deletions');
    // The second one may wait for its turn until it is refused.
    const isHeld = statuses.includes(204) && statuses.every((status) => status === 204 || status === 429);
    environment.expect(isHeld, `the edges are deleted, not ${statuses.join()}`);
  },
};

async function makeRoutes(key: AttackClient, path: string, from: number, until: number): Promise<void> {
  for (let at = from; at < until; at += 10) {
    const made = Array.from({ length: Math.min(10, until - at) }, (_, index) =>
      key.demand('POST', path, {
        match_type: 'exact_path',
        match: `/${at + index}`,
        response_headers: { add: HEADERS },
        traffic_policy: { value: POLICY },
      }),
    );
    await Promise.all(made);
  }
}
