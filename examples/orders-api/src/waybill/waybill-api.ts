import type { z } from 'zod';

/** A client of the few operations of Waybill that the setup needs. */
export class WaybillApi {
  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
  ) {}

  /**
   * Sends a request and returns the body of the response.
   * @throws Error with Waybill's explanation if the response is not 2xx
   */
  async send<T>(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    responseSchema: z.ZodType<T>,
    body?: unknown,
  ): Promise<T> {
    const response = await fetch(new URL(path, this.baseUrl), {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        'service-version': '2',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return responseSchema.parse(JSON.parse(text));
  }
}
