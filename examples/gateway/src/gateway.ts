import { once } from 'node:events';
import { createServer } from 'node:http';
import { followConfiguration, type ConfigurationItem } from './configuration-follower.js';
import { respond, summaryOf } from './routing.js';

/** How to start the example gateway. */
export interface GatewayOptions {
  /** Address of the data-plane API. */
  readonly dataPlaneUrl: string;
  /** DATA_PLANE_CONFIG_KEY of the service. */
  readonly key: string;
  /** Port of the gateway on 127.0.0.1; 0: any free port. */
  readonly port: number;
  /** Receives a line for each change and each failure. */
  readonly print: (line: string) => void;
  /** As in `FollowOptions`. */
  readonly rereadMs?: number;
}

/** A running gateway. */
export interface Gateway {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts an example of a gateway: it follows the configuration of the service, and answers HTTP requests as the edges
 * say. The Host header with the port 443 selects the edge: TLS is left out of the example.
 */
export async function startGateway({ dataPlaneUrl, key, port, print, rereadMs }: GatewayOptions): Promise<Gateway> {
  let configuration: ReadonlyMap<string, ConfigurationItem> = new Map();
  const stopped = new AbortController();
  const following = followConfiguration({
    url: dataPlaneUrl,
    key,
    stopped: stopped.signal,
    ...(rereadMs !== undefined && { rereadMs }),
    onChange: (changed) => {
      configuration = changed;
      print(`The configuration has ${JSON.stringify(summaryOf(changed))}.`);
    },
    onError: (error) => print(`The configuration could not be read: ${String(error)}`),
  });
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
    const path = (request.url ?? '/').replace(/[?#].*$/s, '');
    const { status, headers, body } = respond(configuration, `${host}:443`, path);
    response.writeHead(status, headers).end(body);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The gateway does not listen on a port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      stopped.abort();
      server.closeAllConnections();
      server.close();
      await following;
    },
  };
}
