import { Redis } from 'ioredis';
import { expect, inject, it } from 'vitest';
import { createLogger } from '../../src/logging/logger.js';

it.skipIf(inject('redisUrl') === null)('logs a refused Redis password without the password', async () => {
  const redis = new Redis(inject('redisUrl') ?? '', { retryStrategy: () => null });
  const error: unknown = await redis.call('AUTH', 'nobody', 'planted-password').catch((cause) => cause);
  redis.disconnect();
  expect(JSON.stringify(error)).toContain('planted-password');

  const lines: string[] = [];
  createLogger('info', { write: (line) => lines.push(line) }).warn({ err: error }, 'authentication failed');
  expect(lines.join('')).toContain('WRONGPASS');
  expect(lines.join('')).not.toContain('planted-password');
});
