import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { derivedSalt } from '../../src/accounts/derived-salt.js';
import { HealthReports } from '../../src/destinations/health/health-reports.js';
import { HealthStore } from '../../src/destinations/health/health-store.js';
import { createLogger } from '../../src/logging/logger.js';
import { until } from '../../tools/harness/until.js';
import type { Created, JsonObject } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';
import type { TestApi } from '../support/test-api.js';

const STATUS = 'event_destination_status_changed.v0';
const REJECTED = 'event_delivery_rejected.v0';
const REASON = 'The SIEM is being rebuilt until noon.';

const ofPauses = {
  type: STATUS,
  filter: 'object.status == "paused" && object.paused.reason.contains("SIEM")',
  fields: { exclude: ['/object/metadata', '/request'], hash: ['/object/paused/principal/subject'] },
};
const ofManyRejections = { type: REJECTED, filter: 'object.count > 3', fields: { include: ['/object/count'] } };

let delivering: DeliveringApi;
let api: TestApi;
let about: Created & { readonly arn: string };
let watcher: Created & { readonly arn: string };
let subscription: Created;
/** Who paused the destination. */
let subject: string;

/** Reports what has happened, without the usual minute. */
async function report(): Promise<void> {
  const reports = new HealthReports(
    api.store.db,
    new HealthStore(api.store.db, 0),
    { notify: () => undefined },
    createLogger('silent'),
  );
  await reports.run({ stopped: new AbortController().signal, progressed: () => undefined });
}

async function pause(paused: { readonly reason: string } | null): Promise<JsonObject> {
  const { status, body, text } = await api.admin.patch(about.path, { paused });
  expect(status, text).toBe(200);
  await report();
  return body;
}

async function reject(count: number): Promise<void> {
  const rejections = { count, first_sequence: 1, last_sequence: count, code: 'TooLarge' };
  await api.store.pool.query(
    `insert into unreported_rejections (destination_id, recorded_at, rejections) values ($1, now(), $2)`,
    [about.id, JSON.stringify(rejections)],
  );
  await report();
}

type Sent = JsonObject & { readonly event_type: string; readonly object: JsonObject };

/** What has arrived at a destination, when nothing waits for it. */
async function arrived({ path, arn }: { readonly path: string; readonly arn: string }): Promise<readonly Sent[]> {
  await until(async () => (await api.admin.get(`${path}/status`)).body.pending === 0, 'nothing waits');
  return delivering.arrivals(arn).map((body) => JSON.parse(body) as Sent);
}

beforeAll(async () => {
  delivering = await DeliveringApi.start();
  ({ api } = delivering);
  about = await delivering.destination();
  watcher = await delivering.destination();
  subscription = await api.admin.create('/event_subscriptions', {
    destination_ids: [about.id, watcher.id],
    sources: [ofPauses, ofManyRejections],
  });
  const paused = await pause({ reason: REASON });
  ({ subject } = (paused.paused as { principal: { subject: string } }).principal);
  await pause(null);
  await pause({ reason: 'Another reason.' });
  await pause(null);
  await reject(2);
  await reject(5);
});
afterAll(() => delivering.close());

/** Returns a value without what hashes are, and without `integrity`. */
function withoutHashes(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll(/hmac-sha256:[0-9a-f]{64}/g, 'hmac-sha256');
  return JSON.parse(text, (name, member: unknown) => (name === 'integrity' ? undefined : member));
}

describe('a filter and fields of a source of events about health', () => {
  it('are saved as they are given, and refused where they do not fit the type', async () => {
    const { sources } = (await api.admin.get(subscription.path)).body;
    expect(sources).toEqual(expect.arrayContaining([expect.objectContaining(ofPauses)]));
    const source = `${subscription.path}/sources/${STATUS}`;
    for (const [rule, pointer] of [
      [{ filter: 'object.paused.because == ""' }, '/filter'],
      [{ filter: 'object.status == 1' }, '/filter'],
      [{ fields: { hash: ['/object/paused/owner'] } }, '/fields/hash/0'],
    ] as const) {
      const { status, body } = await api.admin.patch(source, rule);
      expect([status, body.errors]).toMatchObject([400, [{ pointer }]]);
    }
    expect((await api.admin.get(source)).body).toMatchObject(ofPauses);
  });

  it('decide what arrives: hashed, without the members that are excluded, and without gaps', async () => {
    const events = await arrived(watcher);
    const { rows } = await api.store.pool.query<{ salt: Buffer }>('select salt from account_salts');
    const hash = createHmac('sha256', derivedSalt(rows[0]?.salt ?? Buffer.alloc(0), subscription.id))
      .update(JSON.stringify(subject))
      .digest('hex');
    expect(events).toMatchObject([
      {
        event_type: STATUS,
        sequence: 1,
        object: {
          id: about.id,
          status: 'paused',
          previous_status: 'healthy',
          paused: { reason: REASON, principal: { subject: `hmac-sha256:${hash}`, credential_id: expect.any(String) } },
        },
      },
      { event_type: REJECTED, sequence: 2, object: { count: 5 } },
    ]);
    expect(events[0]).not.toHaveProperty('request');
    expect(events[0]?.object).not.toHaveProperty('metadata');
    expect(events[1]?.object).toEqual({ count: 5 });
    expect(await arrived(about)).toEqual([]);
  });

  it('are previewed as they are delivered, with hashes of another salt', async () => {
    const delivered = (await arrived(watcher)).map(({ epoch: _epoch, sequence: _sequence, ...payload }) =>
      withoutHashes(payload),
    );
    for (const [index, rule] of [ofPauses, ofManyRejections].entries()) {
      const { body, text } = await api.admin.post('/event_subscriptions/preview', rule);
      expect(body, text).toMatchObject({ evaluated: [4, 2][index], matched: 1, failed: 0 });
      const payloads = (body.events as { payload: unknown }[]).map(({ payload }) => withoutHashes(payload));
      expect(payloads.filter((payload) => payload !== null)).toEqual([delivered[index]]);
    }
  });

  it('apply to a backfill, which sends no destination the events about itself', async () => {
    const before = await arrived(watcher);
    const later = await delivering.destination();
    const sources = [ofPauses, ofManyRejections];
    await api.admin.create('/event_subscriptions', { destination_ids: [later.id], sources });
    const totals: unknown[] = [];
    for (const { path } of [later, about]) {
      const types = [STATUS, REJECTED];
      const backfill = await api.admin.create(`${path}/backfills`, { from: '2020-01-01T00:00:00Z', types });
      const ended = async () => (await api.admin.get(backfill.path)).body;
      await until(async () => (await ended()).state === 'finished', 'the backfill is finished');
      const { events_total: total, events_queued: queued } = await ended();
      totals.push([total, queued]);
    }
    expect(totals).toEqual([
      [6, 2],
      [0, 0],
    ]);
    expect((await arrived(later)).map(withoutHashes)).toEqual(
      before.map((payload) => withoutHashes({ ...payload, backfill: true })),
    );
    expect(await arrived(about)).toEqual([]);
  });
});
