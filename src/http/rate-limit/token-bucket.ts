/** A rate that a request counts against. */
export interface RateLimit {
  /** Name of the limit in the response headers. */
  readonly name: 'api-key' | 'principal' | 'account' | 'events';
  /** Id of what is limited. */
  readonly key: string;
  readonly perMinute: number;
}

/** The tokens of a bucket at a time (milliseconds of a monotonic clock). */
export interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/** Result for one request. */
export interface Decision {
  readonly allowed: boolean;
  /** The limit that the other members describe: the one that is closest, or exhausted the longest. */
  readonly limit: RateLimit;
  /** Whole requests that are left. */
  readonly remaining: number;
  /** Milliseconds until the next token; 0 while tokens are left. */
  readonly retryAfterMs: number;
}

/**
 * Returns the tokens in a bucket. The rate is `perMinute` tokens per minute, the capacity `perMinute` tokens: one
 * minute's requests can be used at once. An undefined `bucket` is full.
 */
export function tokensAt(bucket: Bucket | undefined, perMinute: number, now: number): number {
  if (bucket === undefined) return perMinute;
  return Math.min(perMinute, bucket.tokens + (Math.max(0, now - bucket.at) * perMinute) / 60_000);
}

/**
 * Returns the decision on a request.
 * @param limits the limits of the request, at least one
 * @param tokens what is left in the bucket of each limit after the decision
 * @param cost tokens that the request needs of each limit
 */
export function decide(allowed: boolean, limits: readonly RateLimit[], tokens: readonly number[], cost = 1): Decision {
  const states = limits.map((limit, index) => {
    const left = tokens[index] ?? 0;
    const needed = allowed ? 1 : Math.min(cost, limit.perMinute);
    const retryAfterMs = left >= needed ? 0 : Math.ceil(((needed - left) * 60_000) / limit.perMinute);
    return { allowed, limit, remaining: Math.floor(left), retryAfterMs };
  });
  const [first, ...others] = states;
  if (!first) throw new Error('A request is counted against no limit.');
  const closer = (a: Decision, b: Decision) =>
    b.retryAfterMs > a.retryAfterMs || (b.retryAfterMs === a.retryAfterMs && b.remaining < a.remaining) ? b : a;
  return others.reduce(closer, first);
}
