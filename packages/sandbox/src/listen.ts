import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { HttpRequest } from './protocol.js';
import type { Identity } from './tls/certificate.js';

/** Responds to a request with a complete body. */
export type Handler = (request: HttpRequest, reply: ServerResponse) => Promise<void>;

export interface Listening {
  readonly port: number;
  /** Stops at once and cuts open connections. */
  close(): Promise<void>;
}

/** Longer than the clients of the vendors keep an idle connection. */
const KEEP_ALIVE_MS = 75_000;

/** Listens for HTTP/1.1 on `host` and `port` (0: a free port), with TLS if an identity is given. */
export async function listen(handler: Handler, host: string, port: number, identity?: Identity): Promise<Listening> {
  const scheme = identity === undefined ? 'http' : 'https';
  const onRequest = (incoming: IncomingMessage, reply: ServerResponse) => {
    void handle(incoming, reply, scheme, handler);
  };
  const options = { keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true };
  const server: Server =
    identity === undefined
      ? createHttpServer(options, onRequest)
      : createHttpsServer({ ...options, key: identity.key, cert: identity.certificate }, onRequest);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

async function handle(
  incoming: IncomingMessage,
  reply: ServerResponse,
  scheme: string,
  handler: Handler,
): Promise<void> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const target = incoming.url ?? '/';
    const mark = target.indexOf('?');
    const request: HttpRequest = {
      method: incoming.method ?? 'GET',
      path: mark === -1 ? target : target.slice(0, mark),
      query: mark === -1 ? '' : target.slice(mark + 1),
      headers: incoming.headers,
      body: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks),
      origin: `${scheme}://${incoming.headers.host ?? 'localhost'}`,
    };
    await handler(request, reply);
  } catch (error) {
    // A client may disconnect during its request. Any other error is a defect of the sandbox.
    // oxlint-disable-next-line no-console
    if (incoming.complete) console.error('The sandbox failed to respond to', incoming.method, incoming.url, error);
    reply.destroy();
  }
}
