/** A bucket: how many tokens it held at a moment (milliseconds of any clock that only goes forward). */
export interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/** What one request got. */
export interface Decision {
  readonly allowed: boolean;
  /** Whole requests that could follow at once. */
  readonly remaining: number;
  /** Milliseconds until one more token is there; 0 while there are any. */
  readonly retryAfterMs: number;
}

/**
 * Takes one token, after adding those that came in since: `perMinute` a minute, up to `perMinute` in all, so that a key may use
 * a minute's worth at once and the steady rate after that. `bucket` undefined is a full one.
 */
export function takeToken(
  bucket: Bucket | undefined,
  perMinute: number,
  now: number,
): { bucket: Bucket; decision: Decision } {
  const perMs = perMinute / 60_000;
  const held =
    bucket === undefined
      ? perMinute
      : Math.min(perMinute, bucket.tokens + Math.max(0, now - bucket.at) * perMs);
  const allowed = held >= 1;
  const tokens = allowed ? held - 1 : held;
  return { bucket: { tokens, at: now }, decision: decide(allowed, tokens, perMs) };
}

/** The decision that a bucket with so many tokens left stands for. */
export function decide(allowed: boolean, tokens: number, perMs: number): Decision {
  return {
    allowed,
    remaining: Math.floor(tokens),
    retryAfterMs: tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perMs),
  };
}
