import type { Config } from '../../config/config.js';
import type { Logger } from '../../logging/logger.js';
import { MemoryRateLimiter } from './memory-limiter.js';
import type { RateLimiter } from './rate-limiter.js';
import { RedisRateLimiter } from './redis-limiter.js';
import { eventRate, requestRates, type RateSettings } from './request-rates.js';

/** Returns the rate limiter for the settings: none (null), shared through Redis, or of this process. */
export function openRateLimiter(
  config: RateSettings & Pick<Config, 'REDIS_URL' | 'QUEUE_PREFIX'>,
  logger: Logger,
): RateLimiter | null {
  if (requestRates(config).length === 0 && eventRate(config) === 0) return null;
  if (config.REDIS_URL === undefined) return new MemoryRateLimiter();
  return new RedisRateLimiter({ url: config.REDIS_URL, prefix: config.QUEUE_PREFIX, logger });
}
