import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { gunzipSync } from 'node:zlib';

/** A request as a test looks at it. */
export interface LoopbackRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as text, decompressed. */
  readonly body: string;
}

/** What the server answers; `never` takes the request and says nothing. */
export type LoopbackAnswer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'never';

/** A server on a free port of 127.0.0.1 that answers as a test scripts it. */
export interface LoopbackServer {
  readonly url: string;
  /** Every request so far, in order. */
  readonly requests: readonly LoopbackRequest[];
  /** How many connections were opened. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts the server, with TLS when it is given a key and a certificate for `localhost`. */
export async function startLoopback(
  answer: (request: LoopbackRequest) => LoopbackAnswer,
  tls?: { readonly key: string; readonly certificate: string },
): Promise<LoopbackServer> {
  const requests: LoopbackRequest[] = [];
  let connections = 0;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const read = await readRequest(request);
    requests.push(read);
    const answered = answer(read);
    if (answered !== 'never') response.writeHead(answered.status, { ...answered.headers }).end(answered.body);
  };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    void respond(request, response);
  };
  const server = tls ? createTlsServer({ key: tls.key, cert: tls.certificate }, handle) : createServer(handle);
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
  };
}
