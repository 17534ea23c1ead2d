import {
  type DeliveryRecord,
  ExportedEvents,
  passes,
  reconcile,
  type Reconciliation,
  report,
} from '@waybill/reconcile';
import type { Sandbox } from '@waybill/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WaybillApi } from '../../packages/reconcile/src/waybill-api.js';
import { until } from '../../tools/harness/until.js';
import { DeliveringApi } from '../support/delivering-api.js';
import type { TestApi } from '../support/test-api.js';

let environment: DeliveringApi;
let api: TestApi;
let sandbox: Sandbox;
/** The key of an auditor, which is enough. */
let auditorKey: string;
beforeAll(async () => {
  environment = await DeliveringApi.start();
  ({ api, sandbox } = environment);
  auditorKey = String((await api.admin.create('/api_keys', { role: 'auditor' })).token);
});
afterEach(() => sandbox.clear());
afterAll(() => environment.close());

const recordsOf = (id: string, key = auditorKey) => new WaybillApi({ url: api.baseUrl, key, destination: id });

function reconciled(id: string, lines: readonly string[], exportedAt = new Date()): Promise<Reconciliation> {
  const exported = new ExportedEvents();
  for (const line of lines) exported.add(line);
  return reconcile(exported, recordsOf(id), { from: 1, exportedAt });
}

