/**
 * Longest wait that a Retry-After may ask for, in milliseconds: a vendor's mistake must not outlast a delivery's
 * deadline.
 */
const MAX_WAIT_MS = 3_600_000;

/**
 * Returns the wait of a Retry-After header, in milliseconds from now and at most an hour; undefined without one, or for
 * an invalid one. Seconds and HTTP dates: https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function retryAfterMs(header: string | null | undefined, nowMs = Date.now()): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.round(Math.min(Math.max(waitMs, 0), MAX_WAIT_MS));
}
