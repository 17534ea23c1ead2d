/**
 * Reads a Retry-After header: seconds or a date (https://www.rfc-editor.org/rfc/rfc9110#field.retry-after).
 * @returns milliseconds; 0 where there is none, or where it cannot be read
 */
export function retryAfterMs(header: string | null, now = Date.now()): number {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // Date.parse also reads numbers with a sign or a fraction as years.
  const at = /^[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
