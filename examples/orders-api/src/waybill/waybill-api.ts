import type { z } from 'zod';

/** A client of the few operations of Waybill that the setup needs. */
export class WaybillApi {
  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
  ) {}

  /**
   * Sends a request and returns the body of the response.
   * @throws Error with the reason if there is no response, or with Waybill's explanation if it is not 2xx
   */
  async send<T>(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    responseSchema: z.ZodType<T>,
    body?: unknown,
  ): Promise<T> {
    const url = new URL(path, this.baseUrl);
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        'service-version': '2',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new Error(`${method} ${url.href} failed: ${reasonOf(error)}. Check WAYBILL_URL.`, { cause: error });
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return responseSchema.parse(JSON.parse(text));
  }
}

/** The message of a failed `fetch` does not say why: its cause does. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
