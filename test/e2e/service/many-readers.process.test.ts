import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@waybill/embedded-postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../../src/database/store.js';
import { newId } from '../../../src/ids/id.js';
import { TestClient } from '../../support/api-client.js';
import { createTestStore } from '../../support/database.js';
import { addVersions, copyResources, copyRow, insertDeliveries, insertEvents } from '../../support/large-rows.js';
import { testSecretsKeys } from '../../support/secrets.js';
import { ADMIN_KEY } from '../../support/test-service.js';
import { Programs, says, type Run } from './process-run.js';

/** Readers of a list at once, and of how many one reads nothing. */
const [READERS, SILENT_PART] = [200, 4];
const READING = READERS - READERS / SILENT_PART;
/** The heap of `npm start` and of the image. */
const HEAP_MEGABYTES = 384;
/** Most resident memory: the heap, and as much again for the program and for what waits to be sent. */
const MOST_MEGABYTES = 2 * HEAP_MEGABYTES;
/** Items of a list, as many as a page may have and one more, and about their largest size. */
const [ITEMS, LARGE] = [101, 52_000];

/** Destinations whose status a stream shows. */
const DESTINATIONS = 2_000;

const CONFIG_KEY = 'test_configuration_key_0123456789abcd';

/** Responses that have no end, or are no page: their readers leave when they have begun. */
const endless = /\/(stream|export)$/;

const programs = new Programs();
let store: Store;
let service: Run;
let api: TestClient;
let plane: TestClient;
const sockets = new Set<Socket>();
beforeAll(async () => {
  store = await createTestStore();
  const [port, planePort] = [await freePort(), await freePort()];
  service = programs.start([`--max-old-space-size=${HEAP_MEGABYTES}`, 'service/main.js'], {
    DATABASE_URL: store.connectionString,
    SECRETS_KEYS: testSecretsKeys,
    BOOTSTRAP_API_KEY: ADMIN_KEY,
    PORT: `${port}`,
    ROLES: 'api',
    DATA_PLANE_PORT: `${planePort}`,
    DATA_PLANE_CONFIG_KEY: CONFIG_KEY,
    RATE_LIMIT_PER_MINUTE: '0',
  });
  api = new TestClient(`http://127.0.0.1:${port}`, ADMIN_KEY);
  plane = new TestClient(`http://127.0.0.1:${planePort}`, CONFIG_KEY);
  await says(service, 'data-plane API listening');
  while (!(await isLive())) await sleep(100);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  programs.close();
  await store.close();
});

async function isLive(): Promise<boolean> {
  const response = await api.get('/livez').catch(() => null);
  return response?.status === 200;
}

/** Makes every list as large as it can be. Returns their paths. */
async function fill(): Promise<readonly string[]> {
  const { id: accountId } = await store.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef', site: 'datadoghq.eu' } };
  const { id: destinationId } = await api.create('/event_destinations', { format: 'json', target });
  const { id: policyId } = await api.create('/ip_policies', {});
  const { id: ruleId } = await api.create('/ip_policy_rules', {
    cidr: '10.0.0.0/8',
    ip_policy_id: policyId,
    action: 'deny',
  });
  const actions = Array.from({ length: 20 }, (_, index) => `happened_${'x'.repeat(20)}_${index + 10}`);
  const { id: typeId } = await api.create('/resource_types', { name: 'order', actions });

  const eventIds = await insertEvents(store, accountId, ITEMS, LARGE);
  const [eventId = ''] = eventIds;
  await insertDeliveries(store, { accountId, destinationId, eventIds }, { attempts: 20, bytes: 2_000 });
  await copyResources(store, policyId, ITEMS, LARGE);
  await addVersions(store, typeId, 250);
  const ids = (prefix: string) => `'${newId(prefix).slice(0, -4)}' || lpad(n::text, 4, '0')`;
  const destinations = ids('ed');
  await copyRow(store, 'resources', {
    where: `id = '${destinationId}'`,
    changed: `'id', ${destinations}`,
    count: DESTINATIONS,
  });
  await copyRow(store, 'delivery_lanes', {
    where: `destination_id = '${destinationId}'`,
    changed: `'destination_id', ${destinations}, 'last_error_code', 'http_400', 'last_error_message', repeat('x', 1000), 'last_error_at', now()`,
    count: DESTINATIONS,
  });
  const rules = ids('ipr');
  await copyRow(store, 'resources', { where: `id = '${ruleId}'`, changed: `'id', ${rules}`, count: ITEMS });
  await copyRow(store, 'resource_links', {
    where: `from_id = '${ruleId}'`,
    changed: `'from_id', ${rules}`,
    count: ITEMS,
  });
  const { id: exportId } = (await api.post('/exports', { format: 'ndjson', filter: {} })).body;
  await copyRow(store, 'exports', {
    where: `id = '${String(exportId)}'`,
    changed: `'id', ${ids('exp')}`,
    count: ITEMS,
  });
  return [
    '/events',
    '/events?changed=metadata&order=oldest_first',
    '/events/export',
    `/events/${eventId}/deliveries`,
    `/event_destinations/${destinationId}/deliveries?changed=metadata`,
    '/event_destinations/deliveries',
    '/event_destinations/status',
    '/event_destinations/status/stream',
    '/event_types',
    '/exports',
    '/ip_policies',
    `/ip_policies/${policyId}/references`,
    '/docs/assets/swagger-ui-bundle.js',
  ];
}

