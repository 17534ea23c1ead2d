import { readFileSync } from 'node:fs';
import { createLogger } from '../../src/logging/logger.js';
import { LogSealer } from '../../src/proof/log-sealer.js';
import { LogStore } from '../../src/proof/log-store.js';
import { families } from '../../src/resources/families.js';
import type { ResourceDefinition } from '../../src/resources/framework/definition/definition.js';
import type { KnownRequests } from '../../tools/attack/requests/generated-requests.js';
import { fillPath, operationsOf, type Document, type Operation } from '../../tools/attack/requests/operations.js';
import { until } from '../../tools/harness/until.js';
import type { JsonObject } from './api-client.js';
import { writeExport } from './exports.js';
import { routeModules } from './route-modules.js';
import { samples } from './samples.js';
import type { TestApi } from './test-api.js';
import { startTunnel } from './tunnel.js';

/** The committed OpenAPI document. */
export const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Document;

/** Every operation of the document whose response ends. */
export const operations = operationsOf(document);

/** One resource of every family, in the account of the first admin. */
export interface Fixtures extends KnownRequests {
  bodyOf(operation: Operation): JsonObject | undefined;
}

const all: readonly ResourceDefinition[] = families.map(({ definition }) => definition);
const EVENT_TYPE = 'ip_policy_created.v0';
/** An event type that can be published. */
export const PUBLISHED_TYPE = 'published_created.v0';

/** A backfill that sends nothing. */
const COUNTED = { from: '2020-01-01T00:00:00Z', dry_run: true };

/** Creates a backfill or a recovery, and returns its id when it has ended: it does not change any more. */
async function ended({ admin }: TestApi, path: string, body: JsonObject): Promise<string> {
  const { id } = await admin.create(path, body);
  const hasEnded = async () => (await admin.get(`${path}/${id}`)).body.finished_at !== null;
  await until(hasEnded, `${path} has ended`);
  return id;
}

/** Makes the log of a destination, with an event as its only leaf, and signs it. */
async function makeLog({ store, logKeys: keys }: TestApi, destinationId: string, eventId: string): Promise<void> {
  await store.pool.query(
    `insert into finished_deliveries (id, sequence, created_at, finished_at, attempts, event_id, destination_id, account_id, state)
     select 1, 1, created_at, now(), 1, id, $1, account_id, 'delivered' from events where id = $2`,
    [destinationId, eventId],
  );
  await store.pool.query('update delivery_lanes set next_sequence = 2 where destination_id = $1', [destinationId]);
  const parts = {
    dispatcher: { notify: () => {} },
    logger: createLogger('silent'),
    checkpointMs: 0,
    isCosigned: false,
  };
  const sealer = new LogSealer({ db: store.db, keys, ...parts });
  await new LogStore(store.db).due(1, 0);
  await sealer.step(destinationId);
}

/** Creates a resource of every family, with every module, a tunnel and a source. */
export async function createFixtures(api: TestApi): Promise<Fixtures> {
  const made = new Map<string, string>();
  const bodies = new Map<string, JsonObject>();
  const modules = await routeModules(api.admin);
  for (const definition of all) {
    const sample = samples[definition.name];
    if (!sample) continue;
    const template = definition.path.replaceAll(/:(\w+)/g, '{$1}');
    const collection = fillPath(template, parametersOf(template));
    const created = await api.admin.create(collection, await sample.create(api.admin));
    made.set(template, created.id);
    bodies.set(`POST ${template}`, await sample.create(api.admin));
    bodies.set(`PATCH ${template}/{id}`, sample.change);
    for (const { name } of definition.modules ?? [])
      bodies.set(`PUT ${template}/{id}/${name}`, modules[name]?.set ?? {});
  }
  const { keys } = (await api.admin.get('/api_keys')).body as { keys: { owner_id: string }[] };
  made.set('/users', keys.at(-1)?.owner_id ?? '');
  made.set('/tunnels', await startTunnel(api));
  for (const list of ['tunnel_sessions', 'events']) {
    const items = (await api.admin.get(`/${list}?limit=1`)).body[list] as { id: string }[];
    made.set(`/${list}`, items[0]?.id ?? '');
  }
  const sources = '/event_subscriptions/{subscription_id}/sources';
  made.set(sources, EVENT_TYPE).set('/event_types', EVENT_TYPE);
  bodies.set(`POST ${sources}`, { type: 'bot_user_created.v0' }).set(`PATCH ${sources}/{type}`, {});
  bodies.set('POST /event_destinations/{id}/log_links', { expires_in_hours: 1 });
  bodies.set('POST /event_destinations/{id}/redeliveries', { state: 'rejected' });
  const backfills = '/event_destinations/{id}/backfills';
  const destinationId = made.get('/event_destinations') ?? '';
  await api.admin.create('/event_subscriptions', { sources: [{ type: EVENT_TYPE }], destination_ids: [destinationId] });
  made.set(backfills, await ended(api, fillPath(backfills, [destinationId]), COUNTED));
  bodies.set(`POST ${backfills}`, COUNTED);
  const recoveries = '/event_destinations/recoveries';
  const recovery = { from: '2020-01-01T00:00:00Z' };
  made.set(recoveries, await ended(api, recoveries, recovery));
  bodies.set(`POST ${recoveries}`, recovery);
  bodies.set('POST /event_subscriptions/preview', { type: EVENT_TYPE });
  // Not the fixture of its family: requests to that one change it.
  await api.admin.create('/resource_types', { name: 'published' });
  bodies.set('POST /events', { events: [{ type: PUBLISHED_TYPE, resource_id: 'p1', object: { total: 1 } }] });
  const exported = await api.admin.create('/exports', { format: 'ndjson', filter: { type: [EVENT_TYPE] } });
  await writeExport(api, exported.path);
  made.set('/exports', exported.id);
  bodies.set('POST /exports', { format: 'csv', filter: { type: [EVENT_TYPE] } });
  await makeLog(api, destinationId, made.get('/events') ?? '');
  const erasure = { object_id: 'erased', reason: 'a test' };
  made.set('/erasures', (await api.admin.create('/erasures', erasure)).id);
  bodies.set('POST /erasures', erasure);
  made.set('/event_destinations/{id}/log', '1').set('/event_destinations/{id}/log/{epoch}/tile', '0/000.p/1');
  made.set('/events/{id}/deliveries', 'dlv_1');
  bodies.set('POST /session', { token: api.admin.token });
  bodies.set('PUT /edges/tcp/{id}/traffic_policy', samples.tcp_edge?.change.traffic_policy as JsonObject);

  /** Finds the id of each parameter by the collection before it. */
  function parametersOf(path: string): string[] {
    return [...path.matchAll(/\/\{\w+\}/g)].map((match) => {
      const parameter = made.get(path.slice(0, match.index));
      if (parameter === undefined) throw new Error(`No fixture for ${path}.`);
      return parameter;
    });
  }

  for (const operation of operations) {
    if (operation.method === 'PUT' && operation.path.startsWith('/edges')) {
      const path = fillPath(operation.path, parametersOf(operation.path));
      const body = bodies.get(`PUT ${operation.path}`);
      const response = await api.admin.send('PUT', path, body);
      if (response.status !== 200) throw new Error(`PUT ${path} returned ${response.status}: ${response.text}`);
    }
  }
  return {
    schemas: document.components.schemas,
    ids: [...made.values()].filter((id) => id !== EVENT_TYPE && !/^\d|^dlv_/.test(id)),
    parametersOf,
    bodyOf: ({ method, path }) => bodies.get(`${method} ${path}`),
  };
}
