import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { queueRefusal } from '../accounts/queue-access.js';
import type { Config } from '../config/config.js';
import type { Queues } from '../delivery/queues/queues.js';
import { crossOrigin, isWrite } from '../http/sessions/same-origin.js';
import { Problem } from '../problems/problem.js';
import { Turns } from '../timing/turns.js';
import { checkBoardInput } from './board-input.js';
import { createBoard } from './board.js';
import { boardPolicy } from './pages.js';
import { addSignIn, type SignInOptions } from './sign-in.js';

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
export interface DashboardOptions extends SignInOptions {
  readonly queues: Queues;
  readonly config: Pick<Config, 'DASHBOARD_WRITE'>;
}

/**
 * Registers the queue dashboard under `/dashboard` of `server`, behind a sign-in with an admin's API key. It is
 * read-only unless DASHBOARD_WRITE is set. Call it before the server is ready. The API must not authenticate routes
 * under this prefix, since the dashboard does.
 */
export function registerDashboard(server: FastifyInstance, options: DashboardOptions): void {
  const { queues, config, sessions } = options;

  const open = async (scope: FastifyInstance): Promise<void> => {
    acceptForms(scope);
    scope.addHook('onRequest', async (request, reply) => {
      // Replaces the content policy of the API, which allows nothing.
      reply.headers({ 'content-security-policy': boardPolicy, 'cache-control': 'no-store' });
      if (isWrite(request) && !sessions.isSameOrigin(request)) throw crossOrigin();
    });
    addSignIn(scope, options);
    await scope.register(guarded);
  };

  const turns = new Turns({ turns: MOST_READING, waiting: [MOST_WAITING], waitMs: LONGEST_WAIT_MS });

  const guarded = async (scope: FastifyInstance): Promise<void> => {
    // What it throws reaches the error handler of the service: that of the board throws it again.
    scope.addHook('onRequest', async (request, reply) => {
      if (!(await mayView(request, options))) {
        if (!isPage(request)) throw noSession();
        return reply.redirect('/dashboard/login', 303);
      }
      if (isWrite(request) && !config.DASHBOARD_WRITE) throw readOnly();
      checkBoardInput(request);
      if (readsJobs(request)) await beginReading(turns, reply);
    });
    await scope.register(createBoard(queues, config.DASHBOARD_WRITE));
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
 * session of the console may be one of a key that may not view the queues.
 * @throws Problem `rate_limited` after too many unknown cookies
 */
async function mayView(request: FastifyRequest, { sessions, accounts }: DashboardOptions): Promise<boolean> {
  const found = await sessions.of(request);
  return found !== null && (await queueRefusal(found.caller, accounts)) === null;
}

/** Waits for a turn, which ends with the response. @throws Problem `unavailable` when there is none */
async function beginReading(turns: Turns, { raw }: FastifyReply): Promise<void> {
  const turn = await turns.take([]);
  if (turn === null) {
    const detail = 'Too many requests of the dashboard are being served. Retry after 2 s.';
    throw new Problem('unavailable', 'unavailable', detail);
  }
  raw.once('finish', () => turn.end()).once('close', () => turn.end());
  if (raw.destroyed) turn.end();
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
