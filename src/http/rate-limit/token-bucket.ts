/** The tokens of a bucket at a time (milliseconds of a monotonic clock). */
export interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/** Result for one request. */
export interface Decision {
  readonly allowed: boolean;
  /** Whole requests that are left. */
  readonly remaining: number;
  /** Milliseconds until the next token; 0 while tokens are left. */
  readonly retryAfterMs: number;
}

/**
 * Refills a bucket and takes one token. The rate is `perMinute` tokens per minute, the capacity `perMinute` tokens: a
 * key can use one minute's requests at once. An undefined `bucket` is full.
 */
export function takeToken(
  bucket: Bucket | undefined,
  perMinute: number,
  now: number,
): { bucket: Bucket; decision: Decision } {
  const perMs = perMinute / 60_000;
  const held =
    bucket === undefined ? perMinute : Math.min(perMinute, bucket.tokens + Math.max(0, now - bucket.at) * perMs);
  const allowed = held >= 1;
  const tokens = allowed ? held - 1 : held;
  return { bucket: { tokens, at: now }, decision: decide(allowed, tokens, perMs) };
}

/** Returns the decision for a bucket with this number of tokens left. */
export function decide(allowed: boolean, tokens: number, perMs: number): Decision {
  return {
    allowed,
    remaining: Math.floor(tokens),
    retryAfterMs: tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perMs),
  };
}
