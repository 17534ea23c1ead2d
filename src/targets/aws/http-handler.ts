import { NodeHttpHandler } from '@smithy/node-http-handler';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** How long a connection may take to open. */
const CONNECTION_TIMEOUT_MS = 5_000;
/** How long an answer may take to begin, and how long it may stall once it has. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Beyond what a worker process has in flight at once, so that no batch waits for a socket. */
const MAX_SOCKETS = 1_024;

const agentOptions = { keepAlive: true, maxSockets: MAX_SOCKETS };

/**
 * The one request handler of every cloud client in the process: HTTP/1.1 with keep-alive (the Kinesis client would otherwise open
 * an HTTP/2 session per request). Never destroy a client that uses it: that would close the sockets of all. Its idle sockets
 * do not keep the process alive.
 */
export const httpHandler = new NodeHttpHandler({
  connectionTimeout: CONNECTION_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  // Without this a request timeout is only a warning.
  throwOnRequestTimeout: true,
  socketTimeout: REQUEST_TIMEOUT_MS,
  httpAgent: new HttpAgent(agentOptions),
  httpsAgent: new HttpsAgent(agentOptions),
});
