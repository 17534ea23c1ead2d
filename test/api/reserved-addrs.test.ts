import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { systemContext } from '../../src/events/envelope/system-context.js';
import { ServiceNames } from '../../src/resources/building-blocks/names/service-names.js';
import { ReservedAddrBehaviour } from '../../src/resources/families/reserved-addrs/reserved-addr-behaviour.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

describe('a reserved address', () => {
  it('is in the region us by default', async () => {
    const [here, there] = [
      await api.admin.create('/reserved_addrs', {}),
      await api.admin.create('/reserved_addrs', { region: 'in' }),
    ];
    expect(here).toMatchObject({
      region: 'us',
      addr: expect.stringMatching(/^\d{1,2}\.us\.tcp\.waybill\.internal:[12]\d{4}$/) as string,
      endpoint_configuration: null,
    });
    expect(there.addr).toMatch(/\.in\.tcp\./);
    for (const region of ['', null])
      expect(await api.admin.create('/reserved_addrs', { region })).toMatchObject({ region: 'us' });
    expect((await api.admin.post('/reserved_addrs', { region: 'mars' })).status).toBe(400);
  });

  it('is never assigned twice by concurrent requests', async () => {
    const made = await Promise.all(Array.from({ length: 50 }, () => api.admin.create('/reserved_addrs', {})));
    expect(new Set(made.map(({ addr }) => addr)).size).toBe(50);
  });

  it('is never one that was assigned before, even to a deleted resource, or is served', async () => {
    const names = new ServiceNames(readConfig({}));
    const context = systemContext(api.accountId, 'test', api.baseUrl);
    const assign = (picks: readonly number[]) =>
      api.store.db.transaction().execute(async (trx) => {
        const left = [...picks];
        const behaviour = new ReservedAddrBehaviour(names, () => left.shift() ?? 0);
        const attributes = { region: 'jp' };
        return behaviour.prepare({ trx, context, id: 'ra_1', before: null, attributes });
      });
    expect(await assign([7, 12_345])).toMatchObject({ addr: '7.jp.tcp.waybill.internal:12345' });
    expect(await assign([7, 12_345, 7, 12_346])).toMatchObject({ addr: '7.jp.tcp.waybill.internal:12346' });
    await (await api.addAccount()).create('/endpoints', { url: 'tcp://7.jp.tcp.waybill.internal:12347' });
    expect(await assign([7, 12_347, 7, 12_348])).toMatchObject({ addr: '7.jp.tcp.waybill.internal:12348' });
    await expect(assign(Array.from({ length: 100 }, (_, index) => (index % 2 ? 12_345 : 7)))).rejects.toThrow(
      'No free address was found',
    );
  });

  it('refers to the endpoint configuration of an update, which cannot be deleted meanwhile', async () => {
    const address = await api.admin.create('/reserved_addrs', {});
    const configuration = await api.admin.create('/endpoint_configurations', { type: 'tcp' });
    const updated = await api.admin.patch(address.path, { endpoint_configuration_id: configuration.id });
    expect(updated.body.endpoint_configuration).toEqual({ id: configuration.id, uri: configuration.uri });
    expect((await api.admin.delete(configuration.path)).status).toBe(409);
    const cleared = await api.admin.patch(address.path, { endpoint_configuration_id: null });
    expect(cleared.body.endpoint_configuration).toBeNull();
    const unknown = await api.admin.patch(address.path, { endpoint_configuration_id: address.id });
    expect(unknown.body.errors).toMatchObject([{ pointer: '/endpoint_configuration_id' }]);
  });

  it('keeps its region and address', async () => {
    const { path } = await api.admin.create('/reserved_addrs', {});
    expect((await api.admin.patch(path, { region: 'eu' })).status).toBe(400);
    expect((await api.admin.patch(path, { addr: '1.us.tcp.example.com:1' })).status).toBe(400);
  });
});

describe('an endpoint configuration', () => {
  it.each(['http', 'https', 'tcp', 'tls'])('is for %s', async (type) => {
    expect(await api.admin.create('/endpoint_configurations', { type })).toMatchObject({ type });
  });

  it('is for one kind of traffic, which cannot change', async () => {
    expect((await api.admin.post('/endpoint_configurations', {})).status).toBe(400);
    expect((await api.admin.post('/endpoint_configurations', { type: 'ftp' })).status).toBe(400);
    const { path } = await api.admin.create('/endpoint_configurations', { type: 'tcp' });
    expect((await api.admin.patch(path, { type: 'tls' })).status).toBe(400);
  });
});
