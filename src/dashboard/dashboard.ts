import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountStore } from '../accounts/account-store.js';
import type { Authenticator } from '../accounts/authenticator.js';
import { queueRefusal } from '../accounts/queue-access.js';
import type { Config } from '../config/config.js';
import type { Queues } from '../delivery/queues/queues.js';
import { sendProblem } from '../http/problems/problem-filter.js';
import type { RateEnforcer } from '../http/rate-limit/enforce.js';
import type { GuessLimit } from '../http/rate-limit/guess-limit.js';
import { crossOrigin, isWrite } from '../http/sessions/same-origin.js';
import type { Sessions } from '../http/sessions/sessions.js';
import type { Logger } from '../logging/logger.js';
import { Problem } from '../problems/problem.js';
import { Turns } from '../timing/turns.js';
import { checkBoardInput } from './board-input.js';
import { createBoard } from './board.js';
import { boardPolicy } from './pages.js';
import { addSignIn } from './sign-in.js';

/** Path of what bull-board's script reads. */
const DATA = '/dashboard/api/';

/**
 * Requests of bull-board's script at once, until their clients have taken the responses: each may read 50,000 events of
 * jobs. And how many wait for these.
 */
const [MOST_READING, MOST_WAITING] = [2, 20];
/** Longest wait of such a request, in milliseconds. */
const LONGEST_WAIT_MS = 10_000;

/** Dependencies of the dashboard. */
export interface DashboardOptions {
  readonly queues: Queues;
  readonly authenticator: Authenticator;
  readonly accounts: Pick<AccountStore, 'isFirst'>;
  readonly sessions: Sessions;
  readonly guesses: GuessLimit;
  /** Null where no rate is limited. */
  readonly rates: RateEnforcer | null;
  readonly config: Pick<Config, 'DASHBOARD_WRITE'>;
  readonly logger: Logger;
}

/**
 * Registers the queue dashboard under `/dashboard` of `server`, behind a sign-in with an admin's API key. It is
 * read-only unless DASHBOARD_WRITE is set. Call it before the server is ready. The API must not authenticate routes
 * under this prefix, since the dashboard does.
 */
export function registerDashboard(server: FastifyInstance, options: DashboardOptions): void {
  const { config, logger } = options;

  const open = async (scope: FastifyInstance): Promise<void> => {
    acceptForms(scope);
    scope.addHook('onRequest', async (request, reply) => {
      // Replaces the content policy of the API, which allows nothing.
      reply.headers({ 'content-security-policy': boardPolicy, 'cache-control': 'no-store' });
      if (isWrite(request) && !options.sessions.isSameOrigin(request)) {
        sendProblem(request, reply, crossOrigin(), logger);
        await reply;
      }
    });
    addSignIn(scope, options);
    await scope.register(guarded);
  };

  const turns = new Turns({ turns: MOST_READING, waiting: [MOST_WAITING], waitMs: LONGEST_WAIT_MS });

  const guarded = async (scope: FastifyInstance): Promise<void> => {
    scope.addHook('onRequest', async (request, reply) => {
      const mayView = await viewing(request, options);
      if (mayView instanceof Problem) {
        sendProblem(request, reply, mayView, logger);
        await reply;
      } else if (!mayView) {
        if (isPage(request)) reply.redirect('/dashboard/login', 303);
        else sendProblem(request, reply, noSession(), logger);
        await reply;
      } else if (isWrite(request) && !config.DASHBOARD_WRITE) {
        sendProblem(request, reply, readOnly(), logger);
        await reply;
      } else {
        const refusal = refusalOf(request) ?? (readsJobs(request) ? await beginReading(turns, reply) : null);
        if (refusal === null) return;
        sendProblem(request, reply, refusal, logger);
        await reply;
      }
    });
    await scope.register(createBoard(options.queues, config.DASHBOARD_WRITE));
  };

  // Not awaited: Fastify would complete the routes, before Nest has set its error handler.
  void server.register(open, { prefix: '/dashboard' });
}

/** Adds a parser for the sign-in form. It stays in this scope, since the API accepts only JSON. */
function acceptForms(scope: FastifyInstance): void {
  const type = 'application/x-www-form-urlencoded';
  if (scope.hasContentTypeParser(type)) scope.removeContentTypeParser(type);
  scope.addContentTypeParser(type, { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))));
  });
}

/**
 * Checks the caller on every request, so that deletion of the key or loss of admin rights ends the session at once. A
 * session of the console may be one of a key that may not view the queues. Returns a problem after too many unknown
 * cookies.
 */
async function viewing(request: FastifyRequest, { sessions, accounts }: DashboardOptions): Promise<boolean | Problem> {
  try {
    const found = await sessions.of(request);
    return found !== null && (await queueRefusal(found.caller, accounts)) === null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/**
 * Why bull-board must not see the input; null: it may. Checked in the first hook: bull-board's own handler receives
 * what later hooks throw, and responds with 500.
 */
function refusalOf(request: FastifyRequest): unknown {
  try {
    checkBoardInput(request);
    return null;
  } catch (error) {
    return error;
  }
}

/** Waits for a turn, which ends with the response. Returns why there is none; null when there is one. */
async function beginReading(turns: Turns, { raw }: FastifyReply): Promise<Problem | null> {
  const turn = await turns.take([]);
  if (turn === null) {
    const detail = 'Too many requests of the dashboard are being served. Retry after 2 s.';
    return new Problem('unavailable', 'unavailable', detail);
  }
  raw.once('finish', () => turn.end()).once('close', () => turn.end());
  if (raw.destroyed) turn.end();
  return null;
}

function readsJobs({ routeOptions: { url = '' } }: FastifyRequest): boolean {
  return url.startsWith(DATA);
}

/** Whether the request is for a page. Requests of bull-board's script get a problem document. */
function isPage(request: FastifyRequest): boolean {
  return !isWrite(request) && !readsJobs(request);
}

function noSession(): Problem {
  return new Problem('unauthenticated', 'credentials_missing', 'There is no session. Sign in at /dashboard/login.');
}

function readOnly(): Problem {
  return new Problem('forbidden', 'forbidden', 'The dashboard is read-only. Set DASHBOARD_WRITE=true to change jobs.');
}
