/** Longest wait for a response. */
const TIMEOUT_MS = 60_000;
const MOST_RETRIES = 4;
/** The first backoff is at most this long; every further one at most twice as long as the one before. */
const FIRST_BACKOFF_MS = 250;
/** A response that asks for a longer wait counts at once. */
const LONGEST_RETRY_AFTER_SECONDS = 60;

const RETRIED_STATUSES: readonly number[] = [429, 502, 503, 504];

/** A response with its whole body. */
export interface FetchedFile {
  readonly status: number;
  readonly bytes: Uint8Array;
}

/**
 * Reads a file from an address. Sends the request again as `@waybill/client` does: up to four times after a 429, 502,
 * 503 or 504, a network error and a timeout, and not before the time of Retry-After. Follows no redirect.
 * @param apiKey empty for none
 * @throws what `fetch` throws
 */
export async function fetchFile(address: string, apiKey: string): Promise<FetchedFile> {
  const headers = { 'Service-Version': '2', ...(apiKey !== '' && { Authorization: `Bearer ${apiKey}` }) };
  for (let retries = 0; ; retries += 1) {
    let askedSeconds = 0;
    try {
      // The key is for this address, and for no other.
      const init = { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
      const response = await fetch(address, init);
      const { status } = response;
      const bytes = new Uint8Array(await response.arrayBuffer());
      askedSeconds = retryAfterSeconds(response.headers);
      const isRetried = RETRIED_STATUSES.includes(status) && askedSeconds <= LONGEST_RETRY_AFTER_SECONDS;
      if (!isRetried || retries === MOST_RETRIES) return { status, bytes };
    } catch (error) {
      if (retries === MOST_RETRIES) throw error;
    }
    // With a random part, so that readers do not retry all at once.
    const backoffMs = FIRST_BACKOFF_MS * 2 ** retries * (0.5 + Math.random() / 2);
    await new Promise((resolve) => {
      setTimeout(resolve, Math.max(askedSeconds * 1_000, backoffMs));
    });
  }
}

/** Returns the seconds of Retry-After; 0 without any. */
function retryAfterSeconds(headers: Headers): number {
  const value = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) : 0;
}
