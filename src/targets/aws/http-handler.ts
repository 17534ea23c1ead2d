import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { NodeHttpHandler } from './vendor.js';

/** Timeout of opening a connection, in milliseconds. */
const CONNECTION_TIMEOUT_MS = 5_000;
/** More than a worker process has in flight at once, so that no batch waits for a socket. */
const MAX_SOCKETS = 1_024;

const agentOptions = { keepAlive: true, maxSockets: MAX_SOCKETS };
const httpAgent = new HttpAgent(agentOptions);
const httpsAgent = new HttpsAgent(agentOptions);
const handlers = new Map<number, NodeHttpHandler>();

/**
 * Returns the request handler of every AWS client in the process: HTTP/1.1 with keep-alive over shared agents. (The
 * Kinesis client would otherwise open an HTTP/2 session per request.) Never destroy a client that uses it: that would
 * close the sockets of all. Idle sockets do not keep the process alive.
 * @param timeoutMs timeout until a response begins, and of a pause within it. It also ends calls to AWS STS, which get
 * no signal.
 */
export function httpHandler(timeoutMs: number): NodeHttpHandler {
  const existing = handlers.get(timeoutMs);
  if (existing) return existing;
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
