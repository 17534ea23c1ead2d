import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { RetentionMarks } from '../../src/database/partitions/retention-marks.js';
import { DestinationDeliveriesController } from '../../src/destinations/deliveries/destination-deliveries.controller.js';
import { deliverySearchQuery } from '../../src/destinations/deliveries/search/delivery-filter.js';
import { DeliverySearchStore } from '../../src/destinations/deliveries/search/delivery-search-store.js';
import { eventSearchQuery } from '../../src/events/log/event-filter.js';
import { EventSearchStore } from '../../src/events/log/event-search-store.js';
import { EventSearch } from '../../src/events/log/event-search.js';
import { ResourceTypeStore } from '../../src/events/resource-types/resource-type-store.js';
import type { RequestContext } from '../../src/http/request/request-context.js';
import { eventCatalogue } from '../../src/resources/event-types.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

const REMOVED = '2026-07-07T00:00:00.000Z';

let api: TestApi;
let destinationId: string;
beforeAll(async () => {
  api = await startTestApi();
  const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'secret' };
  const { id } = await api.admin.create('/event_destinations', {
    target: { data_stream: { auth: { creds }, stream_arn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/s' } },
  });
  destinationId = id;
  await api.store.pool.query(`update accounts set created_at = '2020-01-01T00:00:00Z'`);
});
afterEach(() => api.store.pool.query('truncate retention_marks'));
afterAll(() => api.close());

/** Runs a statement of another process when the list is read, and before its response is made. */
const statements = {
  events: (statement: string) => {
    class Store extends EventSearchStore {
      override async page(...given: Parameters<EventSearchStore['page']>) {
        const found = await super.page(...given);
        await api.store.pool.query(statement);
        return found;
      }
    }
    return new Store(api.store.db);
  },
  deliveries: (statement: string) => {
    class Store extends DeliverySearchStore {
      override async page(...given: Parameters<DeliverySearchStore['page']>) {
        const found = await super.page(...given);
        await api.store.pool.query(statement);
        return found;
      }
    }
    return new Store(api.store.db);
  },
};

/** Returns `complete_since` of a list during which another process runs a statement. */
async function completeSince(list: 'events' | 'deliveries', statement: string): Promise<unknown> {
  const { db } = api.store;
  const context = { accountId: api.accountId, baseUrl: api.baseUrl } as RequestContext;
  const marks = new RetentionMarks(db);
  const events = new EventSearch({
    store: statements.events(list === 'events' ? statement : 'select'),
    marks,
    catalogue: eventCatalogue,
    types: new ResourceTypeStore(db),
  });
  const query = { changed: 'description' };
  const unused = {} as never;
  const store = statements.deliveries(statement);
  const deliveries = new DestinationDeliveriesController(unused, store, marks, events, unused, unused);
  const found =
    list === 'events'
      ? await events.search(context, eventSearchQuery.parse(query), '/events')
      : await deliveries.list(context, destinationId, deliverySearchQuery.parse(query));
  return (JSON.parse(found.toJson()) as { complete_since?: unknown }).complete_since;
}

for (const list of ['events', 'deliveries'] as const) {
  it(`a list of ${list} of which older items are removed while it is read says so`, async () => {
    const removal = `insert into retention_marks (kind, complete_since) values ('${list}', '${REMOVED}')`;
    expect(await completeSince(list, removal)).toBe(REMOVED);
  });
}
