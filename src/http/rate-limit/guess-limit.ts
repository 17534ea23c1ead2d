import { LRUCache } from 'lru-cache';
import type { Authenticator, Caller } from '../../accounts/authenticator.js';
import { hashToken } from '../../accounts/token.js';
import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import { Problem } from '../../problems/problem.js';
import { networkOf } from '../client-address.js';
import { tokensAt, type Bucket } from './token-bucket.js';

/** Most networks with a bucket. The least recently used bucket is dropped, which makes it full again. */
const MOST_NETWORKS = 100_000;
/** Most API keys that are remembered as valid. */
const MOST_KEYS = 10_000;

/**
 * Limits the unknown API keys that come from one address (for IPv6 from one /64), so that guesses cost no query each. A
 * key that was valid before is looked up at any rate: other clients behind the same address are not refused. Counts in
 * this process only, in bounded memory.
 */
export class GuessLimit {
  private readonly buckets = new LRUCache<string, Bucket>({ max: MOST_NETWORKS });
  /** Hashes of tokens that were valid at their last lookup. */
  private readonly known = new LRUCache<string, true>({ max: MOST_KEYS });
  /** Number of requests whose token is looked up for the first time, by hash. They count as one guess. */
  private readonly firstLookups = new Map<string, number>();
  private readonly log: ThrottledLog;

  /**
   * @param perMinute unknown keys per minute from one address; 0: no limit
   * @param now returns milliseconds of a monotonic clock
   */
  constructor(
    private readonly authenticator: Pick<Authenticator, 'authenticate'>,
    private readonly perMinute: number,
    logger: Logger,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.log = new ThrottledLog(logger);
  }

  /**
   * Returns the caller with this token, or null for an unknown token.
   * @throws Problem `rate_limited` after too many unknown tokens from the address, without a query
   */
  async authenticate(token: string, address: string | null): Promise<Caller | null> {
    if (this.perMinute === 0) return this.authenticator.authenticate(token);
    const hash = hashToken(token).toString('base64');
    if (this.known.get(hash)) return this.lookUp(token, hash);
    const network = networkOf(address ?? '');
    const others = this.firstLookups.get(hash) ?? 0;
    if (others === 0) this.take(network, address);
    this.firstLookups.set(hash, others + 1);
    let guessed = false;
    try {
      const caller = await this.lookUp(token, hash);
      guessed = caller === null;
      return caller;
    } finally {
      const left = (this.firstLookups.get(hash) ?? 1) - 1;
      if (left === 0) this.firstLookups.delete(hash);
      else this.firstLookups.set(hash, left);
      if (!guessed && others === 0) this.giveBack(network);
    }
  }

  private async lookUp(token: string, hash: string): Promise<Caller | null> {
    const caller = await this.authenticator.authenticate(token);
    if (caller === null) this.known.delete(hash);
    else this.known.set(hash, true);
    return caller;
  }

  private take(network: string, address: string | null): void {
    const tokens = this.tokensOf(network);
    if (tokens >= 1) {
      this.buckets.set(network, { tokens: tokens - 1, at: this.now() });
      return;
    }
    const wait = Math.ceil(((1 - tokens) * 60) / this.perMinute);
    this.log.warn(undefined, 'unknown API keys from one address are refused without a lookup', { ip: address });
    const detail = `More than ${this.perMinute} unknown API keys per minute came from this address. Retry after ${wait} s.`;
    throw new Problem('rate_limited', 'rate_limited', detail, { retryAfterSeconds: wait });
  }

  private giveBack(network: string): void {
    const tokens = Math.min(this.perMinute, this.tokensOf(network) + 1);
    this.buckets.set(network, { tokens, at: this.now() });
  }

  private tokensOf(network: string): number {
    return tokensAt(this.buckets.get(network), this.perMinute, this.now());
  }
}
