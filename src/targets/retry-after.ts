/**
 * Longest wait that a vendor's Retry-After is taken at its word for, in milliseconds. One that asks for more is asked again after
 * an hour: a typo of theirs must not outlast the deadline.
 */
const LONGEST_MS = 3_600_000;

/**
 * The wait that a Retry-After header asks for, in milliseconds from now, at most an hour; undefined where there is none or it
 * makes no sense. Seconds and HTTP dates: https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function retryAfterMs(header: string | null | undefined, nowMs = Date.now()): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.round(Math.min(Math.max(waitMs, 0), LONGEST_MS));
}
