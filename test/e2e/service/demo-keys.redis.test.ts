import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { deleteKeys, redisError } from '../../../tools/demo/redis-store.js';

const redisUrl = inject('redisUrl');

describe.skipIf(redisUrl === null)('the Redis of the demo', () => {
  const url = redisUrl ?? '';

  it('can be used when it answers', async () => {
    expect(await redisError(url)).toBeNull();
  });

  it('loses the keys of the demo only', async () => {
    const redis = new Redis(url);
    onTestFinished(() => redis.disconnect());
    const demo = `demo-${randomUUID()}`;
    const others = [`${demo}2:a`, `other-${demo}:a`, demo];
    // More keys than one page of a scan has.
    const keys = Array.from({ length: 1_200 }, (_, n) => `${demo}:${n}`);
    await redis.mset([...keys, ...others].flatMap((key) => [key, '1']));
    await deleteKeys(url, demo);
    expect(await redis.exists(...keys)).toBe(0);
    expect(await redis.exists(...others)).toBe(others.length);
    await redis.unlink(...others);
  });

  it('has nothing to lose without keys', async () => {
    await expect(deleteKeys(url, `demo-${randomUUID()}`)).resolves.toBeUndefined();
  });
});
