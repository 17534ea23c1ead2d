import { HealthReports } from '../../src/destinations/health/health-reports.js';
import { HealthStore } from '../../src/destinations/health/health-store.js';
import { healthEvents } from '../../src/events/catalogue/health-events.js';
import { recoveryEvents } from '../../src/events/catalogue/recovery-events.js';
import { newId } from '../../src/ids/id.js';
import { createLogger } from '../../src/logging/logger.js';
import { families } from '../../src/resources/families.js';
import type { ResourceDefinition } from '../../src/resources/framework/definition/definition.js';
import { until } from '../../tools/harness/until.js';
import type { Created, JsonObject, TestResponse } from './api-client.js';
import { DeliveringApi } from './delivering-api.js';
import { samples } from './samples.js';

/** A payload as it arrived, or as a list of events has it. */
export interface Payload extends JsonObject {
  readonly event_type: string;
}

/** An event as the API lists it. */
interface ListedEvent {
  readonly resource_id: string;
  readonly payload: Payload;
}

/** Real events of every type. */
export interface EveryEvent {
  readonly delivering: DeliveringApi;
  /** What the API lists. */
  readonly listed: readonly ListedEvent[];
  /** What arrived at the destinations. */
  readonly arrived: readonly Payload[];
}

const all: readonly ResourceDefinition[] = families.map(({ definition }) => definition);
const kinds = ['created', 'updated', 'deleted', 'snapshot'];

const reportEvents = [...healthEvents, ...recoveryEvents];

/** Event types of the published events. */
export const publishedTypes = ['invoice_created.v0', 'order_created.v0', 'order_updated.v0'];

/** Throws where a request was refused: an event would be missing. */
function accepted({ status, text }: TestResponse): void {
  if (status >= 300) throw new Error(`The status is ${status}: ${text}`);
}

/**
 * Starts an API and makes at least one event of every type: of each family and kind, published ones, those about the
 * health of a destination, a recovery, a test, and backfilled ones. Close `delivering` afterwards.
 */
export async function everyEvent(): Promise<EveryEvent> {
  const delivering = await DeliveringApi.start();
  const { admin } = delivering.api;
  const destination = await delivering.destination();
  const subscribe = async (types: readonly string[]) => {
    const sources = types.map((type) => ({ type }));
    await admin.create('/event_subscriptions', { destination_ids: [destination.id], sources });
  };
  const typesOf = (of: readonly string[]) => all.flatMap(({ name }) => of.map((kind) => `${name}_${kind}.v0`));

  await createResourceTypes(delivering);
  await subscribe(typesOf(kinds.filter((kind) => kind !== 'snapshot')));
  const made = await changeResources(delivering);
  const session = await TunnelSession.start(delivering);
  await subscribe(typesOf(['snapshot']));
  await subscribe([...publishedTypes, ...reportEvents.map(({ type }) => type)]);
  await publish(delivering);
  await reportHealth(delivering, await delivering.destination());
  accepted(await admin.post(`${destination.path}/test`, {}));
  const recovery = await admin.create('/event_destinations/recoveries', {
    from: '2020-01-01T00:00:00Z',
    destination_ids: [destination.id],
  });
  await until(async () => (await admin.get(recovery.path)).body.state === 'finished', 'the recovery is finished');
  for (const path of made.toReversed()) await admin.delete(path);
  await session.end();

  const snapshots = async () => {
    const { events } = (await admin.get('/events?type=resource_type_snapshot.v0&limit=1')).body;
    return (events as readonly unknown[]).length > 0;
  };
  await until(snapshots, 'the snapshot is taken');
  await nothingWaits(delivering, destination);
  const backfilled = await backfill(delivering);
  const arrivals = [destination, backfilled].flatMap(({ arn }) => delivering.arrivals(arn));
  return {
    delivering,
    listed: await allEvents(delivering),
    arrived: arrivals.map((text) => JSON.parse(text) as Payload),
  };
}

/** A type without a schema, whose changes are computed, and one with a schema, whose changes are given. */
async function createResourceTypes({ api: { admin } }: DeliveringApi): Promise<void> {
  await admin.create('/resource_types', { name: 'order', changes: 'computed' });
  const schema = {
    type: 'object',
    properties: { total: { type: 'number' }, email: { $ref: '#/$defs/email' }, paid: { type: ['boolean', 'null'] } },
    required: ['total'],
    additionalProperties: false,
    $defs: { email: { type: 'string' } },
  };
  await admin.create('/resource_types', { name: 'invoice', changes: 'given', schema });
}

