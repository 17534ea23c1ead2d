import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Transaction } from '../../database/database.js';
import type { Logger } from '../../logging/logger.js';
import { Problem } from '../../problems/problem.js';
import { responseHeaders } from '../response-headers.js';
import type { HttpResponse, IdempotencyReservation } from '../request-context.js';
import type { Claim, IdempotencyStore, StoredResponse } from './idempotency-store.js';

const keyPattern = /^[\x20-\x7e]{1,255}$/;

/** Headers of a response that are given again with it. */
const keptHeaders = ['content-type', 'etag', 'location'];

/**
 * Idempotency-Key on POST: the same request with the same key is answered once, and then repeated word for word for 24 hours.
 * Only success is kept: a request that failed has changed nothing, and may be tried again with its key.
 */
export class Idempotency {
  private readonly claims = new WeakMap<FastifyRequest, HeldClaim>();

  constructor(
    private readonly store: IdempotencyStore,
    private readonly logger: Logger,
  ) {}

  /**
   * Before the handler, once the body is there. Takes the key for this request, or sends the response that it has had already.
   * @throws Problem when the key is no key, belongs to another request, or its request is still running.
   */
  async begin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> {
    const key = request.headers['idempotency-key'];
    const { context } = request.state;
    if (request.method !== 'POST' || key === undefined || context?.credential == null) return;
    if (typeof key !== 'string' || !keyPattern.test(key)) {
      throw new Problem(
        'invalid',
        'idempotency_key_invalid',
        'Idempotency-Key must be 1 to 255 printable ASCII characters.',
      );
    }
    const claim: Claim = {
      accountId: context.accountId,
      apiKeyId: context.credential.id,
      idempotencyKey: key,
      requestHash: hashOf(request),
      operationId: context.operationId,
    };
    const result = await this.store.claim(claim);
    switch (result.kind) {
      case 'reserved': {
        const held = new HeldClaim(this.store, claim);
        this.claims.set(request, held);
        request.state.context = { ...context, reservation: held };
        return;
      }
      case 'completed':
        return replay(reply, result.response);
      case 'in_use':
        throw new Problem(
          'conflict',
          'idempotency_key_in_use',
          'A request with this Idempotency-Key is still running.',
          {
            retryAfterSeconds: 1,
          },
        );
      case 'reused':
        throw new Problem(
          'conflict',
          'idempotency_key_reused',
          'This Idempotency-Key was used for another request.',
        );
    }
  }

  /** Before the response goes out: keeps a success that no service has remembered itself, and frees the key of a failure. */
  async end(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void> {
    const held = this.claims.get(request);
    if (held === undefined) return;
    this.claims.delete(request);
    try {
      await held.settle(reply, typeof payload === 'string' ? payload : '');
    } catch (error) {
      // The change is made and its response is right. The key frees itself after a while.
      this.logger.error({ operation_id: request.id, err: error }, 'an idempotent response could not be kept');
    }
  }
}

/** The hold of a running request on its key. */
class HeldClaim implements IdempotencyReservation {
  private remembered = false;

  constructor(
    private readonly store: IdempotencyStore,
    private readonly claim: Claim,
  ) {}

  async storeResponse(trx: Transaction, response: HttpResponse): Promise<void> {
    const headers = { 'content-type': 'application/json; charset=utf-8', ...responseHeaders(response) };
    const kept = await this.store.keep(trx, this.claim, {
      status: response.status,
      headers,
      body: JSON.stringify(response.body),
    });
    if (!kept) {
      throw new Problem(
        'conflict',
        'idempotency_key_in_use',
        'Another request has taken over this Idempotency-Key.',
        {
          retryAfterSeconds: 1,
        },
      );
    }
    this.remembered = true;
  }

  async settle(reply: FastifyReply, body: string): Promise<void> {
    const { statusCode: status } = reply;
    if (status < 200 || status >= 300) return this.store.release(this.claim);
    if (this.remembered) return;
    const headers = Object.fromEntries(
      keptHeaders.flatMap((name) => {
        const value = reply.getHeader(name);
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    await this.store.keep(this.store.db, this.claim, { status, headers, body });
  }
}

function hashOf(request: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([request.method, request.url, request.body ?? null]))
    .digest();
}

function replay(reply: FastifyReply, response: StoredResponse): FastifyReply {
  return reply
    .code(response.status)
    .headers({ ...response.headers, 'idempotent-replayed': 'true' })
    .send(response.body);
}
