import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../tools/harness/until.js';
import { onPostgres } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { attemptsOf, deliveriesOf, laneOf, type SeededDestination } from './support/seed.js';

describe('an outcome of the target', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await Pipeline.open(onPostgres);
    await pipeline.startWorker();
  });
  beforeEach(() => pipeline.sandbox.clear());
  afterAll(() => pipeline.close());

  const lane = (destination: SeededDestination) => laneOf(pipeline.store, destination.id);
  const deliveries = (destination: SeededDestination) => deliveriesOf(pipeline.store, destination.id);
  const sequences = (destination: SeededDestination): number[] =>
    pipeline
      .received(destination)
      .map(({ sequence }) => sequence)
      .toSorted((a, b) => a - b);

  it('makes the next attempt resend only the failed records, with their numbers', async () => {
    const destination = await pipeline.destination();
    pipeline.sandbox.script({ address: destination.address, kind: 'partial', ratio: 0.5, times: 3 });
    const published = await pipeline.publish([destination], 40);
    await pipeline.settled(destination);
    expect(sequences(destination)).toEqual(published.map((_, index) => index + 1));
    const attempts = await attemptsOf(pipeline.store, destination.id);
    expect(attempts.length).toBeGreaterThan(1);
    expect(attempts[0]).toMatchObject({ records: 40, outcome: 'retrying', number: 1 });
    for (const [index, attempt] of attempts.entries()) {
      expect(attempt.delivered + attempt.retried).toBe(attempt.records);
      if (index > 0) expect(attempt.records).toBe(attempts[index - 1]?.retried);
    }
    expect(new Set(attempts.map(({ batch_id }) => batch_id)).size).toBe(1);
    expect((await lane(destination)).status).toBe('healthy');
  });

  it('leaves only pending events in the data of the job', async () => {
    const destination = await pipeline.destination();
    const heal = pipeline.sandbox.script({ address: destination.address, kind: 'partial', ratio: 0.5 });
    await pipeline.publish([destination], 60);
    await until(async () => (await attemptsOf(pipeline.store, destination.id)).length >= 2, 'two attempts');
    const batchId = (await lane(destination)).batch_id;
    const job = await pipeline.queues.queue('data_stream').getJob(batchId ?? 'gone');
    if (job) expect(job.data.events.length).toBeLessThan(60);
    heal();
    await pipeline.settled(destination);
    expect(sequences(destination)).toHaveLength(60);
  });

  it('delays the next attempt for as long as the vendor requests', async () => {
    const destination = await pipeline.destination({ kind: 'monitoring' });
    pipeline.sandbox.script({ target: 'monitoring', kind: 'throttle', retryAfterSeconds: 1, times: 1 });
    await pipeline.publish([destination], 3);
    await pipeline.settled(destination);
    const [first, second] = await attemptsOf(pipeline.store, destination.id);
    expect(first).toMatchObject({ outcome: 'retrying', http_status: 429, retried: 3 });
    expect(second).toMatchObject({ outcome: 'healthy', delivered: 3 });
    const waited = Number(second?.started_at) - Number(first?.started_at) - (first?.duration_ms ?? 0);
    // The own backoff is 20 ms here.
    expect(waited).toBeGreaterThan(990);
  });

  it('shows the error of a misconfigured destination, keeps its events, and retries at once on a resume', async () => {
    const destination = await pipeline.destination();
    const repair = pipeline.sandbox.script({ address: destination.address, kind: 'deny' });
    const published = [...(await pipeline.publish([destination], 5))];
    await until(async () => (await lane(destination)).status === 'misconfigured', 'the lane is misconfigured');
    published.push(...(await pipeline.publish([destination], 5)));
    const broken = await lane(destination);
    expect(broken).toMatchObject({ failures: 1, last_error_code: 'AccessDeniedException' });
    expect(broken.last_error_message).not.toBe('');
    expect(broken.resume_at).not.toBeNull();
    expect(await attemptsOf(pipeline.store, destination.id)).toHaveLength(1);
    repair();
    await pipeline.dispatcher.resume(destination.id);
    await pipeline.settled(destination);
    expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
    expect(await lane(destination)).toMatchObject({ status: 'healthy', failures: 0, resume_at: null });
  });

  it('retries at once when the lane was resumed during an attempt that then failed', async () => {
    const destination = await pipeline.destination();
    const { address } = destination;
    pipeline.sandbox.script({ address, kind: 'slow', delayMs: 1_000, times: 1 });
    pipeline.sandbox.script({ address, kind: 'deny', times: 1 });
    await pipeline.publish([destination], 1);
    await until(async () => (await lane(destination)).attempt_token !== null, 'an attempt is being made');
    await pipeline.dispatcher.resume(destination.id);
    // The backoff of a misconfigured destination is up to a day here.
    await pipeline.settled(destination);
    const attempts = await attemptsOf(pipeline.store, destination.id);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['misconfigured', 'healthy']);
    expect(sequences(destination)).toEqual([1]);
  });

  it('rejects a record that is too large at once, and delivers the others', async () => {
    const destination = await pipeline.destination();
    const before = await pipeline.publish([destination], 2);
    const [poison] = await pipeline.publish([destination], 1, { padding: 1_100_000 });
    const after = await pipeline.publish([destination], 2);
    await pipeline.settled(destination);
    expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual([...before, ...after]);
    expect(sequences(destination)).toEqual([1, 2, 4, 5]);
    const rejected = (await deliveries(destination)).filter(({ state }) => state === 'rejected');
    expect(rejected).toMatchObject([{ event_id: poison, sequence: 3, attempts: 1 }]);
    expect((await lane(destination)).status).toBe('healthy');
  });

  it('keeps an event pending whose call was rejected without a reason, and retries it with later events', async () => {
    const destination = await pipeline.destination();
    const { address } = destination;
    // The vendor returns the same code for a malformed record and for a stream that accepts none.
    const repair = pipeline.sandbox.script({ address, kind: 'too_large' });
    const published = [...(await pipeline.publish([destination], 1))];
    await until(async () => (await lane(destination)).status === 'misconfigured', 'the lane is misconfigured');
    expect(await lane(destination)).toMatchObject({ batch_id: null, failures: 1 });
    expect(await deliveries(destination)).toMatchObject([
      { state: 'pending', sequence: 1, attempts: 1, error_code: 'InvalidArgumentException' },
    ]);
    published.push(...(await pipeline.publish([destination], 3)));
    repair();
    await pipeline.dispatcher.resume(destination.id);
    await pipeline.settled(destination);
    expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
    expect(sequences(destination)).toEqual([1, 2, 3, 4]);
    const attempts = await attemptsOf(pipeline.store, destination.id);
    expect(attempts.map(({ outcome, records }) => ({ outcome, records }))).toEqual([
      { outcome: 'misconfigured', records: 1 },
      { outcome: 'healthy', records: 4 },
    ]);
    expect(await lane(destination)).toMatchObject({ status: 'healthy', failures: 0 });
  });

  it('retries an unavailable destination until it succeeds', async () => {
    const destination = await pipeline.destination();
    pipeline.sandbox.script({ address: destination.address, kind: 'unavailable', times: 4 });
    await pipeline.publish([destination], 3);
    await pipeline.settled(destination);
    expect(sequences(destination)).toEqual([1, 2, 3]);
    const attempts = await attemptsOf(pipeline.store, destination.id);
    expect(attempts.map(({ outcome }) => outcome)).toEqual([...Array.from({ length: 4 }, () => 'retrying'), 'healthy']);
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  });

  it('fails an attempt whose target does not respond within the timeout', async () => {
    const destination = await pipeline.destination();
    // Preloads the target's SDK, whose load time would count.
    await pipeline.publish([destination], 1);
    await pipeline.settled(destination);
    await pipeline.stopWorkers();
    await pipeline.startWorker({ DELIVERY_SEND_TIMEOUT_MS: 3_000 });
    try {
      pipeline.sandbox.script({ address: destination.address, kind: 'timeout', times: 1 });
      await pipeline.publish([destination], 1);
      await pipeline.settled(destination);
    } finally {
      await pipeline.stopWorkers();
      await pipeline.startWorker();
    }
    const [, first, second] = await attemptsOf(pipeline.store, destination.id);
    expect(first).toMatchObject({ outcome: 'retrying', code: 'timeout' });
    expect(first?.duration_ms).toBeGreaterThanOrEqual(2_990);
    expect(second).toMatchObject({ outcome: 'healthy' });
  });

  it('shows an invalid stored configuration as misconfigured', async () => {
    const destination = await pipeline.destination();
    await pipeline.store.pool.query(
      `update resources set version = version + 1,
         attributes = jsonb_set(attributes, '{target,data_stream,stream_arn}', '"nonsense"') where id = $1`,
      [destination.id],
    );
    await pipeline.publish([destination], 1);
    await until(async () => (await lane(destination)).status === 'misconfigured', 'the lane is misconfigured');
    expect(await lane(destination)).toMatchObject({
      last_error_code: 'configuration_unusable',
      last_error_message: expect.stringContaining('target.data_stream.stream_arn'),
    });
  });

  it('shows a role without an external id as misconfigured, and does not assume it', async () => {
    const destination = await pipeline.destination();
    const auth = { role: { role_arn: 'arn:aws:iam::123456789012:role/events' }, creds: null };
    await pipeline.store.pool.query(
      `update resources set version = version + 1,
         attributes = jsonb_set(attributes, '{target,data_stream,auth}', $2) where id = $1`,
      [destination.id, JSON.stringify(auth)],
    );
    await pipeline.publish([destination], 1);
    await until(async () => (await lane(destination)).status === 'misconfigured', 'the lane is misconfigured');
    expect(await lane(destination)).toMatchObject({
      last_error_code: 'configuration_unusable',
      last_error_message: expect.stringContaining('no external id'),
    });
    expect(pipeline.sandbox.assumedRoles()).toEqual([]);
  });

  it('shows a secret that cannot be decrypted, applies the deadline, and delivers once it is set again', async () => {
    const destination = await pipeline.destination();
    const { store, secrets, accountId } = pipeline;
    await store.pool.query(`update secrets set ciphertext = decode(repeat('00', 40), 'hex') where resource_id = $1`, [
      destination.id,
    ]);
    await pipeline.publish([destination], 1, { ageMs: 100 * 3_600_000 });
    await until(async () => (await lane(destination)).status === 'retrying', 'the lane shows it');
    expect(await lane(destination)).toMatchObject({ last_error_code: 'secret_unreadable' });
    expect(await deliveries(destination)).toMatchObject([
      { state: 'expired', sequence: 1, error_code: 'secret_unreadable' },
    ]);

    await pipeline.publish([destination], 1);
    const field = 'target.data_stream.auth.creds.cloud_secret_access_key';
    await secrets.put(store.db, { accountId, resourceId: destination.id, field }, 'sandbox-secret');
    await pipeline.settled(destination);
    expect(sequences(destination)).toEqual([2]);
  });
});
