import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { epochStartedMarker } from '../../src/events/catalogue/epoch-started-event.js';
import type { EventEnvelope } from '../../src/events/envelope/event-envelope.js';
import { ResourceTypeStore } from '../../src/events/resource-types/resource-type-store.js';
import { compileFilter } from '../../src/events/rules/filters/filter.js';
import { PayloadSchemas, type PayloadSchema } from '../../src/events/rules/payload-schemas.js';
import { fixedMembers } from '../../src/events/rules/projection.js';
import { ruleErrors } from '../../src/events/rules/rule-errors.js';
import { eventCatalogue } from '../../src/resources/event-types.js';
import type { JsonObject } from '../support/api-client.js';
import type { DeliveringApi } from '../support/delivering-api.js';
import { everyEvent, publishedTypes, type EveryEvent } from '../support/every-event.js';
import { document } from '../support/fixtures.js';
import { conditionsOf, pointersOf } from '../support/payload-conditions.js';
import { hasPython, runPython } from '../support/python.js';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'document');
const validators = new Map<string, ValidateFunction>();

/** Returns why a value does not match a named schema of the OpenAPI document; nothing where it does. */
function errorsOf(name: string, value: unknown): readonly unknown[] {
  const validate = validators.get(name) ?? ajv.compile({ $ref: `document#/components/schemas/${name}` });
  validators.set(name, validate);
  return validate(value) ? [] : (validate.errors ?? []);
}

const hasValidator = await hasPython('jsonschema');
/** Prints the errors of the events by the schemas, and the types whose schema accepts any number. */
const VALIDATE = `
import json, sys
from jsonschema import Draft202012Validator
given = json.load(sys.stdin)
validators = {name: Draft202012Validator(schema) for name, schema in given["schemas"].items()}
errors = [error.message for event in given["events"] for error in validators[event["event_type"]].iter_errors(event)]
blind = [event["event_type"] for event in given["events"] if validators[event["event_type"]].is_valid({**event, "sequence": 0})]
print(json.dumps(errors + blind))
`;

const { mapping } = (
  document.components.schemas['BuiltInEventPayload'] as { discriminator: { mapping: Record<string, string> } }
).discriminator;
const nameOf = (type: string) => mapping[type]?.replace('#/components/schemas/', '') ?? 'PublishedEventPayload';

const reported = eventCatalogue.ofReports().map(({ type }) => type);

let delivering: DeliveringApi;
let listed: EveryEvent['listed'];
let arrived: EveryEvent['arrived'];
beforeAll(async () => {
  ({ delivering, listed, arrived } = await everyEvent());
});
afterAll(() => delivering.close());

