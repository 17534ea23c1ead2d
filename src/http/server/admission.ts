import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../accounts/authenticator.js';
import type { Config } from '../../config/config.js';
import { poolTurns } from '../../database/connections/pool-turns.js';
import { Problem } from '../../problems/problem.js';
import { Precedence } from '../../timing/precedence.js';
import { Turn, Turns, type LevelShare, type NoTurn } from '../../timing/turns.js';

/** Longest wait of a request for its turn, in milliseconds. */
const LONGEST_WAIT_MS = 10_000;

/** The shares of an account, and of a principal in its account. */
const shares: readonly LevelShare[] = [
  // Of the 22 turns of the default pool: 20, so that a neighbour who comes finds a free one; or one, since a neighbour
  // waits for each request that shares the event loop with its own.
  { alone: 10 / 11, among: 1 / 22 },
  { alone: 1, among: 1 / 2 },
];
/** Costly requests take up to a second each, so those of a neighbour wait for one of them at most. */
const costlyShares: readonly LevelShare[] = [
  { alone: 2 / 5, among: 1 / 5 },
  { alone: 1, among: 1 },
];

/** Most bytes of requests that wait, with their bodies: of the process, an account and a principal. */
const MOST_WAITING = [32, 16, 12].map(mebibytes);
/** What a request counts in addition to its body while it waits, in bytes. */
const BYTES_OF_REQUEST = 8_192;
/** Most bytes of bodies that are handled and of responses that clients have not taken, as `MOST_WAITING`. */
const MOST_KEPT = [32, 8, 4].map(mebibytes);
/** What a response counts that is made while it is sent, in bytes. */
const BYTES_OF_STREAM = 65_536;

const subjects = ['The process', 'The account', 'The owner of the API key'];

/** Parameters of a list that select no items. */
const pageParameters: ReadonlySet<string> = new Set(['limit', 'before_id', 'after_id', 'order']);

/**
 * Admits authenticated requests: the turns of the process are served to its accounts, and within an account to its
 * principals (docs/decisions/limits.md). A request has its turn from the end of its body to the beginning of its
 * response, so that no slow client keeps one.
 */
export class Admission {
  private readonly usual: Turns;
  private readonly costly: Turns;

  constructor(config: Config) {
    const { usual, costly } = poolTurns(config);
    const limits = {
      waiting: MOST_WAITING.map((bytes) => Math.max(bytes, 4 * config.MAX_BODY_BYTES)),
      kept: MOST_KEPT,
      waitMs: LONGEST_WAIT_MS,
      precedence: new Precedence(),
    };
    this.usual = new Turns({ ...limits, turns: usual, shares });
    this.costly = new Turns({ ...limits, turns: costly, shares: costlyShares });
  }

  /**
   * Lets an authenticated request in, before its body is read.
   * @throws Problem `rate_limited` when too much of the account or the principal waits, `unavailable` when too much of
   * all does
   */
  enter(request: FastifyRequest, reply: FastifyReply, { accountId, principal }: Caller): Turn {
    if (reply.raw.destroyed) {
      throw new Problem('malformed_request', 'The client has closed the connection.');
    }
    const turns = isCostly(request) ? this.costly : this.usual;
    const turn = turns.enter([accountId, principal.id], BYTES_OF_REQUEST + bodyBytesOf(request));
    if (!(turn instanceof Turn)) throw refusalOf(turn, 'has too many requests that wait');
    // A handler continues when its client is gone, and counts until it ends.
    reply.raw.once('close', () => turn.leave());
    return turn;
  }
}

/** Adds the hooks that begin and end the turns of the requests that were let in. */
export function addTurns(fastify: FastifyInstance): void {
  // Nothing is sent to a client that is gone, so no hook runs when its handler ends.
  fastify.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function handleUntilEnd(request, reply) {
      const handled: unknown = handler.call(this, request, reply);
      const over = (): void => {
        if (reply.raw.destroyed) request.state.turn?.end();
      };
      if (handled instanceof Promise) handled.then(over, over);
      return handled;
    };
  });
  fastify.addHook('preValidation', (request, _reply, done) => {
    const { turn } = request.state;
    if (turn === undefined) done();
    else {
      turn.begin((refused) => {
        if (!refused) turn.keep(bodyBytesOf(request));
        done(refused ? refusalOf(refused, 'was busy with earlier requests for 10 s') : undefined);
      });
    }
  });
  fastify.addHook('onSend', ({ state: { turn } }, reply, payload, done) => {
    if (reply.raw.destroyed) turn?.end();
    if (payload !== null) turn?.keep(typeof payload === 'string' ? payload.length : BYTES_OF_STREAM);
    turn?.rest();
    done(null, payload);
  });
}

function mebibytes(count: number): number {
  return count * 1_048_576;
}

function refusalOf({ level }: NoTurn, reason: string): Problem {
  const detail = `${subjects[level]} ${reason}. Retry after ${level === 0 ? 2 : 1} s.`;
  return level === 0
    ? new Problem('unavailable', detail)
    : new Problem('rate_limited', detail, { retryAfterSeconds: 1 });
}

function isCostly({ routeOptions, query }: FastifyRequest): boolean {
  const { costly } = routeOptions.config;
  if (costly !== 'filtered') return costly === 'always';
  return typeof query === 'object' && query !== null && Object.keys(query).some((name) => !pageParameters.has(name));
}

/** Returns the most bytes that the body of a request can have. */
function bodyBytesOf({ headers, routeOptions }: FastifyRequest): number {
  const most = routeOptions.bodyLimit ?? 0;
  if (headers['transfer-encoding'] !== undefined) return most;
  return Math.min(Number(headers['content-length'] ?? 0), most);
}