/** Sends a GET. The response is read if `reads`. Resolves with its status when the connection is closed. */
function get({ baseUrl, token }: TestClient, path: string, reads: boolean): Promise<number | null> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  sockets.add(socket);
  const head = ['Host: a', `Authorization: Bearer ${token}`, 'Service-Version: 2', 'Connection: close'];
  socket.write([`GET ${path} HTTP/1.1`, ...head, '', ''].join('\r\n'));
  let status: number | null = null;
  const read = (chunk: Buffer): void => {
    status ??= Number(chunk.subarray(9, 12).toString());
    if (endless.test(path)) socket.destroy();
  };
  if (reads) socket.on('data', read);
  socket.on('error', () => {});
  return new Promise((resolve) => {
    socket.once('close', () => {
      sockets.delete(socket);
      resolve(status);
    });
  });
}

/** Returns a value of the process in megabytes. */
async function megabytes(name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${service.child.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024);
}

/** Has a list read by all readers at once. Returns the statuses of the responses, as they end. */
function readAtOnce(client: TestClient, path: string): (number | null)[] {
  const statuses: (number | null)[] = [];
  for (let count = 0; count < READERS; count += 1) {
    const isSilent = count % SILENT_PART === 0;
    const ended = get(client, path, !isSilent);
    if (!isSilent) void ended.then((status) => statuses.push(status));
  }
  return statuses;
}

/**
 * Waits until one is answered with a page, and then until no more are answered: five looks in a row see no more.
 * Later responses are not checked.
 */
async function untilStill(statuses: readonly (number | null)[]): Promise<void> {
  let before = 0;
  for (let equal = 0; equal < 5 && service.child.exitCode === null;) {
    await sleep(100);
    equal = statuses.includes(200) && statuses.length === before ? equal + 1 : 0;
    before = statuses.length;
  }
}

it('a service with the usual heap survives 200 readers of every list, of whom some never read', async () => {
  const paths = await fill();
  const lists = [...paths.map((path) => [api, path] as const), [plane, '/configuration'] as const];
  for (const [index, [client, path]] of lists.entries()) {
    const statuses = readAtOnce(client, path);
    // Those that wait for the silent readers of the first list get their answers too.
    if (index === 0) while (statuses.length < READING) await sleep(100);
    else await untilStill(statuses);
    // The operating system takes a whole page, and not a whole export.
    if (path === '/events/export') await says(service, 'a client did not read its response');
    expect(service.child.exitCode, path).toBeNull();
    expect(
      statuses.filter((status) => status !== 200 && status !== 429 && status !== 503),
      path,
    ).toEqual([]);
    expect(statuses, path).toContain(200);
    for (const socket of sockets) socket.destroy();
    expect(await isLive()).toBe(true);
  }
  expect(await megabytes('VmHWM')).toBeLessThan(MOST_MEGABYTES);
});
