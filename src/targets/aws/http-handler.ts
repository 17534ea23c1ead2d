import { NodeHttpHandler } from '@smithy/node-http-handler';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** How long a connection may take to open. */
const CONNECTION_TIMEOUT_MS = 5_000;
/** Beyond what a worker process has in flight at once, so that no batch waits for a socket. */
const MAX_SOCKETS = 1_024;

const agentOptions = { keepAlive: true, maxSockets: MAX_SOCKETS };
const httpAgent = new HttpAgent(agentOptions);
const httpsAgent = new HttpsAgent(agentOptions);
const handlers = new Map<number, NodeHttpHandler>();

/**
 * The request handler of every cloud client in the process: HTTP/1.1 with keep-alive (the Kinesis client would otherwise open
 * an HTTP/2 session per request), over agents that all share. Never destroy a client that uses it: that would close the sockets
 * of all. Its idle sockets do not keep the process alive.
 * @param timeoutMs how long an answer may take to begin, and how long it may stall once it has; what ends a call to the token
 *   service, which no signal reaches
 */
export function httpHandler(timeoutMs: number): NodeHttpHandler {
  const made = handlers.get(timeoutMs);
  if (made) return made;
  const handler = new NodeHttpHandler({
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: timeoutMs,
    // Without this a request timeout is only a warning.
    throwOnRequestTimeout: true,
    socketTimeout: timeoutMs,
    httpAgent,
    httpsAgent,
  });
  handlers.set(timeoutMs, handler);
  return handler;
}
