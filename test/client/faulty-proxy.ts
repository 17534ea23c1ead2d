import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

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
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const { method = '', url = '', headers } = incoming;
    requests.push({ request: `${method} ${url}`, key: headers['idempotency-key']?.toString() });
    const fault = faults.shift() ?? 'forward';
    if (typeof fault === 'object')
      return void outgoing.writeHead(fault.status, fault.headers).end('<h1>Bad gateway</h1>');
    const { host: _host, connection: _connection, 'content-length': _length, ...forwarded } = headers;
    const response = await fetch(`${apiUrl}${url}`, {
      method,
      headers: forwarded as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const body = Buffer.from(await response.arrayBuffer());
    if (fault === 'drop') return void incoming.socket.destroy();
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(body);
  };
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    script: (...next) => void faults.splice(0, faults.length, ...next),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