describe('the payloads of events in the OpenAPI document', () => {
  it('describe events of every type of the catalogue, those of a test and published ones', () => {
    const types = new Set(listed.map(({ payload }) => payload.event_type));
    const missing = eventCatalogue.list().filter(({ type }) => !types.has(type));
    expect(missing.map(({ type }) => type)).toEqual([]);
    expect([...types].filter((type) => !eventCatalogue.has(type)).toSorted()).toEqual([
      'event_destination_test.v0',
      ...publishedTypes,
    ]);
    const backfilled = arrived.filter(({ backfill }) => backfill === true).map(({ event_type: type }) => type);
    expect(new Set(backfilled)).toEqual(
      new Set(['ip_policy_created.v0', 'bot_user_updated.v0', ...publishedTypes, ...reported]),
    );
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

  it('name their resource, built-in or published, a destination where they report no change', () => {
    const named = new Map(listed.map(({ resource_id, payload }) => [payload.event_id, resource_id]));
    expect(listed.map(({ payload }) => payload.resource_id)).toEqual([...named.values()]);
    expect(arrived.map((payload) => payload.resource_id)).toEqual(arrived.map(({ event_id }) => named.get(event_id)));
    const changes = arrived.filter(({ event_type: type }) => type.startsWith('ip_policy_'));
    expect(changes.length).toBeGreaterThan(3);
    expect(changes.map((payload) => payload.resource_id)).toEqual(
      changes.map(({ object }) => (object as JsonObject).id),
    );
    const reports = listed.filter(({ payload }) => /_(test|status_changed)[.]v0$/.test(payload.event_type));
    expect(reports.map(({ resource_id }) => resource_id)).toEqual(reports.map(() => expect.stringMatching(/^ed_/)));
  });

  it('match the event of a new epoch', () => {
    const last = { epoch: 1, sequence: 23 };
    const start = { destinationId: 'ed_1', accountId: 'acct_1', epoch: 2, last, witnessed: null };
    const { payload } = epochStartedMarker({ ...start, beganAt: new Date(), reason: 'declared' });
    expect(errorsOf('EventDestinationEpochStartedPayload', JSON.parse(payload))).toEqual([]);
    expect(JSON.parse(payload)).toMatchObject({ resource_id: 'ed_1' });
  });

  it.skipIf(!hasValidator)('match the schemas of GET /event_types in Python', async () => {
    const schemas: Record<string, unknown> = {};
    for (const { event_type: type } of arrived)
      schemas[type] ??= (await delivering.api.admin.get(`/event_types/${type}`)).body.schema;
    expect(JSON.parse(await runPython(['-c', VALIDATE], JSON.stringify({ schemas, events: arrived })))).toEqual([]);
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

describe('the schema that filters and fields are checked against', () => {
  const schemas = new Map<string, PayloadSchema | undefined>();
  /** The events that a subscription can have a source for, each with its schema. */
  const sourceEvents = async () => {
    const { store, accountId } = delivering.api;
    const known = new PayloadSchemas(eventCatalogue, new ResourceTypeStore(store.db));
    for (const { payload } of listed) {
      const { event_type: type } = payload;
      if (!schemas.has(type)) schemas.set(type, await known.of(accountId, type));
    }
    return listed.flatMap(({ payload }) => {
      const schema = schemas.get(payload.event_type);
      return schema ? [{ payload, schema }] : [];
    });
  };

  it('has every member of every real event, with its type: a filter on each is accepted, and matches', async () => {
    const failures: unknown[] = [];
    const read = new Set<string>();
    for (const { payload, schema } of await sourceEvents()) {
      for (const filter of conditionsOf(payload)) {
        read.add(filter.replace(/ .*/, ''));
        const errors = ruleErrors({ filter, fields: null }, schema);
        const { matches, error } = compileFilter(filter).evaluate(payload as unknown as EventEnvelope);
        if (errors.length > 0 || !matches || error !== null)
          failures.push({ type: payload.event_type, filter, errors, matches, error });
      }
    }
    expect(failures).toEqual([]);
    expect(read).toEqual(new Set([...read, 'occurred_at', 'principal.via.id', 'request.id', 'object.paused.reason']));
    expect(read.size).toBeGreaterThan(100);
  });

  it('has every member of every real event where fields may name it', async () => {
    const failures: unknown[] = [];
    for (const { payload, schema } of await sourceEvents()) {
      for (const pointer of pointersOf(payload)) {
        const isFixed = fixedMembers.some((name) => pointer === `/${name}`);
        const errors = ruleErrors({ filter: null, fields: { exclude: [pointer] } }, schema);
        if (errors.length > 0 !== isFixed) failures.push({ type: payload.event_type, pointer, errors });
      }
    }
    expect(failures).toEqual([]);
  });

  it('of a built-in type has no member of published events', async () => {
    const schema = (await sourceEvents()).find(({ payload }) => payload.event_type === 'ip_policy_created.v0')?.schema;
    for (const filter of ['occurred_at != ""', 'principal.via.id == "a"', 'request.id == "a"'])
      expect(schema && ruleErrors({ filter, fields: null }, schema), filter).toHaveLength(1);
  });
});
