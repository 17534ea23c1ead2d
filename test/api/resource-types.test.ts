import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RegisteredTypeStore } from '../../src/events/registered-types/registered-type-store.js';
import { freshTypeName } from '../support/samples.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
let types: RegisteredTypeStore;
beforeAll(async () => {
  api = await startTestApi();
  types = new RegisteredTypeStore(api.store.db);
});
afterAll(() => api.close());

const schema = { type: 'object', properties: { total: { type: 'integer', minimum: 0 } }, required: ['total'] };

describe('a resource type', () => {
  it('has defaults for everything but its name', async () => {
    const name = freshTypeName();
    const { body } = await api.admin.post('/resource_types', { name });
    expect(body).toMatchObject({
      name,
      title: name.replace('_', ' '),
      description: null,
      metadata: null,
      actions: ['created', 'updated', 'deleted'],
      version: 0,
      schema: null,
      redact: [],
      changes: 'given',
    });
  });

  it('has a name that no other type of the account has, even when both are created at once', async () => {
    const name = freshTypeName();
    const responses = await Promise.all([1, 2, 3].map(() => api.admin.post('/resource_types', { name })));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    const stranger = await api.addAccount();
    expect((await stranger.post('/resource_types', { name })).status).toBe(201);
  });

  it('has no event type of another type of the account', async () => {
    const name = freshTypeName();
    await api.admin.create('/resource_types', { name, actions: ['item_added'] });
    const response = await api.admin.post('/resource_types', { name: `${name}_item`, actions: ['added'] });
    expect(response.status).toBe(409);
    expect(response.body.detail).toContain(`${name}_item_added`);
    expect((await api.admin.post('/resource_types', { name: `${name}_item`, actions: ['sold'] })).status).toBe(201);
  });
});

describe('the registered types of an account', () => {
  it('are found by event type, and check objects', async () => {
    const name = freshTypeName();
    const { id } = await api.admin.create('/resource_types', {
      name,
      schema,
      version: 2,
      redact: [],
      changes: 'computed',
    });
    const eventType = `${name}_created.v2`;
    const found = await types.byEventType(api.accountId, [
      eventType,
      `${name}_created.v1`,
      `${name}_sold.v2`,
      'other',
      eventType,
    ]);
    expect([...found.keys()]).toEqual([eventType]);
    const { type, action } = found.get(eventType) ?? {};
    expect(action).toBe('created');
    expect(type).toMatchObject({ id, name, version: 2, changes: 'computed', redact: [], schema });
    expect(type?.validate({ total: 1 })).toEqual([]);
    expect(type?.validate({ total: -1 })).toEqual([{ pointer: '/total', detail: 'must be >= 0' }]);
    expect(type?.validate({})).toEqual([{ pointer: '/total', detail: 'is required' }]);
    expect((await types.byEventType('acc_other', [eventType])).size).toBe(0);
  });

  it('have the new schema after an update, and are gone after a deletion', async () => {
    const name = freshTypeName();
    const { path } = await api.admin.create('/resource_types', { name, schema });
    const eventType = `${name}_created.v0`;
    const validate = async (object: unknown) =>
      (await types.byEventType(api.accountId, [eventType])).get(eventType)?.type.validate(object);
    expect(await validate({})).toHaveLength(1);
    expect((await api.admin.patch(path, { schema: null })).status).toBe(200);
    expect(await validate({})).toEqual([]);
    expect((await api.admin.delete(path)).status).toBe(204);
    expect(await validate({})).toBeUndefined();
  });
});
