import { startLoopback } from '../support/loopback-server.js';

/**
 * What the proxy does with a request: `forward` it; `drop` the response of the API after it was received; or a response
 * of its own.
 */
export type Fault = 'forward' | 'drop' | { readonly status: number; readonly headers?: Record<string, string> };

/** A proxy before the API that fails as a script says. */
export interface FaultyProxy {
  readonly url: string;
  /** Method and path of each request, with its Idempotency-Key. */
  readonly requests: readonly { readonly request: string; readonly key: string | undefined }[];
  /** Faults of the next requests, in order. Requests after them are forwarded. */
  script(...faults: readonly Fault[]): void;
  close(): Promise<void>;
}

/** Starts a proxy before an API. */
export async function startFaultyProxy(apiUrl: string): Promise<FaultyProxy> {
  const requests: { request: string; key: string | undefined }[] = [];
  const faults: Fault[] = [];
  const server = await startLoopback(async ({ method, path, headers, bytes }) => {
    requests.push({ request: `${method} ${path}`, key: headers['idempotency-key']?.toString() });
    const fault = faults.shift() ?? 'forward';
    if (typeof fault === 'object') return { ...fault, body: '<h1>Bad gateway</h1>' };
    const { host: _host, connection: _connection, 'content-length': _length, ...forwarded } = headers;
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: forwarded as Record<string, string>,
      ...(bytes.length > 0 && { body: new Uint8Array(bytes) }),
    });
    const body = Buffer.from(await response.arrayBuffer());
    return fault === 'drop' ? 'cut' : { status: response.status, headers: Object.fromEntries(response.headers), body };
  });
  return {
    url: server.url,
    requests,
    script: (...next) => void faults.splice(0, faults.length, ...next),
    close: () => server.close(),
  };
}
