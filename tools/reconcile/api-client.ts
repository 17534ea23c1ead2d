import { setTimeout as sleep } from 'node:timers/promises';
import { connectionError, readResponse } from './api-response.js';

/** A request of the API. */
interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly body?: unknown;
}

/**
 * Sends requests to the API with one key, for one destination. After too many requests, it waits for as long as the API
 * says.
 */
export class ApiClient {
  /** @param destinationId named in the errors */
  constructor(
    readonly baseUrl: string,
    private readonly key: string,
    readonly destinationId: string,
  ) {}

  /** Returns the JSON of a response. @throws Error with the reason and what to do */
  async json(path: string, request: ApiRequest = { method: 'GET' }): Promise<unknown> {
    const response = await this.response(path, request);
    return await this.read(response);
  }

  /** Returns the bytes of a file while they arrive. @throws Error with the reason and what to do */
  async bytes(path: string): Promise<ReadableStream<Uint8Array>> {
    const response = await this.response(path, { method: 'GET' });
    if (!response.ok || response.body === null) await this.read(response);
    if (response.body === null) throw new Error(`${this.baseUrl} sent no file.`);
    return response.body;
  }

  private async read(response: Response): Promise<unknown> {
    const text = await response.text().catch((error: unknown) => {
      throw connectionError(this.baseUrl, error);
    });
    const { status, headers } = response;
    return readResponse(this.baseUrl, this.destinationId, { status, text, location: headers.get('location') });
  }

  private async response(path: string, request: ApiRequest): Promise<Response> {
    for (;;) {
      const response = await this.send(path, request);
      if (response.status !== 429) return response;
      await response.body?.cancel();
      await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1));
    }
  }

  private async send(path: string, { method, body }: ApiRequest): Promise<Response> {
    const headers = {
      authorization: `Bearer ${this.key}`,
      'service-version': '2',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    try {
      return await fetch(`${this.baseUrl}${path}`, {
        method,
        headers,
        // The key must not go to another address.
        redirect: 'manual',
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw connectionError(this.baseUrl, error);
    }
  }
}
