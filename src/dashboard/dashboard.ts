import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Authenticator } from '../accounts/authenticator.js';
import type { Config } from '../config/config.js';
import type { Queues } from '../delivery/queues/queues.js';
import { sendProblem } from '../http/problem-filter.js';
import type { Logger } from '../logging/logger.js';
import { Problem } from '../problems/problem.js';
import type { KeyRing } from '../secrets/key-ring.js';
import { createBoard } from './board.js';
import { comesFromHere } from './origin.js';
import { boardPolicy } from './pages.js';
import { Sessions } from './session.js';
import { addSignIn, COOKIE_NAME, canViewDashboard } from './sign-in.js';

/** What the dashboard shows, and what decides who sees it. */
export interface DashboardOptions {
  readonly queues: Queues;
  readonly authenticator: Authenticator;
  readonly keyRing: KeyRing;
  readonly config: Pick<Config, 'DASHBOARD_WRITE' | 'PUBLIC_URL'>;
  readonly logger: Logger;
}

/**
 * Puts the queue dashboard under `/dashboard` of `server`: behind a sign-in with an admin's API key, and read-only unless
 * DASHBOARD_WRITE is set. Call it before the server is ready; routes under this prefix must be open to all, since they keep
 * watch over themselves.
 */
export function registerDashboard(server: FastifyInstance, options: DashboardOptions): void {
  const { authenticator, config, logger } = options;
  const sessions = new Sessions(options.keyRing);
  const publishedOverTls = config.PUBLIC_URL?.startsWith('https:') === true;

  const open = async (scope: FastifyInstance): Promise<void> => {
    if (!scope.hasRequestDecorator('cookies')) await scope.register(cookie);
    takeForms(scope);
    scope.addHook('onRequest', async (request, reply) => {
      // In place of the policy of the API, which allows nothing at all.
      reply.headers({ 'content-security-policy': boardPolicy, 'cache-control': 'no-store' });
      if (changesSomething(request) && !comesFromHere(request)) {
        sendProblem(request, reply, fromElsewhere(), logger);
        await reply;
      }
    });
    addSignIn(scope, { authenticator, sessions, publishedOverTls, logger });
    await scope.register(guarded);
  };

  const guarded = async (scope: FastifyInstance): Promise<void> => {
    scope.addHook('onRequest', async (request, reply) => {
      if (!(await isAdmin(request, sessions, authenticator))) {
        if (isPage(request)) reply.redirect('/dashboard/login', 303);
        else sendProblem(request, reply, noSession(), logger);
        await reply;
      } else if (changesSomething(request) && !config.DASHBOARD_WRITE) {
        sendProblem(request, reply, readOnly(), logger);
        await reply;
      }
    });
    await scope.register(createBoard(options.queues, config.DASHBOARD_WRITE));
  };

  // Not awaited: Fastify would complete the routes, before Nest has set its error handler.
  void server.register(open, { prefix: '/dashboard' });
}

/** Forms carry the API key; nothing else of the service takes them, so the parser stays in this scope. */
function takeForms(scope: FastifyInstance): void {
  const type = 'application/x-www-form-urlencoded';
  if (scope.hasContentTypeParser(type)) scope.removeContentTypeParser(type);
  scope.addContentTypeParser(type, { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))));
  });
}

/** Asks at every request, so that deleting the key or taking the admin's rights ends the session at once. */
async function isAdmin(
  request: FastifyRequest,
  sessions: Sessions,
  authenticator: Authenticator,
): Promise<boolean> {
  const value = request.cookies[COOKIE_NAME];
  const session = value === undefined ? null : sessions.read(value, Date.now());
  if (session === null) return false;
  const caller = await authenticator.callerOfKey(session.credentialId);
  return caller !== null && caller.accountId === session.accountId && canViewDashboard(caller);
}

function changesSomething(request: FastifyRequest): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD';
}

/** Whether a person asked for it: bull-board's script wants an answer that it can read. */
function isPage(request: FastifyRequest): boolean {
  return !changesSomething(request) && request.routeOptions.url?.startsWith('/dashboard/api/') !== true;
}

function fromElsewhere(): Problem {
  return new Problem('forbidden', 'forbidden', 'The request comes from a page of another site.');
}

function noSession(): Problem {
  return new Problem('unauthenticated', 'credentials_missing', 'Sign in at /dashboard/login.');
}

function readOnly(): Problem {
  return new Problem(
    'forbidden',
    'forbidden',
    'The dashboard is read-only. DASHBOARD_WRITE=true lets it change jobs.',
  );
}
