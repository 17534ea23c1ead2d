import type { FastifyReply } from 'fastify';
import { Problem } from '../../problems/problem.js';
import type { RateLimiter } from './rate-limiter.js';

/**
 * Counts a request against the rate of its API key and adds the rate limit headers to the response:
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ (RateLimit-Policy and RateLimit).
 * @throws Problem `rate_limited` (429, with Retry-After)
 */
export async function enforceRateLimit(
  limiter: RateLimiter,
  keyId: string,
  perMinute: number,
  reply: FastifyReply,
): Promise<void> {
  const { allowed, remaining, retryAfterMs } = await limiter.take(keyId);
  const seconds = Math.ceil(retryAfterMs / 1_000);
  reply.header('ratelimit-policy', `"api-key";q=${perMinute};w=60`);
  reply.header('ratelimit', `"api-key";r=${remaining};t=${seconds}`);
  if (allowed) return;
  throw new Problem(
    'rate_limited',
    'rate_limited',
    `The API key exceeded its limit of ${perMinute} requests per minute. Retry after ${Math.max(1, seconds)} s.`,
    {
      retryAfterSeconds: Math.max(1, seconds),
    },
  );
}
