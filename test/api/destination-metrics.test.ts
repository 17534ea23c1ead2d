import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AttemptRollup } from '../../src/delivery/rollups/attempt-rollup.js';
import { RollupStore } from '../../src/delivery/rollups/rollup-store.js';
import { createLogger } from '../../src/logging/logger.js';
import { untilCountable } from '../delivery/support/other-transactions.js';
import type { JsonObject } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
let ground: DeliveringApi;
beforeAll(async () => {
  ground = await DeliveringApi.start({ DELIVERY_BACKOFF_BASE_MS: '20', DELIVERY_BACKOFF_CAP_MS: '100' });
});
afterAll(() => ground.close());

/**
 * Rolls up what is recorded. The worker does it too, at its own times: the first turn may end with what the worker has
 * proposed before.
 */
async function rollUp(): Promise<void> {
  const rollup = new AttemptRollup(new RollupStore(ground.api.store.db), createLogger('silent'));
  for (let turns = 0; turns < 2; turns += 1) {
    await untilCountable(ground.api.store);
    await rollup.run({ stopped: new AbortController().signal, progressed: () => {} });
  }
}

const nothing = {
  attempts: 0,
  delivered: 0,
  retried: 0,
  rejected: 0,
  expired: 0,
  latency_p50_ms: null,
  latency_p99_ms: null,
  batch_size_mean: null,
  batch_size_max: null,
};

describe('the metrics of a destination', () => {
  it('count what was delivered, retried and rejected, with latencies and batch sizes, whatever the step', async () => {
    const { path, arn } = await ground.destination();
    // One after the other: each is a batch of its own.
    for (const count of [1, 2, 3]) {
      await ground.publish(1);
      await ground.ended(path, 'delivered', count);
    }
    ground.sandbox.script({ target: 'data_stream', address: arn, kind: 'unavailable', times: 1 });
    await ground.publish(1);
    await ground.ended(path, 'delivered', 4);
    const recordedBy = Date.now();
    await rollUp();
    for (const step of ['1m', '5m', '1h', '1d']) {
      const { status, body } = await ground.api.admin.get(`${path}/metrics?step=${step}`);
      expect(status).toBe(200);
      expect(body.total).toMatchObject({ delivered: 4, retried: 1, rejected: 0, expired: 0, batch_size_max: 1 });
      const { latency_p50_ms: p50, latency_p99_ms: p99, attempts, batch_size_mean: mean } = body.total as JsonObject;
      expect(Number(p50)).toBeGreaterThan(0);
      expect(Number(p99)).toBeGreaterThanOrEqual(Number(p50));
      expect([Number(attempts), mean]).toEqual([5, 1]);
      const steps = body.steps as readonly JsonObject[];
      expect(steps.reduce((sum, { delivered }) => sum + Number(delivered), 0)).toBe(4);
      expect(Date.parse(String(body.complete_until))).toBeGreaterThan(recordedBy - MINUTE);
    }
  });

  it('have a step for each part of the range, also where nothing happened', async () => {
    const { path } = await ground.destination();
    const { body } = await ground.api.admin.get(
      `${path}/metrics?from=2025-11-01T10:02:30Z&to=2025-11-01T12:10:00%2B02:00&step=5m`,
    );
    expect(body).toEqual({
      uri: `${ground.api.baseUrl}${path}/metrics`,
      step: '5m',
      from: '2025-11-01T10:00:00.000Z',
      to: '2025-11-01T10:10:00.000Z',
      complete_until: expect.any(String),
      total: nothing,
      steps: [
        { from: '2025-11-01T10:00:00.000Z', ...nothing },
        { from: '2025-11-01T10:05:00.000Z', ...nothing },
      ],
    });
  });

  it('are those of the last day in hours by default, which is complete', async () => {
    const { path } = await ground.destination();
    const { body } = await ground.api.admin.get(`${path}/metrics`);
    expect(body).toMatchObject({ step: '1h' });
    expect(body).not.toHaveProperty('complete_since');
    expect((body.steps as readonly unknown[]).length).toBeGreaterThanOrEqual(24);
    expect((body.steps as readonly unknown[]).length).toBeLessThanOrEqual(26);
  });

  it('say since when they are complete when the range begins before the retention', async () => {
    const { path } = await ground.destination();
    await ground.api.store.pool.query(`update accounts set created_at = now() - interval '50 days'`);
    const from = new Date(Date.now() - 40 * DAY).toISOString();
    const { body } = await ground.api.admin.get(`${path}/metrics?from=${from}&step=1d`);
    const age = Date.now() - Date.parse(String(body.complete_since));
    expect(Math.abs(age - 30 * DAY)).toBeLessThan(HOUR);
    expect((body.steps as readonly unknown[]).length).toBeGreaterThan(39);
  });

  const inAYear = new Date(Date.now() + 400 * DAY).toISOString();
  it.each([
    ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', '?to'],
    ['from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', '?to'],
    [`from=${new Date(Date.now() + HOUR).toISOString()}`, '?from'],
    ['from=2026-01-01T00:00:00Z&to=2026-01-03T00:00:00Z&step=1m', '?step'],
    ['from=1970-01-01T00:00:00Z&step=1d', '?step'],
    ['from=1969-12-31T00:00:00Z&to=1969-12-31T01:00:00Z', '?from'],
    ['to=1969-12-31T01:00:00Z', '?to'],
    [`from=2026-01-01T00:00:00Z&to=${inAYear}&step=1d`, '?to'],
    ['from=yesterday', '?from'],
    ['step=2m', '?step'],
    ['step=1m&step=5m', '?step'],
    ['bucket=1m', '?bucket'],
  ])('refuse the query %s', async (query, pointer) => {
    const { path } = await ground.destination();
    const { status, body } = await ground.api.admin.get(`${path}/metrics?${query}`);
    expect([status, body.error_code]).toEqual([400, 'invalid_input']);
    expect(body.errors).toMatchObject([{ pointer }]);
  });

  it('are not found for a destination of another account, or of none', async () => {
    const { path } = await ground.destination();
    const stranger = await ground.api.addAccount();
    for (const other of [path, '/event_destinations/ed_none'])
      expect((await stranger.get(`${other}/metrics`)).body.error_code).toBe('not_found');
  });
});
