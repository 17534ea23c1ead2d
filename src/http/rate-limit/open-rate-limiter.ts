import type { Config } from '../../config/config.js';
import type { Logger } from '../../logging/logger.js';
import { MemoryRateLimiter } from './memory-limiter.js';
import type { RateLimiter } from './rate-limiter.js';
import { RedisRateLimiter } from './redis-limiter.js';

/** Returns the rate limiter for the settings: none (null), shared through Redis, or of this process. */
export function openRateLimiter(
  config: Pick<Config, 'RATE_LIMIT_PER_MINUTE' | 'REDIS_URL' | 'QUEUE_PREFIX'>,
  logger: Logger,
): RateLimiter | null {
  const perMinute = config.RATE_LIMIT_PER_MINUTE;
  if (perMinute === 0) return null;
  if (config.REDIS_URL === undefined) return new MemoryRateLimiter(perMinute);
  return new RedisRateLimiter({ url: config.REDIS_URL, perMinute, prefix: config.QUEUE_PREFIX, logger });
}
