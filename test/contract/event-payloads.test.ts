import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { epochStartedMarker } from '../../src/events/epoch-started-event.js';
import { newId } from '../../src/ids/id.js';
import { eventCatalogue } from '../../src/resources/event-types.js';
import { families } from '../../src/resources/families.js';
import type { ResourceDefinition } from '../../src/resources/framework/definition.js';
import { until } from '../delivery/support/pipeline.js';
import type { JsonObject, TestResponse } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';
import { document } from '../support/fixtures.js';
import { samples } from '../support/samples.js';

/** A payload as it arrived, or as a list of events has it. */
interface Payload extends JsonObject {
  readonly event_type: string;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'document');
const validators = new Map<string, ValidateFunction>();

/** Returns why a value does not match a named schema of the OpenAPI document; nothing where it does. */
function errorsOf(name: string, value: unknown): readonly unknown[] {
  const validate = validators.get(name) ?? ajv.compile({ $ref: `document#/components/schemas/${name}` });
  validators.set(name, validate);
  return validate(value) ? [] : (validate.errors ?? []);
}

const { mapping } = (
  document.components.schemas['BuiltInEventPayload'] as { discriminator: { mapping: Record<string, string> } }
).discriminator;
const nameOf = (type: string) => mapping[type]?.replace('#/components/schemas/', '') ?? 'PublishedEventPayload';

const all: readonly ResourceDefinition[] = families.map(({ definition }) => definition);
const kinds = ['created', 'updated', 'deleted', 'snapshot'];

let delivering: DeliveringApi;
/** What the API lists, and what arrived at the destination. */
let listed: readonly { readonly payload: Payload }[];
let arrived: readonly Payload[];

/** Throws where a request was refused: an event would be missing. */
function accepted({ status, text }: TestResponse): void {
  if (status >= 300) throw new Error(`The status is ${status}: ${text}`);
}

beforeAll(async () => {
  delivering = await DeliveringApi.start();
  const { api } = delivering;
  const { admin } = api;
  const destination = await delivering.destination();
  const destination_ids = [destination.id];
  await admin.create('/resource_types', { name: 'order', changes: 'computed' });

  const made: string[] = [];
  const change = async (subscribed: readonly string[]) => {
    const sources = all.flatMap(({ name }) => subscribed.map((kind) => ({ type: `${name}_${kind}.v0` })));
    await admin.create('/event_subscriptions', { destination_ids, sources });
  };
  await change(kinds.filter((kind) => kind !== 'snapshot'));
  for (const { name, path } of all) {
    const sample = samples[name];
    if (!sample) continue;
    const collection = (await sample.collection?.(admin)) ?? path;
    const resource = await admin.create(collection, await sample.create(admin));
    await admin.patch(resource.path, sample.change);
    made.push(resource.path);
  }
  const dataPlane = await api.startDataPlane();
  const session = `/sessions/${newId('ts')}`;
  const send = async (method: string, metadata?: string) => {
    const tunnels = [{ name: 'web', labels: { app: 'shop' }, forwards_to: 'http://localhost:8080', metadata }];
    const report = { account_id: api.accountId, ttl_seconds: 600, region: 'eu', metadata, tunnels };
    accepted(await dataPlane.client.send(method, session, metadata === undefined ? undefined : report));
  };
  await send('PUT', 'first');
  await send('PUT', 'second');
  await change(['snapshot']);
  await admin.create('/event_subscriptions', { destination_ids, sources: [{ type: 'order_created.v0' }] });
  const order = { resource_id: 'order-1', principal: { id: 'user-7', subject: 'Ada' } };
  const status = (value: string) => ({ ...order, object: { status: value } });
  for (const [type, value] of [
    ['order_created.v0', 'open'],
    ['order_updated.v0', 'paid'],
  ] as const)
    accepted(await admin.post('/events', { events: [{ type, ...status(value) }] }));
  accepted(await admin.post(`${destination.path}/test`, {}));
  for (const path of made.toReversed()) await admin.delete(path);
  await send('DELETE');
  await dataPlane.stop();

  const state = async () => (await admin.get(`${destination.path}/status`)).body;
  const snapshots = async () => {
    const { events } = (await admin.get('/events?type=resource_type_snapshot.v0&limit=1')).body;
    return (events as readonly unknown[]).length > 0;
  };
  await until(snapshots, 'the snapshot is taken');
  await until(async () => (await state())['pending'] === 0, 'nothing waits');

  const pages: { payload: Payload }[] = [];
  for (let next: string | null = '/events?limit=100'; next !== null;) {
    const { body } = await admin.get(next);
    pages.push(...(body.events as { payload: Payload }[]));
    next = body.next_page_uri as string | null;
  }
  listed = pages;
  arrived = delivering.arrivals(destination.arn).map((text) => JSON.parse(text) as Payload);
}, 240_000);
afterAll(() => delivering.close());

