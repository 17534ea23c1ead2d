import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saltedCommitmentOf } from '../../src/events/envelope/salted-commitment.js';
import { EventStore } from '../../src/events/fan-out/event-store.js';
import { newId } from '../../src/ids/id.js';
import { until } from '../../tools/harness/until.js';
import type { Created } from '../support/api-client.js';
import { anySearchKeys } from '../support/search-keys.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

/** The advisory lock that the fan-outs of these tests wait for. */
const HOLD = 4_711;

const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await api.store.pool.query(
    `create function hold_delivery() returns trigger language plpgsql as
     $$ begin perform pg_advisory_xact_lock_shared(${HOLD}); return null; end $$`,
  );
});
afterAll(() => api.close());

/** Runs `work` while the transactions that have inserted a delivery of a destination wait. */
async function holding(destination: Created, work: () => Promise<void>): Promise<void> {
  const client = await api.store.pool.connect();
  try {
    await client.query(
      `create trigger hold_delivery after insert on deliveries for each row
       when (new.destination_id = '${destination.id}') execute function hold_delivery()`,
    );
    await client.query('select pg_advisory_lock($1::bigint)', [HOLD]);
    await work();
  } finally {
    await client.query('select pg_advisory_unlock_all()');
    // Waits for the transactions that have inserted a delivery.
    await client.query('drop trigger hold_delivery on deliveries');
    client.release();
  }
}

async function isHeld(): Promise<boolean> {
  const { rows } = await api.store.pool.query(
    `select from pg_locks where locktype = 'advisory' and objid = $1 and not granted
       and database = (select oid from pg_database where datname = current_database())`,
    [HOLD],
  );
  return rows.length > 0;
}

/** What the destination receives of its events: `whole`, or `projected` without the excluded member. */
async function receivedBy(destination: Created): Promise<readonly string[]> {
  const { rows } = await api.store.pool.query<{ payload: string | null }>(
    `select p.payload from all_deliveries d
     left join event_projections p on p.event_id = d.event_id and d.destination_id = any(p.destination_ids)
     where d.destination_id = $1`,
    [destination.id],
  );
  return rows.map(({ payload }) => (payload === null || payload.includes('hidden') ? 'whole' : 'projected'));
}

const changes = [
  {
    change: 'a change',
    type: 'ip_policy_created.v0',
    make: () => api.admin.post('/ip_policies', { description: 'shown', metadata: 'hidden' }),
  },
  {
    change: 'a published batch',
    type: 'parcel_created.v0',
    make: () => {
      const event = { type: 'parcel_created.v0', resource_id: newId('ipp'), object: { metadata: 'hidden' } };
      return api.admin.post('/events', { events: [event] });
    },
  },
];

const removals = [
  { removal: 'a deletion of the subscription', remove: ({ path }: Created) => api.admin.delete(path) },
  {
    removal: 'an update that takes the destination away',
    remove: ({ path }: Created) => api.admin.patch(path, { destination_ids: [] }),
  },
];

describe.each(changes)('$change under way', ({ type, make }) => {
  beforeAll(async () => {
    if (type.startsWith('parcel')) await api.admin.create('/resource_types', { name: 'parcel' });
  });

  it.each(removals)('sends no more than the fields of the source after $removal', async ({ remove }) => {
    const destination = await api.admin.create('/event_destinations', { target });
    const subscription = await api.admin.create('/event_subscriptions', {
      sources: [{ type, fields: { exclude: ['/object/metadata'] } }],
      destination_ids: [destination.id],
    });
    let made: ReturnType<typeof make> | undefined;
    await holding(destination, async () => {
      made = make();
      await until(isHeld, 'the change has inserted its delivery');
      const { status, text } = await remove(subscription);
      expect([200, 204], text).toContain(status);
    });
    const response = await made;
    expect([201, 202], response?.text).toContain(response?.status);
    expect(await receivedBy(destination)).toEqual(['projected']);
  });
});

it('a snapshot is not sent to a destination that the source has lost since the snapshot read its destinations', async () => {
  const type = 'ip_policy_snapshot.v0';
  const [kept, lost] = [
    await api.admin.create('/event_destinations', { target }),
    await api.admin.create('/event_destinations', { target }),
  ];
  const subscription = await api.admin.create('/event_subscriptions', {
    sources: [{ type, fields: { exclude: ['/object/metadata'] } }],
    destination_ids: [kept.id],
  });
  const id = newId('evt');
  const snapshot = {
    id,
    accountId: api.accountId,
    type,
    resourceId: newId('ipp'),
    payload: JSON.stringify({ event_id: id, event_type: type, object: { metadata: 'hidden' } }),
    saltedCommitment: saltedCommitmentOf('{}'),
    createdAt: new Date(),
    traceParent: null,
    search: anySearchKeys,
  };
  const readers = { subscriptionId: subscription.id, destinationIds: [kept.id, lost.id] };
  await api.store.db.transaction().execute((trx) => new EventStore(trx).insertSnapshots([snapshot], readers));
  expect(await receivedBy(lost)).toEqual([]);
  // Beside the snapshots of the policies that there are.
  expect(new Set(await receivedBy(kept))).toEqual(new Set(['projected']));
});
