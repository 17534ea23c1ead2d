import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../logging/logger.js';
import { Problem } from '../../problems/problem.js';
import type { HttpResponse, IdempotencyReservation } from '../request/request-context.js';
import { responseHeaders } from '../response/response-headers.js';
import type { Claim, IdempotencyStore, SealedResponse, StoredResponse } from './idempotency-store.js';

const keyPattern = /^[\x20-\x7e]{1,255}$/;

/** Headers that are stored with a response. */
const storedHeaders = ['content-type', 'etag', 'location'];

/**
 * Idempotency-Key on POST: a request is carried out once, and its response is replayed for 24 hours. Only successful
 * responses are stored: a failed request can be retried with its key. It changed nothing, except that a test may have
 * sent its event.
 */
export class Idempotency {
  private readonly claims = new WeakMap<FastifyRequest, ReservedKey>();

  constructor(
    private readonly store: IdempotencyStore,
    private readonly logger: Logger,
  ) {}

  /**
   * Whether the request has an Idempotency-Key that counts: `begin` is for these. A POST that changes nothing can be
   * repeated without a key, and its response may be large.
   */
  concerns(request: FastifyRequest): boolean {
    if (request.method !== 'POST' || request.headers['idempotency-key'] === undefined) return false;
    if (request.routeOptions.config.changesNothing === true) return false;
    return request.state.context?.credential != null;
  }

  /** Whether the request has reserved a key: `end` does nothing for others. */
  isReserved(request: FastifyRequest): boolean {
    return this.claims.has(request);
  }

  /**
   * Runs before the handler, after the body was read. Reserves the key for this request, or replays the stored
   * response.
   * @throws Problem when the key is invalid, was used for another request, or its request is still in progress
   */
  async begin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> {
    const key = request.headers['idempotency-key'];
    const { context } = request.state;
    if (context?.credential == null) return;
    if (typeof key !== 'string' || !keyPattern.test(key)) {
      throw new Problem('idempotency_key_invalid', 'Idempotency-Key must be 1 to 255 printable ASCII characters.');
    }
    const claim: Claim = {
      accountId: context.accountId,
      apiKeyId: context.credential.id,
      idempotencyKey: key,
      requestHash: hashOf(request),
      operationId: context.operationId,
    };
    const stored = await this.store.claim(claim);
    if (stored !== null) return replay(reply, stored);
    const reservation = new ReservedKey(this.store, claim);
    this.claims.set(request, reservation);
    request.state.context = { ...context, reservation };
  }

  /**
   * Runs before the response is sent. Stores a success that no service has stored; releases the key of a failure.
   */
  async end(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void> {
    const reservation = this.claims.get(request);
    if (reservation === undefined) return;
    this.claims.delete(request);
    try {
      await reservation.settle(reply, typeof payload === 'string' ? payload : '');
    } catch (error) {
      // The change is committed and its response is correct. The reservation expires by itself.
      this.logger.error({ operation_id: request.id, err: error }, 'idempotent response could not be stored');
    }
  }
}

/** The reservation of a key by a request in progress. */
class ReservedKey implements IdempotencyReservation {
  /** Whether a service stores the response with its change. */
  private stored = false;

  constructor(
    private readonly store: IdempotencyStore,
    private readonly claim: Claim,
  ) {}

  sealed(response: HttpResponse): SealedResponse {
    this.stored = true;
    return this.store.sealed(this.claim, {
      status: response.status,
      headers: { 'content-type': 'application/json; charset=utf-8', ...responseHeaders(response) },
      body: JSON.stringify(response.body),
    });
  }

  async settle(reply: FastifyReply, body: string): Promise<void> {
    const { statusCode: status } = reply;
    if (status < 200 || status >= 300) return this.store.release(this.claim);
    if (this.stored) return;
    const headers = Object.fromEntries(
      storedHeaders.flatMap((name) => {
        const value = reply.getHeader(name);
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    await this.store.storeResponse(this.claim, { status, headers, body });
  }
}

function hashOf(request: FastifyRequest): Buffer {
  return hash('sha256', JSON.stringify([request.method, request.url, request.body ?? null]), 'buffer');
}

function replay(reply: FastifyReply, response: StoredResponse): FastifyReply {
  return reply
    .code(response.status)
    .headers({ ...response.headers, 'idempotent-replayed': 'true' })
    .send(response.body);
}
