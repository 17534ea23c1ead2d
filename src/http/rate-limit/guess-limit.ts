import { LRUCache } from 'lru-cache';
import { hashToken } from '../../accounts/token.js';
import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import { Problem } from '../../problems/problem.js';
import { Turns } from '../../timing/turns.js';
import { networkOf } from '../request/client-address.js';
import { tokensAt, type Bucket } from './token-bucket.js';

/** Most networks with a bucket. The least recently used bucket is dropped, which makes it full again. */
const MOST_NETWORKS = 100_000;
/** Most names that are remembered as known. */
const MOST_NAMES = 10_000;
/** The lookups that wait: one at a time for each network, and few of all, each on a connection of the database. */
const LOOKUP_TURNS = {
  turns: 4,
  shares: [{ alone: 1 / 4, among: 1 / 4 }],
  waiting: [10_000, 1_000],
  // Lookups take that long only while the database does not respond.
  waitMs: 10_000,
};

/** Ends a lookup. Call it once. */
type EndLookup = () => void;

/**
 * Limits the lookups that find nothing, for each address (for IPv6 for each /64): unknown keys, codes, cookies and SAML
 * routes. Below the limit, lookups run at once. Above it, they run one at a time, and those that find nothing are
 * refused. A guess costs at most one query, and a key that is used for the first time waits for its turn. What was
 * found before is looked up at any rate. Counts in this process only, in bounded memory.
 */
export class GuessLimit {
  private readonly buckets = new LRUCache<string, Bucket>({ max: MOST_NETWORKS });
  /** What was found at its last lookup. */
  private readonly known = new LRUCache<string, true>({ max: MOST_NAMES });
  /** Number of lookups in progress, by network, of those that did not wait for a turn. */
  private readonly inProgress = new Map<string, number>();
  /** The lookups of what is not known yet, by network and name. Others of the same name count with them. */
  private readonly firstLookups = new Map<string, Promise<EndLookup>>();
  private readonly turns: Turns;
  private readonly log: ThrottledLog;

  /**
   * @param perMinute lookups per minute from one address that find nothing; 0: no limit
   * @param now returns milliseconds of a monotonic clock
   */
  constructor(
    private readonly perMinute: number,
    logger: Logger,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.turns = new Turns(LOOKUP_TURNS, now);
    this.log = new ThrottledLog(logger);
  }

  /**
   * Returns the result of `query`; null when it finds nothing.
   * @param kind of what is looked up
   * @param guess what is looked up: secret or not, and of any length
   * @throws Problem `rate_limited` when nothing is found after too many such lookups, or when too many lookups wait
   */
  async lookUp<T>(
    kind: string,
    guess: string,
    address: string | null,
    query: () => Promise<T | null>,
  ): Promise<T | null> {
    if (this.perMinute === 0) return query();
    const name = `${kind} ${hashToken(guess).toString('base64')}`;
    if (this.known.get(name)) return this.run(name, query);
    const network = networkOf(address ?? '');
    const firstLookup = `${network} ${name}`;
    const first = this.firstLookups.get(firstLookup);
    if (first) {
      await first;
      return this.run(name, query);
    }
    const begun = this.begin(network, address);
    this.firstLookups.set(firstLookup, begun);
    try {
      const end = await begun;
      try {
        const found = await this.run(name, query);
        if (found === null) this.count(network, address);
        return found;
      } finally {
        end();
      }
    } finally {
      this.firstLookups.delete(firstLookup);
    }
  }

  private async run<T>(name: string, query: () => Promise<T | null>): Promise<T | null> {
    const found = await query();
    if (found === null) this.known.delete(name);
    else this.known.set(name, true);
    return found;
  }

  /** Begins a lookup: at once while it could still be counted, or else when it is its turn. */
  private async begin(network: string, address: string | null): Promise<EndLookup> {
    const others = this.inProgress.get(network) ?? 0;
    if (this.tokensOf(network) - others < 1) {
      const turn = (await this.turns.take([network])) ?? this.refuseWaiting(address);
      return () => turn.end();
    }
    this.inProgress.set(network, others + 1);
    return () => {
      const left = (this.inProgress.get(network) ?? 1) - 1;
      if (left === 0) this.inProgress.delete(network);
      else this.inProgress.set(network, left);
    };
  }

  /** Counts a lookup that found nothing. */
  private count(network: string, address: string | null): void {
    const tokens = this.tokensOf(network);
    if (tokens < 1) this.refuse(network, address);
    this.buckets.set(network, { tokens: tokens - 1, at: this.now() });
  }

  private refuse(network: string, address: string | null): never {
    const wait = Math.max(1, Math.ceil(((1 - this.tokensOf(network)) * 60) / this.perMinute));
    this.log.warn(undefined, 'unknown keys, codes, cookies or SAML routes from one address exceed their limit', {
      ip: address,
    });
    const detail = `More than ${this.perMinute} unknown keys, codes, cookies or SAML routes per minute came from this address. Retry after ${wait} s.`;
    throw new Problem('rate_limited', detail, { retryAfterSeconds: wait });
  }

  private refuseWaiting(address: string | null): never {
    this.log.warn(undefined, 'too many requests of one address wait until their API keys are looked up', {
      ip: address,
    });
    const detail =
      'Too many API keys that were not used before wait to be looked up for this address. Retry after 1 s.';
    throw new Problem('rate_limited', detail, { retryAfterSeconds: 1 });
  }

  private tokensOf(network: string): number {
    return tokensAt(this.buckets.get(network), this.perMinute, this.now());
  }
}
