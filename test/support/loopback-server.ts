import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { gunzipSync } from 'node:zlib';

/** A request that the server received. */
export interface LoopbackRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as text, decompressed. */
  readonly body: string;
  /** The body as it came. */
  readonly bytes: Buffer;
}

/** A scripted response; `never`: accepts the request and does not respond; `cut`: ends the connection. */
export type LoopbackResponse =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Buffer }
  | 'never'
  | 'cut';

/** A server on a free port of 127.0.0.1 with scripted responses. */
export interface LoopbackServer {
  readonly url: string;
  /** Every request so far, in order. */
  readonly requests: readonly LoopbackRequest[];
  /** Number of connections so far. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts the server; with TLS if a key and a certificate for `localhost` are given. */
export async function startLoopback(
  respond: (request: LoopbackRequest) => LoopbackResponse | Promise<LoopbackResponse>,
  tls?: { readonly key: string; readonly certificate: string },
): Promise<LoopbackServer> {
  const requests: LoopbackRequest[] = [];
  let connections = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const read = await readRequest(request);
    requests.push(read);
    const scripted = await respond(read);
    if (scripted === 'cut') request.socket.destroy();
    if (typeof scripted === 'string') return;
    const { status, headers, body = '' } = scripted;
    const isCut = request.method !== 'HEAD' && Number(headers?.['content-length'] ?? 0) > Buffer.byteLength(body);
    response.writeHead(status, { ...headers }).end(body, () => {
      // The rest of the body never comes.
      if (isCut) request.socket.destroySoon();
    });
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    void handle(request, response);
  };
  const server = tls ? createTlsServer({ key: tls.key, cert: tls.certificate }, listener) : createServer(listener);
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const { port } = address;
  return {
    url: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<LoopbackRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const bytes = Buffer.concat(chunks);
  const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: body.toString('utf8'),
    bytes,
  };
}
