import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@waybill/embedded-postgres';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { LEASE_MS } from '../../../src/delivery/attempts/lease-keeper.js';
import { KeyRing } from '../../../src/secrets/key-ring.js';
import { SecretStore } from '../../../src/secrets/secret-store.js';
import { until } from '../../../tools/harness/until.js';
import { Pipeline } from '../../delivery/support/pipeline.js';
import { attemptsOf, laneOf, seedDestination } from '../../delivery/support/seed.js';
import { onPostgres } from '../../support/redis.js';
import { testSecretsKeys } from '../../support/secrets.js';

/** Resolves when the process takes jobs: its client is loaded, and it is registered. */
async function takesJobs({ stdout }: ChildProcess): Promise<void> {
  let all = '';
  stdout?.on('data', (chunk) => {
    all += String(chunk);
  });
  await until(() => all.includes('the client of a target is loaded'), 'the client is loaded');
}

// dead-worker.queue.test.ts has what differs between the queues.
describe('a worker process', () => {
  let pipeline: Pipeline;
  const started: ChildProcess[] = [];
  beforeAll(async () => {
    pipeline = await Pipeline.open(onPostgres);
  });
  afterAll(async () => {
    for (const child of started) child.kill('SIGKILL');
    await pipeline.close();
  });

  /** Starts a worker process on the stores of the pipeline. */
  async function startProcess(instance: string): Promise<ChildProcess> {
    const { config, store, sandbox } = pipeline;
    const child = spawn(process.execPath, ['service/main.js'], {
      cwd: inject('compiledProject'),
      env: {
        PATH: process.env['PATH'],
        ...sandbox.environment,
        ROLES: 'worker',
        INSTANCE_NAME: instance,
        HOST: '127.0.0.1',
        PORT: String(await freePort()),
        DATABASE_URL: store.connectionString,
        SECRETS_KEYS: testSecretsKeys,
        QUEUE_PREFIX: config.QUEUE_PREFIX,
        // Longer than the other process takes to start: the call without a response does not end before the kill.
        DELIVERY_SEND_TIMEOUT_MS: '300000',
        LOG_LEVEL: 'info',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    started.push(child);
    return child;
  }

  /** Creates a destination whose first call has no response, and events that the process `child` sends it. */
  async function sending(count: number) {
    const { store, lanes, accountId, sandbox } = pipeline;
    const secrets = new SecretStore(KeyRing.parse(testSecretsKeys));
    const destination = await seedDestination(store, secrets, lanes, accountId, { kind: 'data_stream' });
    sandbox.script({ address: destination.address, kind: 'timeout', accepts: true, times: 1 });
    const ids = await pipeline.publish([destination], count);
    await until(() => pipeline.received(destination).length === count, 'the target stored the events');
    return { destination, ids };
  }

  /** Returns the names of the workers that are registered. */
  async function instances(): Promise<readonly string[]> {
    const rows = await pipeline.store.db.selectFrom('worker_presences').select('instance').execute();
    return rows.map(({ instance }) => instance);
  }

  it('that is killed loses its leases long before they end, and another worker repeats one call', async () => {
    const child = await startProcess('killed');
    child.stdout?.resume();
    const { destination, ids } = await sending(3);
    const { batch_id: batchId } = await laneOf(pipeline.store, destination.id);
    // Started now, so that the other process has the batch.
    const survivor = await startProcess('survivor');
    await takesJobs(survivor);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await expect(ended).resolves.toEqual([null, 'SIGKILL']);
    const lockedUntil = Date.now() + LEASE_MS / 2;
    // However slow the machine is, the lease does not end by itself.
    const { rows } = await pipeline.store.pool.query<{ attempt_until: Date }>(
      `update delivery_lanes set attempt_until = attempt_until + interval '1 hour'
         where destination_id = $1 and attempt_until > now() returning attempt_until`,
      [destination.id],
    );
    const leasedUntil = rows[0]?.attempt_until.getTime() ?? Infinity;
    await pipeline.settled(destination);
    expect(await instances()).toEqual(['survivor']);
    const attempts = await attemptsOf(pipeline.store, destination.id);
    expect(attempts).toMatchObject([{ number: 2, delivered: 3, batch_id: batchId }]);
    expect(attempts[0]?.started_at.getTime()).toBeLessThan(leasedUntil);
    // The lock of the batch's own job has not ended either, unless the machine is slow.
    const state = await pipeline.queues.queue('data_stream').getJobState(batchId ?? '');
    if (Date.now() < lockedUntil) expect(state).toBe('active');
    const repeated = [...ids, ...ids].map((id, index) => [id, (index % 3) + 1]);
    expect(pipeline.received(destination).map(({ event_id, sequence }) => [event_id, sequence])).toEqual(repeated);
    survivor.kill('SIGKILL');
  });
});