describe('the reconciliation of a destination with an export of its target', () => {
  it('finds nothing missing when every event arrived', async () => {
    const { id, path, arn } = await environment.destination();
    await environment.publish(5);
    await environment.ended(path, 'delivered', 5);
    const found = await reconciled(id, environment.arrivals(arn));
    expect(found).toMatchObject({ last_sequence: 5, held: 5, missing: [], accounted_for: true });
    expect(report(found)).toContain('Every event arrived. Nothing was lost.');
  });

  it('fails when an event is missing that the target acknowledged', async () => {
    const { id, path, arn } = await environment.destination();
    await environment.publish(3);
    await environment.ended(path, 'delivered', 3);
    const [first = '', , third = ''] = environment.arrivals(arn);
    const found = await reconciled(id, [first, third, third]);
    expect(found).toMatchObject({ repeats: 1, accounted_for: false });
    expect(found.missing).toEqual([
      { epoch: 1, sequence: 2, event_id: expect.any(String), because: 'acknowledged', detail: expect.any(String) },
    ]);
    expect(report(found)).toContain('NOT every sequence is accounted for.');
    expect(passes(found, false)).toBe(false);
  });

  it('does not expect events that were acknowledged after the export', async () => {
    const { id, path, arn } = await environment.destination();
    await environment.publish(1);
    await environment.ended(path, 'delivered', 1);
    const exportedAt = new Date();
    const before = environment.arrivals(arn);
    await environment.publish(1);
    await environment.ended(path, 'delivered', 2);
    const found = await reconciled(id, before, exportedAt);
    expect(found.missing).toMatchObject([{ sequence: 2, because: 'after_export' }]);
    expect(found.accounted_for).toBe(true);
    expect(found.not_delivered).toBe(0);
    expect(passes(found, true)).toBe(true);
  });

  it('reports the state and the error of an event that the target refused', async () => {
    const { id, path, arn } = await environment.destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    await environment.publish(1);
    await until(async () => (await api.admin.get(`${path}/status`)).body.status === 'misconfigured', 'misconfigured');
    await environment.publish(2);
    const found = await reconciled(id, []);
    expect(found).toMatchObject({
      destination_status: 'misconfigured',
      last_sequence: 1,
      accounted_for: true,
    });
    expect(found.missing).toEqual([
      {
        epoch: 1,
        sequence: 1,
        event_id: expect.any(String),
        because: 'in_flight',
        detail: expect.stringContaining('AccessDeniedException'),
      },
    ]);
  });

  it('counts a rejected event as accounted for and as not delivered', async () => {
    const { id, path, arn } = await environment.destination();
    await environment.publish(3);
    await environment.ended(path, 'delivered', 3);
    await api.store.db
      .updateTable('finished_deliveries')
      .set({ state: 'rejected' })
      .where('destination_id', '=', id)
      .where('sequence', '=', 2)
      .execute();
    const [first = '', , third = ''] = environment.arrivals(arn);
    const found = await reconciled(id, [first, third]);
    expect(found.missing).toMatchObject([{ sequence: 2, because: 'rejected' }]);
    expect(found).toMatchObject({ accounted_for: true, not_delivered: 1 });
    expect(passes(found, false)).toBe(true);
    expect(passes(found, true)).toBe(false);
  });

  it('reports a number that Waybill has no record of', async () => {
    const { id, path, arn } = await environment.destination();
    await environment.publish(2);
    await environment.ended(path, 'delivered', 2);
    await api.store.db
      .deleteFrom('finished_deliveries')
      .where('destination_id', '=', id)
      .where('sequence', '=', 2)
      .execute();
    const found = await reconciled(id, environment.arrivals(arn).slice(0, 1));
    expect(found.missing).toEqual([{ epoch: 1, sequence: 2, event_id: null, because: 'unknown', detail: null }]);
    expect(found.accounted_for).toBe(false);
  });

  it('detects an export of another destination, which holds the same numbers', async () => {
    const [one, other] = [await environment.destination(), await environment.destination()];
    await environment.publish(2);
    await environment.ended(one.path, 'delivered', 2);
    await environment.ended(other.path, 'delivered', 2);
    // The export of a destination with another subscription: the same numbers with other event ids.
    const foreign = environment.arrivals(other.arn).map((body) => body.replace(/"event_id":"evt_[^"]*/, '$&x'));
    const found = await reconciled(one.id, foreign);
    expect(found.missing).toEqual([]);
    expect(found.contradictions).toHaveLength(2);
    expect(found.contradictions[0]).toMatch(/^Sequence 2 is of evt_\w+; the export holds evt_\w+x with it\.$/);
    expect(found.other_events.map(({ reason }) => reason)).toEqual(found.contradictions);
    expect(found.accounted_for).toBe(false);
  });

  it('does not confuse a missing number with numbers that are assigned during the comparison', async () => {
    // Number 2 was lost. While the list is read, a later batch is in flight.
    let last = 2;
    const entry = (number: number, state: DeliveryRecord['state']): DeliveryRecord => ({
      event_id: `evt_${number}`,
      state,
      sequence: number,
      finished_at: null,
      error: null,
    });
    const destinationApi = {
      status: async () => ({
        status: 'healthy',
        target_kind: 'data_stream',
        last_sequence: last,
        epochs: [{ epoch: 1, first_sequence: 1 }],
      }),
      async *deliveries(state: DeliveryRecord['state']) {
        last = 3;
        if (state === 'in_flight') yield entry(3, state);
        if (state === 'delivered') yield entry(1, state);
      },
    };
    const exported = new ExportedEvents();
    exported.add(JSON.stringify({ event_id: 'evt_1', sequence: 1 }));
    const found = await reconcile(exported, destinationApi, { from: 1, exportedAt: new Date() });
    expect(found.missing).toEqual([{ epoch: 1, sequence: 2, event_id: null, because: 'unknown', detail: null }]);
    expect(found.accounted_for).toBe(false);
  });

  it('does not expect numbers that an attempt gives back during the comparison', async () => {
    // The batch with the numbers 2 and 3 is postponed while the lists are read.
    let last = 3;
    const destinationApi = {
      status: async () => ({
        status: 'healthy',
        target_kind: 'data_stream',
        last_sequence: last,
        epochs: [{ epoch: 1, first_sequence: 1 }],
      }),
      async *deliveries(state: DeliveryRecord['state']): AsyncGenerator<DeliveryRecord> {
        last = 1;
        if (state === 'pending')
          for (const event_id of ['evt_2', 'evt_3'])
            yield { event_id, state, sequence: null, finished_at: null, error: null };
      },
    };
    const exported = new ExportedEvents();
    exported.add(JSON.stringify({ event_id: 'evt_1', sequence: 1 }));
    const found = await reconcile(exported, destinationApi, { from: 1, exportedAt: new Date() });
    expect(found).toMatchObject({ last_sequence: 1, missing: [], contradictions: [], accounted_for: true });
  });

  it('detects numbers that were never assigned', async () => {
    const [one, other] = [await environment.destination(), await environment.destination()];
    await environment.publish(2);
    await environment.ended(one.path, 'delivered', 2);
    await environment.ended(other.path, 'delivered', 2);
    const swapped = JSON.stringify({ event_id: 'evt_x', sequence: 9 });
    const found = await reconciled(one.id, [...environment.arrivals(one.arn), swapped]);
    expect(found.contradictions).toEqual(['The export holds sequence 9; the destination has given out 2 only.']);
    expect(found.accounted_for).toBe(false);
  });

  it('reads every page of the missing events', async () => {
    const { id, path } = await environment.destination();
    await api.admin.create('/resource_types', { name: 'order' });
    await api.admin.create('/event_subscriptions', {
      destination_ids: [id],
      sources: [{ type: 'order_created.v0' }],
    });
    const events = Array.from({ length: 101 }, (_, n) => ({
      type: 'order_created.v0',
      resource_id: `${n}`,
      object: {},
    }));
    expect((await api.admin.post('/events', { events })).status).toBe(202);
    await until(async () => (await api.admin.get(`${path}/status`)).body.last_sequence === 101, 'all have a number');
    await environment.ended(path, 'pending', 0);
    await environment.ended(path, 'in_flight', 0);
    const found = await reconciled(id, []);
    expect(found.missing).toHaveLength(101);
    expect(found.missing.every(({ because }) => because === 'acknowledged')).toBe(true);
  });

  it('reports an unknown destination and an unknown API key', async () => {
    const id = 'ed_01arz3ndektsv4rrffq69g5fav';
    await expect(reconciled(id, [])).rejects.toThrow(`There is no event destination ${id} in the account`);
    await expect(recordsOf(id, 'mistyped').status()).rejects.toThrow('does not accept the API key in WAYBILL_API_KEY');
  });

  it('refuses a range after the last number, and reports an empty export', async () => {
    const { id, path } = await environment.destination();
    const records = recordsOf(id);
    await environment.publish(1);
    await environment.ended(path, 'delivered', 1);
    await expect(reconcile(new ExportedEvents(), records, { from: 99, exportedAt: new Date() })).rejects.toThrow(
      'nothing to compare from 99 on',
    );
    const empty = await reconcile(new ExportedEvents(), records, { from: 1, exportedAt: new Date(0) });
    expect(empty.accounted_for).toBe(true);
    expect(report(empty)).toContain('The export is EMPTY.');
  });
});
