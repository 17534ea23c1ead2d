import { once } from 'node:events';
import { createServer } from 'node:http';
import { describeDatabaseError } from '../relay/database-error.js';
import { metricsText } from '../relay/metrics.js';
import type { Relay } from '../relay/relay.js';

/** A response to a probe. */
interface Response {
  readonly status: number;
  readonly text: string;
  readonly type?: string;
}

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** A server for probes and metrics. */
export interface ProbeServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `/livez`, `/readyz` and `/metrics` of a relay.
 * @param port 0 for a free one
 * @throws the error of the server, such as for a port that is in use
 */
export async function startProbeServer(relay: Relay, host: string, port: number): Promise<ProbeServer> {
  const server = createServer((request, response) => {
    void respond(relay, request.url ?? '').then(({ status, text, type = 'text/plain; charset=utf-8' }) =>
      response.writeHead(status, { 'content-type': type }).end(text),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function respond(relay: Relay, url: string): Promise<Response> {
  const { live, notReady, publishes } = relay.health();
  switch (url.split('?')[0]) {
    case '/livez':
      return live ? { status: 200, text: 'ok\n' } : { status: 503, text: 'The relay makes no progress.\n' };
    case '/readyz':
      return notReady === null ? { status: 200, text: 'ok\n' } : { status: 503, text: `${notReady}\n` };
    case '/metrics':
      try {
        return { status: 200, text: metricsText(await relay.status(), publishes), type: METRICS_TYPE };
      } catch (error) {
        return { status: 503, text: `${describeDatabaseError(error)}\n` };
      }
    default:
      return { status: 404, text: 'Not found. There are /livez, /readyz and /metrics.\n' };
  }
}