/** Creates and changes a resource of each family that the API can create. Returns their paths. */
async function changeResources({ api: { admin } }: DeliveringApi): Promise<readonly string[]> {
  const made: string[] = [];
  for (const { name, path } of all) {
    const sample = samples[name];
    if (!sample) continue;
    const collection = (await sample.collection?.(admin)) ?? path;
    const resource = await admin.create(collection, await sample.create(admin));
    await admin.patch(resource.path, sample.change);
    made.push(resource.path);
  }
  return made;
}

/** A session with a tunnel, which a gateway reports and changes. */
class TunnelSession {
  private constructor(
    private readonly send: (method: string, metadata?: string) => Promise<void>,
    private readonly stop: () => Promise<void>,
  ) {}

  static async start({ api }: DeliveringApi): Promise<TunnelSession> {
    const plane = await api.startDataPlane();
    const path = `/sessions/${newId('ts')}`;
    const send = async (method: string, metadata?: string) => {
      const tunnels = [{ name: 'web', labels: { app: 'shop' }, forwards_to: 'http://localhost:8080', metadata }];
      const report = { account_id: api.accountId, ttl_seconds: 600, region: 'eu', metadata, tunnels };
      accepted(await plane.client.send(method, path, metadata === undefined ? undefined : report));
    };
    await send('PUT', 'first');
    await send('PUT', 'second');
    return new TunnelSession(send, () => plane.stop());
  }

  async end(): Promise<void> {
    await this.send('DELETE');
    await this.stop();
  }
}

/** Publishes events with every member, and with as few as possible. */
async function publish({ api: { admin } }: DeliveringApi): Promise<void> {
  const principal = { id: 'user-7', subject: 'Ada' };
  const events = [
    { type: 'order_created.v0', resource_id: 'order-1', object: { status: 'open', lines: [{ sku: 'a', count: 1 }] } },
    { type: 'order_updated.v0', resource_id: 'order-1', object: { status: 'paid', lines: [] }, principal },
    {
      id: 'invoice-created-1',
      type: 'invoice_created.v0',
      resource_id: 'invoice-1',
      object: { total: 12.5, email: 'ada@example.com', paid: null },
      changes: { before: { total: 12 }, after: { total: 12.5 } },
      principal,
      request: { id: 'request-1', ip: '192.0.2.1', user_agent: 'shop/1.0' },
      occurred_at: new Date().toISOString().replace('Z', '+00:00'),
    },
  ];
  for (const event of events) accepted(await admin.post('/events', { events: [event] }));
}

/** Has a pause, its end and rejections of a destination reported, without the usual minute. */
async function reportHealth({ api: { admin, store } }: DeliveringApi, { id, path }: Created): Promise<void> {
  const reports = new HealthReports(
    store.db,
    new HealthStore(store.db, 0),
    { notify: () => undefined },
    createLogger('silent'),
  );
  const control = { stopped: new AbortController().signal, progressed: () => undefined };
  const rejections = { count: 2, first_sequence: 1, last_sequence: 2, code: 'TooLarge' };
  await store.pool.query(
    `insert into unreported_rejections (destination_id, recorded_at, rejections) values ($1, now(), $2)`,
    [id, JSON.stringify(rejections)],
  );
  for (const paused of [{ reason: 'The index is being rebuilt.' }, null]) {
    accepted(await admin.patch(path, { paused }));
    await reports.run(control);
  }
}

/** Sends events of several kinds to a destination that is newer. */
async function backfill(delivering: DeliveringApi): Promise<Created & { readonly arn: string }> {
  const { admin } = delivering.api;
  const destination = await delivering.destination();
  const types = ['bot_user_updated.v0', ...publishedTypes, ...reportEvents.map(({ type }) => type)];
  const sources = types.map((type) => ({ type }));
  await admin.create('/event_subscriptions', { destination_ids: [destination.id], sources });
  const { path } = await admin.create(`${destination.path}/backfills`, { from: '2020-01-01T00:00:00Z' });
  await until(async () => (await admin.get(path)).body.state === 'finished', 'the backfill is finished');
  await nothingWaits(delivering, destination);
  return destination;
}

async function nothingWaits({ api: { admin } }: DeliveringApi, { path }: Created): Promise<void> {
  await until(async () => (await admin.get(`${path}/status`)).body.pending === 0, 'nothing waits');
}

async function allEvents({ api: { admin } }: DeliveringApi): Promise<readonly ListedEvent[]> {
  const pages: ListedEvent[] = [];
  for (let next: string | null = '/events?limit=100'; next !== null;) {
    const { body } = await admin.get(next);
    pages.push(...(body.events as ListedEvent[]));
    next = body.next_page_uri as string | null;
  }
  return pages;
}
