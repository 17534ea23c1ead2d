import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type {
  HttpLibrary,
  RequestContext,
  ResponseContext,
} from '@datadog/datadog-api-client/dist/packages/datadog-api-client-common/index.js';
import type { DatadogSdk } from './sdk.js';

const compress = promisify(gzip);

/** The status and headers of an answer: what the client's own errors leave out. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
}

/**
 * Carries one call of the Datadog client, and keeps the answer's headers. In the place of the client's own transport, which has
 * no timeout, follows redirects with the API key in hand, and compresses on the event loop.
 *
 * - `signal` is the timeout: it ends the call whatever it waits for.
 * - A redirect is an answer like any other and is never followed: the key goes to the host that was meant, or nowhere.
 * - gzip runs in the thread pool.
 * - Connections are kept alive by Node's `fetch`, for all destinations of a host together.
 */
export class Transport implements HttpLibrary {
  /** The answer to the call; undefined until there is one. */
  answer: Answer | undefined;

  constructor(
    private readonly sdk: Pick<DatadogSdk, 'ResponseContext'>,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws what `fetch` throws when there is no answer. */
  async send(request: RequestContext): Promise<ResponseContext> {
    const headers = request.getHeaders();
    const body = request.getBody();
    if (typeof body !== 'string') throw new TypeError('Only a call with a text body is carried.');
    const response = await fetch(request.getUrl(), {
      method: request.getHttpMethod(),
      headers,
      body: headers['Content-Encoding'] === 'gzip' ? await compress(body) : body,
      redirect: 'manual',
      signal: this.signal,
    });
    this.answer = { status: response.status, headers: response.headers };
    const bytes = Buffer.from(await response.arrayBuffer());
    return new this.sdk.ResponseContext(response.status, Object.fromEntries(response.headers), {
      text: () => Promise.resolve(bytes.toString('utf8')),
      binary: () => Promise.resolve(bytes),
    });
  }
}
