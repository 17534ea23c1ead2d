import type { FastifyReply } from 'fastify';
import type { Caller } from '../../accounts/authenticator.js';
import { tokenOf } from '../../lifecycle/provide.js';
import { Problem } from '../../problems/problem.js';
import type { RateLimiter } from './rate-limiter.js';
import { limitsOf, type RequestRates } from './request-rates.js';

const subjects = {
  'api-key': 'The API key',
  principal: 'The owner of the API key, with all of its keys,',
  account: 'The account, with all of its API keys,',
  events: 'The account, with the events that it publishes,',
} as const;

/** The injection token of the `RateEnforcer`, or of null where no rate is limited. */
export const RATE_ENFORCER = tokenOf<RateEnforcer | null>('RateEnforcer');

/**
 * Counts authenticated requests against the rates of key, principal and account, and published events against that of
 * the account.
 */
export class RateEnforcer {
  private readonly policy: string;

  /** @param eventsPerMinute how many events an account may publish; 0: no limit */
  constructor(
    private readonly limiter: RateLimiter,
    private readonly rates: RequestRates,
    private readonly eventsPerMinute: number,
  ) {
    this.policy = rates.map(({ name, perMinute }) => `"${name}";q=${perMinute};w=60`).join(', ');
  }

  /**
   * Counts a request and adds the rate limit headers to the response:
   * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ (RateLimit-Policy has all limits, RateLimit
   * the closest). Does nothing where no rate of requests is limited.
   * @throws Problem `rate_limited` (429, with Retry-After)
   */
  async enforce(caller: Caller, reply: FastifyReply): Promise<void> {
    if (this.rates.length === 0) return;
    const { allowed, limit, remaining, retryAfterMs } = await this.limiter.take(limitsOf(this.rates, caller));
    const seconds = Math.ceil(retryAfterMs / 1_000);
    reply.header('ratelimit-policy', this.policy);
    reply.header('ratelimit', `"${limit.name}";r=${remaining};t=${seconds}`);
    if (allowed) return;
    const wait = Math.max(1, seconds);
    const detail = `${subjects[limit.name]} exceeded the limit of ${limit.perMinute} requests per minute. Retry after ${wait} s.`;
    throw new Problem('rate_limited', detail, { retryAfterSeconds: wait });
  }

  /**
   * Counts published events of an account, accepted or not. A request counts against the rates of requests as well.
   * @throws Problem `rate_limited` when the account has published too many; none is counted then
   */
  async takeEvents(accountId: string, events: number): Promise<void> {
    const perMinute = this.eventsPerMinute;
    if (perMinute === 0) return;
    const limit = { name: 'events', key: `events:${accountId}`, perMinute } as const;
    const { allowed, retryAfterMs } = await this.limiter.take([limit], events);
    if (allowed) return;
    const wait = Math.max(1, Math.ceil(retryAfterMs / 1_000));
    const detail = `The account exceeded the limit of ${perMinute} published events per minute. Nothing was stored. Retry after ${wait} s.`;
    throw new Problem('rate_limited', detail, { retryAfterSeconds: wait });
  }
}
