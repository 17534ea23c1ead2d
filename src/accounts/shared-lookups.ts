import { withTimeout } from '../timing/with-timeout.js';

/** Longest wait for the previous lookup, in milliseconds: a hung connection must not block all lookups. */
const MAX_WAIT_MS = 50;

/**
 * Shares lookups of the same key. This is not a cache: a call during a lookup does not get its result, which may
 * predate the call. All such calls share the next lookup, which begins when the current one has ended.
 */
export class SharedLookups<Result> {
  private readonly running = new Map<string, Promise<Result>>();
  private readonly next = new Map<string, Promise<Result>>();

  /**
   * Returns the result of a lookup that begins after this call. Rejects as the lookup does, for all sharing calls.
   */
  run(key: string, lookup: () => Promise<Result>): Promise<Result> {
    const next = this.next.get(key);
    if (next) return next;
    const running = this.running.get(key);
    if (!running) return this.begin(key, lookup);
    const before = running.catch(() => undefined);
    const following = withTimeout(before, MAX_WAIT_MS).then(() => {
      this.next.delete(key);
      return this.begin(key, lookup);
    });
    this.next.set(key, following);
    return following;
  }

  private begin(key: string, lookup: () => Promise<Result>): Promise<Result> {
    const running = lookup().finally(() => {
      if (this.running.get(key) === running) this.running.delete(key);
    });
    this.running.set(key, running);
    return running;
  }
}
