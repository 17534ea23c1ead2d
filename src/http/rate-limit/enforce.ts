import type { FastifyReply } from 'fastify';
import { Problem } from '../../problems/problem.js';
import type { RateLimiter } from './rate-limiter.js';

/**
 * Takes the request from its API key's rate and says in the answer what is left: the fields of
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
  throw new Problem('rate_limited', 'rate_limited', `This API key may make ${perMinute} requests a minute.`, {
    retryAfterSeconds: Math.max(1, seconds),
  });
}
