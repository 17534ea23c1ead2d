import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../../logging/logger.js';
import { oneEachTurn } from '../../timing/one-each-turn.js';
import { Page } from './pagination.js';

/** Bytes of a response that are handed over to the connection at once. */
const PIECE_BYTES = 65_536;

/** How often the progress of readers is checked, in milliseconds. */
const CHECK_MS = 1_000;

/** Checks without any progress after which a connection ends. A process that is busy checks less often. */
const MOST_STALLED_CHECKS = 10;

/**
 * Sends large responses in pieces, as their client reads them, and pages from their JSON. To be called after the hooks
 * that read the whole body of a response were added: hooks run in that order.
 */
export function sendInPieces(fastify: FastifyInstance): void {
  fastify.setReplySerializer((body) => (body instanceof Page ? body.toJson() : JSON.stringify(body)));
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isWhole || payload.length <= PIECE_BYTES || request.method === 'HEAD') return done(null, payload);
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    reply.header('content-length', body.length);
    return done(null, new Pieces(body));
  });
}

/**
 * A buffer as a stream of its pieces, which are not copied. There is one for each turn of the event loop, of all
 * responses: while the operating system takes what is sent, a connection would otherwise send everything in one turn.
 */
class Pieces extends Readable {
  private at = 0;

  constructor(private readonly body: Buffer) {
    super({ highWaterMark: PIECE_BYTES });
  }

  override _read(): void {
    if (this.at === 0) this.pushPiece();
    else oneEachTurn(() => this.pushPiece());
  }

  /** Sends the next piece, or ends. */
  private pushPiece(): void {
    const piece = this.body.subarray(this.at, this.at + PIECE_BYTES);
    this.at += piece.length;
    this.push(piece);
    if (this.at >= this.body.length) this.push(null);
  }
}

/** The progress of a connection with unsent bytes. */
interface Progress {
  /** Bytes that the operating system has taken. */
  readonly taken: number;
  readonly stalledChecks: number;
}

/**
 * Ends connections whose clients do not read: those with unsent bytes of which, for about ten seconds, no piece was
 * taken. So a client that reads less than a piece (64 KiB) in that time loses its response, whatever is sent.
 */
export function endSlowReaders(fastify: FastifyInstance, logger: Logger, checkMs: number = CHECK_MS): void {
  const open = new Map<Socket, Progress | null>();
  fastify.server.on('connection', (socket) => {
    open.set(socket, null);
    socket.once('close', () => open.delete(socket));
  });
  const check = (): void => {
    for (const [socket, before] of open) {
      const unsent = socket.writableLength;
      const taken = socket.bytesWritten - unsent;
      const stalledChecks = taken === before?.taken ? before.stalledChecks + 1 : 0;
      if (unsent > 0 && stalledChecks >= MOST_STALLED_CHECKS) {
        logger.info({ ip: socket.remoteAddress, unsent }, 'a client did not read its response: connection closed');
        socket.destroy();
      } else open.set(socket, unsent > 0 ? { taken, stalledChecks } : null);
    }
  };
  const timer = setInterval(check, checkMs).unref();
  fastify.addHook('onClose', (_, done) => {
    clearInterval(timer);
    done();
  });
}