describe('the payloads of events in the OpenAPI document', () => {
  it('describe events of every family and kind, those of a test and published ones', () => {
    const types = new Set(listed.map(({ payload }) => payload.event_type));
    const missing = eventCatalogue.ofResources().filter(({ type }) => !types.has(type));
    expect(missing.map(({ type }) => type)).toEqual([]);
    expect([...types].filter((type) => !eventCatalogue.has(type)).toSorted()).toEqual([
      'event_destination_test.v0',
      'order_created.v0',
      'order_updated.v0',
    ]);
  });

  it('match every event that the API lists', () => {
    const errors = listed.flatMap(({ payload }) => [
      ...errorsOf(nameOf(payload.event_type), payload),
      ...errorsOf('EventPayload', payload),
      ...(payload.event_type in mapping ? errorsOf('BuiltInEventPayload', payload) : []),
    ]);
    expect(errors).toEqual([]);
    expect(listed.flatMap((event) => errorsOf('Event', event))).toEqual([]);
  });

  it('match every event that arrives', () => {
    expect(arrived.length).toBeGreaterThan(60);
    const errors = arrived.flatMap((payload) => [
      ...errorsOf(nameOf(payload.event_type), payload),
      ...errorsOf('DeliveredEvent', payload),
    ]);
    expect(errors).toEqual([]);
    expect(errorsOf('DeliveredEvent', listed[0]?.payload)).not.toEqual([]);
  });

  it('match the event of a new epoch', () => {
    const last = { epoch: 1, sequence: 23 };
    const start = { destinationId: 'ed_1', accountId: 'acct_1', epoch: 2, last, witnessed: null };
    const { payload } = epochStartedMarker({ ...start, beganAt: new Date(), reason: 'declared' });
    expect(errorsOf('EventDestinationEpochStartedPayload', JSON.parse(payload))).toEqual([]);
  });

  it('refuse what the schema of GET /event_types refuses', async () => {
    for (const type of ['ip_policy_updated.v0', 'event_destination_created.v0', 'tunnel_deleted.v0']) {
      const payload = listed.find((event) => event.payload.event_type === type)?.payload;
      const { schema } = (await delivering.api.admin.get(`/event_types/${type}`)).body;
      const ofType = new Ajv2020({ strict: false, validateFormats: false }).compile(schema as object);
      const numbered = { ...payload, epoch: 1, sequence: 1 };
      const variants: readonly JsonObject[] = [
        numbered,
        { ...numbered, object: {} },
        ...(type === 'ip_policy_updated.v0'
          ? [
              { ...numbered, changes: {} },
              { ...numbered, changes: { before: 1 } },
            ]
          : []),
        { ...numbered, event_type: 'ip_policy_deleted.v0' },
        { ...numbered, version: 0 },
        { ...numbered, sequence: 0 },
        { ...numbered, request: null },
      ];
      const verdicts = variants.map((variant) => errorsOf(nameOf(type), variant).length === 0);
      expect(verdicts).toEqual(variants.map((variant) => ofType(variant)));
      expect(verdicts.filter(Boolean)).toEqual([true]);
    }
  });
});
