import { Redis } from 'ioredis';
import { z } from 'zod';
import { redisSockets } from '../../config/redis-sockets.js';
import { storeAddress } from '../../config/store-address.js';
import type { Logger } from '../../logging/logger.js';
import { withTimeout } from '../../timing/with-timeout.js';
import { MemoryRateLimiter } from './memory-limiter.js';
import type { RateLimiter } from './rate-limiter.js';
import { decide, type Decision, type RateLimit } from './token-bucket.js';

/**
 * The buckets of all limits of a request in one atomic script with the clock of Redis, so that all processes share
 * them. KEYS: the buckets. ARGV: the rate of each, and the cost. A bucket expires when it would be full again. The
 * result is 1 or 0 for allowed, then what is left in each bucket, in thousandths of tokens, since Lua returns integers.
 */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local held = {}
local allowed = 1
local cost = tonumber(ARGV[#KEYS + 1])
for index, key in ipairs(KEYS) do
  local perMinute = tonumber(ARGV[index])
  local bucket = redis.call('HMGET', key, 'tokens', 'at')
  held[index] = perMinute
  if bucket[1] then
    local refilled = math.max(0, now - tonumber(bucket[2])) * perMinute / 60000
    held[index] = math.min(perMinute, tonumber(bucket[1]) + refilled)
  end
  if held[index] < math.min(cost, perMinute) then allowed = 0 end
end
local reply = {allowed}
for index, key in ipairs(KEYS) do
  local perMinute = tonumber(ARGV[index])
  local left = held[index] - allowed * math.min(cost, perMinute)
  redis.call('HSET', key, 'tokens', string.format('%.6f', left), 'at', string.format('%.3f', now))
  redis.call('PEXPIRE', key, math.ceil((perMinute - left) * 60000 / perMinute) + 1000)
  reply[index + 1] = math.floor(left * 1000)
end
return reply
`;

const replySchema = z.tuple([z.union([z.literal(0), z.literal(1)])], z.number());

/** Timeout of one count in Redis, in milliseconds. */
const LONGEST_WAIT_MS = 250;
/** How long Redis is not asked after a failure, in milliseconds. */
const PAUSE_MS = 1_000;

/** Options of `RedisRateLimiter`. */
export interface RedisLimiterOptions {
  readonly url: string;
  /** Prefix of every key in Redis. */
  readonly prefix: string;
  readonly logger: Logger;
}

/**
 * A token bucket per limit that all processes share through Redis. While Redis does not respond, each process has its
 * own buckets, so that the API keeps working with a looser limit.
 */
export class RedisRateLimiter implements RateLimiter {
  private readonly redis: Redis;
  private readonly fallback = new MemoryRateLimiter();
  private pausedUntil = 0;
  private down = false;

  constructor(private readonly options: RedisLimiterOptions) {
    this.redis = new Redis(options.url, {
      ...redisSockets,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 2_000,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    });
    // `take` logs the outage once; a line for each reconnection attempt would flood the log.
    this.redis.on('error', () => {});
  }

  async take(limits: readonly RateLimit[], cost = 1): Promise<Decision> {
    if (performance.now() < this.pausedUntil) return this.fallback.take(limits, cost);
    try {
      const decision = await this.ask(limits, cost);
      if (this.down) this.options.logger.info('rate limiter: Redis is available again');
      this.down = false;
      return decision;
    } catch (error) {
      if (!this.down)
        this.options.logger.warn(
          { err: error, setting: 'REDIS_URL', tried: storeAddress(this.options.url) },
          'rate limiter: Redis does not respond; each process counts its own requests',
        );
      this.down = true;
      this.pausedUntil = performance.now() + PAUSE_MS;
      return this.fallback.take(limits, cost);
    }
  }

  private async ask(limits: readonly RateLimit[], cost: number): Promise<Decision> {
    const keys = limits.map(({ key }) => `${this.options.prefix}:rate:${key}`);
    const rates = limits.map(({ perMinute }) => perMinute);
    const asked = this.redis.eval(SCRIPT, keys.length, ...keys, ...rates, cost);
    const response = await withTimeout(asked, LONGEST_WAIT_MS);
    if (response === undefined) throw new Error(`Redis did not respond within ${LONGEST_WAIT_MS} ms`);
    const [allowed, ...thousandths] = replySchema.parse(response);
    const left = thousandths.map((value) => value / 1_000);
    return decide(allowed === 1, limits, left, cost);
  }

  async close(): Promise<void> {
    this.redis.disconnect();
    await this.fallback.close();
  }
}
