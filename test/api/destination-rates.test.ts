import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../support/api-client.js';
import { samples } from '../support/samples.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

const PATH = '/event_destinations/metrics';
const BEGIN = Date.parse('2026-11-01T10:00:00Z');
const MINUTE = 60_000;

let api: TestApi;
/** Destinations of the account, newest first. */
let ids: readonly string[];
beforeAll(async () => {
  api = await startTestApi();
  const created: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { id } = await api.admin.create('/event_destinations', await samples.event_destination?.create(api.admin));
    created.unshift(id);
  }
  ids = created;
  const [newest = '', middle = ''] = ids;
  await rollUp(newest, 0, { delivered: 5 });
  await rollUp(newest, 1, { delivered: 7, retried: 1, rejected: 2, expired: 4 });
  await rollUp(newest, 59, { delivered: 1 });
  await rollUp(newest, 60, { delivered: 100 });
  await rollUp(middle, 1, { retried: 3 });
});
afterAll(() => api.close());

/** Writes the roll-ups of a minute, and of its hour. */
async function rollUp(id: string, minute: number, counts: Readonly<Record<string, number>>): Promise<void> {
  const { delivered = 0, retried = 0, rejected = 0, expired = 0 } = counts;
  const records = delivered + retried + rejected;
  for (const [table, width] of [
    ['destination_minutes', '1 minute'],
    ['destination_hours', '1 hour'],
  ] as const) {
    await api.store.pool.query(
      `insert into ${table} as kept (destination_id, begins_at, attempts, records, largest_batch, delivered, retried, rejected,
                                     expired, latencies)
       values ($1, date_bin($8::interval, $2::timestamptz, timestamptz 'epoch'), 1, $3::int, $3::int, $4, $5, $6, $7, '{}')
       on conflict (destination_id, begins_at) do update
       set delivered = kept.delivered + excluded.delivered, retried = kept.retried + excluded.retried,
           rejected = kept.rejected + excluded.rejected, expired = kept.expired + excluded.expired`,
      [id, new Date(BEGIN + minute * MINUTE), records, delivered, retried, rejected, expired, width],
    );
  }
}

const HOUR = 'from=2026-11-01T10:00:00Z&to=2026-11-01T11:00:00Z';
const steps = (count: number, set: Readonly<Record<number, number>> = {}) =>
  Array.from({ length: count }, (_, index) => set[index] ?? 0);

describe('the metrics of many destinations', () => {
  it('have what was delivered and what failed, for each destination and step, newest first', async () => {
    const { status, body, text } = await api.admin.get(`${PATH}?${HOUR}&step=1m`);
    expect(status, text).toBe(200);
    const [newest, middle, oldest] = ids;
    expect(body).toEqual({
      uri: `${api.baseUrl}${PATH}`,
      step: '1m',
      from: '2026-11-01T10:00:00.000Z',
      to: '2026-11-01T11:00:00.000Z',
      ...(body.complete_since !== undefined && { complete_since: expect.any(String) }),
      complete_until: expect.any(String),
      destinations: [
        { id: newest, delivered: steps(60, { 0: 5, 1: 7, 59: 1 }), failed: steps(60, { 1: 7 }) },
        { id: middle, delivered: steps(60), failed: steps(60, { 1: 3 }) },
        { id: oldest, delivered: steps(60), failed: steps(60) },
      ],
      next_page_uri: null,
    });
  });

  it.each([
    ['5m', 12, { 0: 12, 11: 1 }, { 0: 7 }],
    ['1h', 1, { 0: 13 }, { 0: 7 }],
    ['1d', 1, { 0: 113 }, { 0: 7 }],
  ] as const)('add up in steps of %s', async (step, count, delivered, failed) => {
    const { body } = await api.admin.get(`${PATH}?${HOUR}&step=${step}&destination_id=${ids[0]}`);
    expect(body.destinations).toEqual([
      { id: ids[0], delivered: steps(count, delivered), failed: steps(count, failed) },
    ]);
  });

  it('agree with those of one destination', async () => {
    const { body: one } = await api.admin.get(`/event_destinations/${ids[0]}/metrics?${HOUR}&step=5m`);
    const { body } = await api.admin.get(`${PATH}?${HOUR}&step=5m&destination_id=${ids[0]}`);
    const [rates] = body.destinations as readonly JsonObject[];
    const counts = one.steps as readonly Readonly<Record<'delivered' | 'retried' | 'rejected' | 'expired', number>>[];
    expect(rates?.delivered).toEqual(counts.map(({ delivered }) => delivered));
    expect(rates?.failed).toEqual(counts.map(({ retried, rejected, expired }) => retried + rejected + expired));
  });

  it('are those of the last day in hours by default', async () => {
    const { body } = await api.admin.get(PATH);
    const [first] = body.destinations as readonly { delivered: unknown[] }[];
    expect(body.step).toBe('1h');
    expect([24, 25]).toContain(first?.delivered.length);
  });

  it('come in pages with the same steps', async () => {
    const seen: unknown[] = [];
    const ranges = new Set<string>();
    for (let next: unknown = `${PATH}?${HOUR}&step=1m&limit=2`; typeof next === 'string';) {
      const { body } = await api.admin.get(next);
      seen.push(...(body.destinations as readonly { id: string }[]).map(({ id }) => id));
      ranges.add(`${String(body.step)} ${String(body.from)} ${String(body.to)}`);
      next = body.next_page_uri;
    }
    expect(seen).toEqual(ids);
    expect(ranges.size).toBe(1);
  });

  it('leave out destinations that do not exist, or are of another account', async () => {
    const stranger = await api.addAccount();
    const query = `${PATH}?destination_id=${ids[0]}&destination_id=nonsense`;
    expect((await stranger.get(query)).body.destinations).toEqual([]);
    const { body } = await api.admin.get(query);
    expect((body.destinations as readonly { id: string }[]).map(({ id }) => id)).toEqual([ids[0]]);
  });

  it.each([
    ['step=2m', '?step'],
    ['from=2026-11-01T10:00:00Z&to=2026-11-01T10:00:00Z', '?to'],
    ['from=2026-11-02T10:00:00Z&to=2026-11-01T10:00:00Z', '?to'],
    ['from=yesterday', '?from'],
    ['from=2026-11-01T00:00:00Z&to=2026-11-01T03:21:00Z&step=1m', '?step'],
    ['limit=0', '?limit'],
    ['before_id=evt_1', '?before_id'],
    ['destination_id=', '?destination_id'],
    ['colour=red', '?colour'],
    [Array.from({ length: 101 }, (_, index) => `destination_id=${index}`).join('&'), '?destination_id'],
  ])('refuse %s', async (query, pointer) => {
    const { status, body, text } = await api.admin.get(`${PATH}?${query}`);
    expect([status, body.error_code], text).toEqual([400, 'invalid_input']);
    const [error] = body.errors as readonly { pointer: string }[];
    expect(error?.pointer.startsWith(pointer)).toBe(true);
  });
});
