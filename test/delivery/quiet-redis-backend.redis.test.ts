import { setTimeout as sleep } from 'node:timers/promises';
import { createRedisBackend, Queue, Worker, type BackendFactory, type Job, type RedisQueueBackend } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createQuietRedisBackend, workerScripts } from '../../src/delivery/queues/quiet-redis-backend.js';
import type { RedisServer } from '../../tools/harness/redis-server.js';
import { startOwnRedis } from './support/own-redis.js';

/** Longer than a test: a worker that misses a wake-up does not find the job by itself. In seconds. */
const NEVER = 600;

describe.skipIf(inject('redisUrl') === null)('the backend on Redis that asks for less', () => {
  let redis: RedisServer;
  let admin: Redis;
  let queues = 0;
  let workers = 0;
  const closers: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    redis = await startOwnRedis();
    admin = new Redis(redis.url);
  });
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
    workers = 0;
  });
  afterAll(async () => {
    admin.disconnect();
    await redis.stop();
  });

  /** Opens a queue with workers, whose jobs `handle` processes. */
  async function open(factory: BackendFactory, concurrencies: readonly number[], handle: (job: Job) => Promise<void>) {
    const name = `queue_${(queues += 1)}`;
    const connection = new Redis(redis.url, { maxRetriesPerRequest: null, scripts: workerScripts });
    const queue = new Queue(name, { connection: admin, prefix: 'test' });
    closers.push(
      () => queue.close(),
      async () => connection.disconnect(),
    );
    for (const concurrency of concurrencies) {
      const options = { connection, prefix: 'test', concurrency, drainDelay: NEVER };
      const worker = new Worker(name, handle, options, factory);
      worker.on('error', () => {});
      closers.push(() => worker.close(true));
      await worker.waitUntilReady();
      workers += 1;
    }
    return queue;
  }

  /** Returns how often each command was called while `work` ran. */
  async function callsDuring(work: () => Promise<void>): Promise<Readonly<Record<string, number>>> {
    await admin.config('RESETSTAT');
    await work();
    const calls = (await admin.info('commandstats')).matchAll(/cmdstat_(\w+):calls=(\d+)/g);
    return Object.fromEntries(Array.from(calls, ([, name, count]) => [name, Number(count)]));
  }

  /** Resolves when so many clients wait for a job; by default, every worker. */
  async function untilAllWait(clients = workers): Promise<void> {
    const waiting = async () => Number(/^blocked_clients:(\d+)/m.exec(await admin.info('clients'))?.[1]);
    await expect.poll(waiting).toBe(clients);
  }

  /** Processes jobs one after the other, and counts the waits and the requests for a job. */
  async function countsOf(factory: BackendFactory, jobs: number) {
    let done = 0;
    const queue = await open(factory, [50], async () => {
      // Long enough for what the worker asks meanwhile.
      await sleep(20);
      done += 1;
    });
    await untilAllWait();
    const calls = await callsDuring(async () => {
      for (let added = 1; added <= jobs; added += 1) {
        await queue.add('job', {});
        await expect.poll(() => queue.getCompletedCount()).toBe(added);
        await sleep(50);
        await untilAllWait();
      }
    });
    return { waits: calls['bzpopmin'], asked: calls['rpoplpush'] };
  }

  it('waits once for a lone job, and asks for it once', async () => {
    const before = await countsOf(createRedisBackend, 10);
    const now = await countsOf(createQuietRedisBackend, 10);
    // Three requests for a job; its end asks for the next one.
    expect(before).toEqual({ waits: 20, asked: 40 });
    expect(now).toEqual({ waits: 10, asked: 20 });
  });

  it.each([[[50]], [[1]], [[3, 1, 2]]])('misses no job with workers of concurrency %j', async (concurrencies) => {
    const seen = new Map<string, number>();
    const queue = await open(createQuietRedisBackend, concurrencies, async ({ id = '' }) => {
      await sleep(Math.random() * 4);
      seen.set(id, (seen.get(id) ?? 0) + 1);
    });
    let added = 0;
    for (let round = 0; round < 150; round += 1) {
      const size = 1 + Math.floor(Math.random() * 4);
      const jobs = Array.from({ length: size }, () => {
        const priority = Math.random() < 0.2 ? 1 : 0;
        const delay = Math.random() < 0.2 ? Math.floor(Math.random() * 40) : 0;
        return { name: 'job', data: {}, opts: { jobId: `job-${(added += 1)}`, priority, delay } };
      });
      await queue.addBulk(jobs);
      // Nothing follows that could wake a worker instead.
      if (round % 5 === 0) await vi.waitFor(() => expect(seen.size).toBe(added), { timeout: 60_000, interval: 5 });
      else await sleep(Math.random() * 10);
    }
    await vi.waitFor(() => expect(seen.size).toBe(added), { timeout: 60_000, interval: 5 });
    expect([...seen.values()].every((times) => times === 1)).toBe(true);
  });

  it.each([1, 50])('takes each lone job with a concurrency of %i', async (concurrency) => {
    let done = 0;
    const queue = await open(createQuietRedisBackend, [concurrency], async () => void (done += 1));
    for (let added = 1; added <= 10; added += 1) {
      await queue.add('job', {});
      await vi.waitFor(() => expect(done).toBe(added), 60_000);
      await sleep(30);
    }
  });

  it('runs a delayed job when it is due, although others run meanwhile', async () => {
    const done: string[] = [];
    const queue = await open(createQuietRedisBackend, [50], async ({ name }) => void done.push(name));
    await queue.add('delayed', {}, { delay: 500 });
    await queue.add('lone', {});
    await vi.waitFor(() => expect(done).toEqual(['lone', 'delayed']), 60_000);
  });

  it('runs what waits when a paused queue is resumed', async () => {
    const done: string[] = [];
    const queue = await open(createQuietRedisBackend, [50], async ({ name }) => void done.push(name));
    await queue.add('first', {});
    await vi.waitFor(() => expect(done).toEqual(['first']), 60_000);
    await queue.pause();
    await queue.add('second', {});
    await queue.resume();
    await vi.waitFor(() => expect(done).toEqual(['first', 'second']), 60_000);
  });

  it('keeps no answer that arrived beside a wait', async () => {
    const connection = new Redis(redis.url, { maxRetriesPerRequest: null, scripts: workerScripts });
    const queue = new Queue('beside', { connection: admin, prefix: 'test' });
    let backend: RedisQueueBackend | undefined;
    const worker = new Worker('beside', null, { connection, prefix: 'test' }, (...about) => {
      backend = createQuietRedisBackend(...about);
      return backend;
    });
    worker.on('error', () => {});
    const others = [new Redis(redis.url), new Redis(redis.url)];
    closers.push(
      () => queue.close(),
      async () => [connection, ...others].forEach((client) => client.disconnect()),
      () => worker.close(true),
    );
    await worker.waitUntilReady();
    if (!backend) throw new Error('no backend was made');
    // Workers of other processes, which wait before this one.
    const [first, second] = others.map(async (client) => client.bzpopmin('test:beside:marker', 60));
    await untilAllWait(2);
    const wait = backend.waitForJob(60);
    await untilAllWait(3);
    await queue.add('taken beside the wait', {});
    await first;
    const taken = await backend.moveToActive('token-1');
    await second;
    await queue.add('added later', {});
    await wait;
    const next = await backend.moveToActive('token-2');
    expect([taken[1], next[1]]).toEqual(['1', '2']);
  });
});
