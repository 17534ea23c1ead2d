import { tokenOf } from '../../lifecycle/provide.js';
import { Problem } from '../../problems/problem.js';
import type { RateLimiter } from './rate-limiter.js';

/** The injection token of `EventBudget`; null where the events are not limited. */
export const EVENT_BUDGET = tokenOf<EventBudget | null>('EventBudget');

/** Limits the published events of each account. A request counts against the rates of requests as well. */
export class EventBudget {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly perMinute: number,
  ) {}

  /**
   * Counts events of an account, accepted or not.
   * @throws Problem `rate_limited` when the account has published too many; none is counted then
   */
  async take(accountId: string, events: number): Promise<void> {
    const limit = { name: 'events', key: `events:${accountId}`, perMinute: this.perMinute } as const;
    const { allowed, retryAfterMs } = await this.limiter.take([limit], events);
    if (allowed) return;
    const wait = Math.max(1, Math.ceil(retryAfterMs / 1_000));
    const detail = `The account exceeded the limit of ${this.perMinute} published events per minute. Nothing was stored. Retry after ${wait} s.`;
    throw new Problem('rate_limited', detail, { retryAfterSeconds: wait });
  }
}
