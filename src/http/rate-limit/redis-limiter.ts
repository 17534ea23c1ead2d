import { Redis } from 'ioredis';
import { z } from 'zod';
import type { Logger } from '../../logging/logger.js';
import { withTimeout } from '../../timing/with-timeout.js';
import { MemoryRateLimiter } from './memory-limiter.js';
import type { RateLimiter } from './rate-limiter.js';
import { decide, type Decision } from './token-bucket.js';

/**
 * `takeToken` as an atomic script with the clock of Redis, so that all processes share the buckets. A bucket expires
 * when it would be full again. The result has thousandths of tokens, since Lua returns integers.
 */
const SCRIPT = `
local perMinute = tonumber(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local held = perMinute
if bucket[1] then
  held = math.min(perMinute, tonumber(bucket[1]) + math.max(0, now - tonumber(bucket[2])) * perMinute / 60000)
end
local allowed = 0
if held >= 1 then
  allowed = 1
  held = held - 1
end
redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', held), 'at', string.format('%.3f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil((perMinute - held) * 60000 / perMinute) + 1000)
return {allowed, math.floor(held * 1000)}
`;

const replySchema = z.tuple([z.union([z.literal(0), z.literal(1)]), z.number()]);

/** Timeout of one count in Redis, in milliseconds. */
const LONGEST_WAIT_MS = 250;
/** How long Redis is not asked after a failure, in milliseconds. */
const PAUSE_MS = 1_000;

/** Options of `RedisRateLimiter`. */
export interface RedisLimiterOptions {
  readonly url: string;
  readonly perMinute: number;
  /** Prefix of every key in Redis. */
  readonly prefix: string;
  readonly logger: Logger;
}

/**
 * A token bucket per key that all processes share through Redis. While Redis does not respond, each process has its own
 * buckets, so that the API keeps working with a looser limit.
 */
export class RedisRateLimiter implements RateLimiter {
  private readonly redis: Redis;
  private readonly fallback: MemoryRateLimiter;
  private pausedUntil = 0;
  private down = false;

  constructor(private readonly options: RedisLimiterOptions) {
    this.fallback = new MemoryRateLimiter(options.perMinute);
    this.redis = new Redis(options.url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 2_000,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    });
    // `take` logs the outage once; a line for each reconnection attempt would flood the log.
    this.redis.on('error', () => {});
  }

  async take(key: string): Promise<Decision> {
    if (performance.now() < this.pausedUntil) return this.fallback.take(key);
    try {
      const decision = await this.ask(key);
      if (this.down) this.options.logger.info('rate limiter: Redis is available again');
      this.down = false;
      return decision;
    } catch (error) {
      if (!this.down)
        this.options.logger.warn(
          { err: error },
          'rate limiter: Redis does not respond; each process counts its own requests',
        );
      this.down = true;
      this.pausedUntil = performance.now() + PAUSE_MS;
      return this.fallback.take(key);
    }
  }

  private async ask(key: string): Promise<Decision> {
    const { perMinute, prefix } = this.options;
    const asked = this.redis.eval(SCRIPT, 1, `${prefix}:rate:${key}`, perMinute);
    const response = await withTimeout(asked, LONGEST_WAIT_MS);
    if (response === undefined) throw new Error(`Redis did not respond within ${LONGEST_WAIT_MS} ms`);
    const [allowed, thousandths] = replySchema.parse(response);
    return decide(allowed === 1, thousandths / 1_000, perMinute / 60_000);
  }

  async close(): Promise<void> {
    this.redis.disconnect();
    await this.fallback.close();
  }
}
