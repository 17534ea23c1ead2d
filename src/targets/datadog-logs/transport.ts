import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type {
  HttpLibrary,
  RequestContext,
  ResponseContext,
} from '@datadog/datadog-api-client/dist/packages/datadog-api-client-common/index.js';
import type { VendorResponse } from '../http-result.js';
import type { DatadogSdk } from './sdk.js';

const compress = promisify(gzip);

/**
 * Carries one call of the Datadog client, and keeps the status and headers that the client's errors leave out. The
 * client's own transport has no timeout, follows redirects with the API key, and compresses on the event loop. This
 * one:
 *
 * - ends the call when `signal` aborts
 * - returns a redirect as a response and never follows it, so that the key reaches its own host only
 * - compresses in the thread pool
 * - keeps connections alive by Node's `fetch`, shared by all destinations of a host
 */
export class Transport implements HttpLibrary {
  /** The response to the call; undefined without one. */
  response: VendorResponse | undefined;

  constructor(
    private readonly sdk: Pick<DatadogSdk, 'ResponseContext'>,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws what `fetch` throws when there is no response */
  async send(request: RequestContext): Promise<ResponseContext> {
    const headers = request.getHeaders();
    const body = request.getBody();
    if (typeof body !== 'string') throw new TypeError('The body of a call must be text.');
    const response = await fetch(request.getUrl(), {
      method: request.getHttpMethod(),
      headers,
      body: headers['Content-Encoding'] === 'gzip' ? await compress(body) : body,
      redirect: 'manual',
      signal: this.signal,
    });
    const { status } = response;
    // Only a 429 is about the rate limit.
    const rateLimitReset = status === 429 ? response.headers.get('x-ratelimit-reset') : null;
    this.response = { status, retryAfter: response.headers.get('retry-after') ?? rateLimitReset };
    const bytes = Buffer.from(await response.arrayBuffer());
    return new this.sdk.ResponseContext(status, Object.fromEntries(response.headers), {
      text: () => Promise.resolve(bytes.toString('utf8')),
      binary: () => Promise.resolve(bytes),
    });
  }
}
