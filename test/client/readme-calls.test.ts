import { Waybill, WaybillError, type CreateEventDestination, type ErrorCode } from '@waybill/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeliveringApi } from '../support/delivering-api.js';
import { makeReadmeCalls } from './readme-calls.js';

let delivering: DeliveringApi;
let waybill: Waybill;
beforeAll(async () => {
  delivering = await DeliveringApi.start();
  waybill = clientOf(delivering.api.admin.token ?? '');
});
afterAll(() => delivering.close());

function clientOf(key: string): Waybill {
  return new Waybill({ url: delivering.api.baseUrl, key });
}

it('the calls of the README compile, and the service answers them as the types say', async () => {
  const { key, events, deliveries, ofFirstEvent, rejected, pending } = await makeReadmeCalls(waybill, clientOf);
  expect(key.owner_id).toMatch(/^bot_/);
  expect(events.map(({ type }) => type)).toEqual(['ip_policy_updated.v0', 'ip_policy_created.v0']);
  expect(deliveries.map(({ state, sequence }) => [state, sequence])).toEqual([
    ['delivered', 2],
    ['delivered', 1],
  ]);
  expect(ofFirstEvent.map(({ event_id, state }) => [event_id, state])).toEqual([[events[0]?.id, 'delivered']]);
  expect([rejected, pending]).toEqual([0, 0]);
});

/** A Datadog API key as the service takes it. */
const API_KEY = '0123456789abcdef0123456789abcdef';

/** Id of a destination that does not exist. */
const ABSENT = 'ed_01kgxf4n8teq0v7m2b5rzd9h3s';

describe('what the types refuse', () => {
  // Each call is a mistake of its caller, which the compiler finds: an unused `@ts-expect-error` is an error.
  const mistakes: Readonly<Record<string, () => Promise<unknown>>> = {
    'a target without its key': () =>
      // @ts-expect-error api_key is missing
      waybill.eventDestinations.create({ target: { monitoring: { site: 'datadoghq.eu' } } }),
    'a destination without a target': () =>
      // @ts-expect-error target is missing
      waybill.eventDestinations.create({ description: 'audit trail' }),
    'a site that does not exist': () =>
      // @ts-expect-error not a site of Datadog
      waybill.eventDestinations.create({ target: { monitoring: { api_key: API_KEY, site: 'datadog.example' } } }),
    'a misspelt member': () =>
      // @ts-expect-error the member is called description
      waybill.ipPolicies.create({ descripton: 'office' }),
    'a name that is a number': () =>
      // @ts-expect-error the name is a text
      waybill.botUsers.create({ name: 7 }),
    'a source without a type': () =>
      // @ts-expect-error type is missing
      waybill.eventSubscriptions.create({ sources: [{}], destination_ids: [] }),
    'an unknown role of a key': () =>
      // @ts-expect-error not a role
      waybill.apiKeys.create({ role: 'owner' }),
    'an unknown state of a delivery': () =>
      // @ts-expect-error not a state
      waybill.eventDestinations.listDeliveries(ABSENT, { state: 'lost' }).page(),
  };

  it.each(Object.entries(mistakes))('the service refuses: %s', async (_name, call) => {
    const failure = await call().then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(WaybillError);
    const code: ErrorCode | null = failure instanceof WaybillError ? failure.errorCode : null;
    expect(code).toBe('invalid_input');
  });

  it('also in what is read: a code that does not exist, a member that is not there', async () => {
    const policy = await waybill.ipPolicies.create({ description: 'warehouse' });
    // @ts-expect-error a policy has no name
    expect(policy.name).toBeUndefined();
    const failure = new WaybillError(
      { type: '', title: '', status: 404, detail: '', instance: '', error_code: 'not_found', operation_id: '' },
      null,
    );
    // @ts-expect-error no error has this code
    expect(failure.errorCode === 'nothing_found').toBe(false);
    const body: CreateEventDestination = { target: { monitoring: { api_key: API_KEY } } };
    // @ts-expect-error the member may be absent in another kind of target
    expect(body.target.monitoring.api_key).toBe(API_KEY);
  });
});
