import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../../logging/logger.js';

/**
 * Most requests that wait for earlier ones of their connection, and of all connections of a server. Node makes an error
 * with a stack for each when its connection ends: 0.1 ms.
 */
const MOST_WAITING = 10;
const MOST_WAITING_OF_ALL = 500;

/** Most requests that begin in one turn of the event loop. One takes 0.1 to 0.2 ms until it waits for something. */
const MOST_OF_A_TURN = 64;

/** Most header fields of a request. Node makes an object of all of them before it says that there is a request. */
const MOST_FIELDS = 100;

/** What waits on a connection with a request in progress. */
type Line = (() => void)[];

/** Node's parser of a connection, which its types omit. */
interface ParsedSocket extends Socket {
  readonly parser?: { onIncoming: (request: IncomingMessage, keepAlive: boolean) => number };
}

/** What `onIncoming` returns for a request after which the rest is another protocol: Node parses nothing more. */
const STOP_PARSING = 2;

/**
 * Serves the requests of a connection one after the other. HTTP/1.1 sends responses in the order of the requests, and
 * Node begins all requests that a client has sent without waiting: one connection could have thousands in progress.
 * Fastify sees a request when it is served, since it would make several objects for each.
 *
 * A connection whose request would be one too many, of its own or of all that wait, is closed. A client that does not
 * wait for responses repeats what was not answered (RFC 9112, section 9.3.2). A client that waits is never closed here.
 *
 * Requests that arrive at the same moment on many connections begin in several turns of the event loop.
 */
export function serveInOrder({ server }: FastifyInstance, logger: Logger): void {
  const lines = new Map<Socket, Line>();
  let waiting = 0;
  // Node's types say nothing of the parameters of a listener.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const [handle = missing()] = server.listeners('request') as RequestListener[];

  const begin = inTurns();

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    response.once('close', () => leave(request.socket));
    begin(() => {
      if (request.socket.destroyed) return;
      if (request.rawHeaders.length > 2 * MOST_FIELDS) server.emit('clientError', tooManyFields(), request.socket);
      else handle(request, response);
    });
  };

  const leave = (socket: Socket): void => {
    const line = lines.get(socket) ?? [];
    if (socket.destroyed) forget(line);
    const next = line.shift();
    if (next === undefined) {
      lines.delete(socket);
      return;
    }
    waiting -= 1;
    next();
  };

  const forget = (line: Line): void => {
    waiting -= line.length;
    line.length = 0;
  };

  server.maxHeadersCount = MOST_FIELDS;
  server.on('connection', stopWhenClosed);
  server.off('request', handle).on('request', (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, []);
      serve(request, response);
    } else if (line.length < MOST_WAITING && waiting < MOST_WAITING_OF_ALL) {
      waiting += 1;
      line.push(() => serve(request, response));
    } else {
      logger.info({ ip: socket.remoteAddress, waiting: line.length }, 'too many requests wait: connection closed');
      forget(line);
      socket.destroy();
    }
  });
}

/** Returns a function that calls what it is given: at once, or in a later turn if the turn has begun its share. */
function inTurns(): (work: () => void) => void {
  const later: (() => void)[] = [];
  let begun = 0;
  const begin = (work: () => void): void => {
    if (begun === MOST_OF_A_TURN) {
      later.push(work);
      return;
    }
    if (begun === 0) setImmediate(nextTurn);
    begun += 1;
    work();
  };
  const nextTurn = (): void => {
    begun = 0;
    for (const work of later.splice(0, MOST_OF_A_TURN)) begin(work);
  };
  return begin;
}

/** The code of the error for a request with too many header fields. It is no error of Node's parser. */
export const TOO_MANY_FIELDS = 'TOO_MANY_FIELDS';

function tooManyFields(): Error {
  return Object.assign(new Error(`The request has more than ${MOST_FIELDS} header fields.`), {
    code: TOO_MANY_FIELDS,
  });
}

/**
 * Lets Node skip what it has read of a connection that is closed here. It would make two objects for each request in
 * the 64 KiB of a read, for all connections before any other work: 0.6 s for 40 connections with 2,000 requests each.
 */
function stopWhenClosed(socket: ParsedSocket): void {
  const { parser } = socket;
  if (parser === undefined) throw new Error('Node has no parser for a connection.');
  const begin = parser.onIncoming;
  parser.onIncoming = (request, keepAlive) => (socket.destroyed ? STOP_PARSING : begin(request, keepAlive));
}

function missing(): never {
  throw new Error('Fastify does not listen to the requests of its server.');
}
