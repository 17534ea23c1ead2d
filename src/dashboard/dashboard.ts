import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountStore } from '../accounts/account-store.js';
import { mayViewQueues } from '../accounts/queue-access.js';
import type { Config } from '../config/config.js';
import type { Queues } from '../delivery/queues/queues.js';
import { crossOrigin, isWrite } from '../http/sessions/same-origin.js';
import type { Sessions } from '../http/sessions/sessions.js';
import { Problem } from '../problems/problem.js';
import { Turns } from '../timing/turns.js';
import { checkBoardInput } from './board-input.js';
import { createBoard } from './board.js';

/** Path of what bull-board's script reads. */
const DATA = '/dashboard/api/';

/**
 * Requests of bull-board's script at once, until their clients have taken the responses: each may read 50,000 events of
 * jobs. And how many wait for these.
 */
const [MOST_READING, MOST_WAITING] = [2, 20];
/** Longest wait of such a request, in milliseconds. */
const LONGEST_WAIT_MS = 10_000;

/**
 * Content policy of bull-board's pages: scripts and styles of this server, inline styles (widths and colours), and no
 * other host.
 */
const boardPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');

const WHO_MAY_VIEW =
  'The queues hold jobs of every account. Only an admin of the first account may view them, with a key of the role admin.';

/** Shown to other sessions. Without `<head>` and `<body>`, nothing of the board's style and script is added to it. */
const FORBIDDEN_PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Waybill</title>
<main>
<h1>You may not view the queues</h1>
<p>${WHO_MAY_VIEW}</p>
<p><a href="/console/">Console</a></p>
</main>
`;

/** Dependencies of the dashboard. */
export interface DashboardOptions {
  readonly accounts: Pick<AccountStore, 'isFirst'>;
  readonly sessions: Sessions;
  readonly queues: Queues;
  readonly config: Pick<Config, 'DASHBOARD_WRITE'>;
}

/**
 * Registers the queue dashboard under `/dashboard` of `server`, for sessions of the console that may view the queues.
 * It is read-only unless DASHBOARD_WRITE is set. Call it before the server is ready. The API must not authenticate
 * routes under this prefix, since the dashboard does.
 */
export function registerDashboard(server: FastifyInstance, options: DashboardOptions): void {
  const { accounts, queues, config, sessions } = options;
  const turns = new Turns({ turns: MOST_READING, waiting: [MOST_WAITING], waitMs: LONGEST_WAIT_MS });

  const open = async (scope: FastifyInstance): Promise<void> => {
    // What it throws reaches the error handler of the service: that of the board throws it again.
    scope.addHook('onRequest', async (request, reply) => {
      // Replaces the content policy of the API, which allows nothing.
      reply.headers({ 'content-security-policy': boardPolicy, 'cache-control': 'no-store' });
      if (isWrite(request) && !sessions.isSameOrigin(request)) throw crossOrigin();
      const found = await sessions.of(request);
      if (found === null) {
        if (!isPage(request))
          throw new Problem('credentials_missing', 'There is no session. Sign in at /console/sign-in.');
        return reply.redirect(`/console/sign-in?next=${encodeURIComponent(request.url)}`, 303);
      }
      // On every request: the loss of admin rights ends the view at once.
      if (!(await mayViewQueues(found.caller, accounts))) {
        if (!isPage(request)) throw new Problem('forbidden', WHO_MAY_VIEW);
        return reply.code(403).type('text/html; charset=utf-8').send(FORBIDDEN_PAGE);
      }
      if (isWrite(request) && !config.DASHBOARD_WRITE) {
        throw new Problem('forbidden', 'The dashboard is read-only. Set DASHBOARD_WRITE=true to change jobs.');
      }
      checkBoardInput(request);
      if (readsJobs(request)) await beginReading(turns, reply);
    });
    await scope.register(createBoard(queues, config.DASHBOARD_WRITE));
  };

  // Not awaited: Fastify would complete the routes, before Nest has set its error handler.
  void server.register(open, { prefix: '/dashboard' });
}

/** Waits for a turn, which ends with the response. @throws Problem `unavailable` when there is none */
async function beginReading(turns: Turns, { raw }: FastifyReply): Promise<void> {
  const turn = await turns.take([]);
  if (turn === null) {
    const detail = 'Too many requests of the dashboard are being served. Retry after 2 s.';
    throw new Problem('unavailable', detail);
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
