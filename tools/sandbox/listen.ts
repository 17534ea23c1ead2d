import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Exchange } from './exchange.js';
import type { Identity } from './tls/certificate.js';

/** Answers a request whose body has been read to the end. */
export type Handler = (exchange: Exchange, response: ServerResponse) => Promise<void>;

export interface Listening {
  readonly port: number;
  /** Stops at once: calls that are open are cut. */
  close(): Promise<void>;
}

/** Clients keep their connections; what they leave idle for so long is closed. */
const KEEP_ALIVE_MS = 75_000;

/** Listens for HTTP/1.1 on `host` and `port` (0: a free one), over TLS where it is given an identity. */
export async function listen(
  handler: Handler,
  host: string,
  port: number,
  identity?: Identity,
): Promise<Listening> {
  const scheme = identity === undefined ? 'http' : 'https';
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    void answer(request, response, scheme, handler);
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

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  scheme: string,
  handler: Handler,
): Promise<void> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const target = request.url ?? '/';
    const mark = target.indexOf('?');
    const exchange: Exchange = {
      method: request.method ?? 'GET',
      path: mark === -1 ? target : target.slice(0, mark),
      query: mark === -1 ? '' : target.slice(mark + 1),
      headers: request.headers,
      body: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks),
      origin: `${scheme}://${request.headers.host ?? 'localhost'}`,
    };
    await handler(exchange, response);
  } catch (error) {
    // A client that hung up while it was sending is no fault of the sandbox; anything else is, and should be seen.
    if (request.complete) console.error('The sandbox could not answer', request.method, request.url, error);
    response.destroy();
  }
}
