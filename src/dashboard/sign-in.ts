import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Authenticator, Caller } from '../accounts/authenticator.js';
import type { Logger } from '../logging/logger.js';
import { signInPage, signOutPage, type Page } from './pages.js';
import { SESSION_SECONDS, type SessionStore } from './session-store.js';
import { SignInThrottle } from './sign-in-throttle.js';

/** Name of the session cookie. */
export const COOKIE_NAME = 'waybill_dashboard';

/** Dependencies of the sign-in. */
export interface SignInOptions {
  readonly authenticator: Authenticator;
  readonly sessions: SessionStore;
  /** Whether PUBLIC_URL uses HTTPS, even if this process receives plain HTTP. */
  readonly publishedOverTls: boolean;
  readonly logger: Logger;
}

const form = z.object({ api_key: z.string().trim().min(1).max(200) });

/** Adds the pages that require no session: sign-in and sign-out. */
export function addSignIn(scope: FastifyInstance, options: SignInOptions): void {
  const { authenticator, sessions, logger } = options;
  const throttle = new SignInThrottle();

  scope.get('/login', (_request, reply) => sendPage(reply, 200, signInPage()));

  scope.post('/login', { bodyLimit: 4096 }, async (request, reply) => {
    const { ip } = request.state.origin;
    const wait = throttle.take(ip);
    if (wait > 0) {
      return sendPage(
        reply.header('retry-after', wait),
        429,
        signInPage(`Too many attempts. Try again in ${Math.ceil(wait / 60)} minutes.`),
      );
    }
    const { data } = form.safeParse(request.body);
    const caller = data === undefined ? null : await authenticator.authenticate(data.api_key);
    if (caller === null) {
      logger.warn({ ip }, 'dashboard sign-in refused: unknown API key');
      return sendPage(reply, 401, signInPage('This is not an API key of this service. Check the key.'));
    }
    if (!canViewDashboard(caller)) {
      logger.warn({ ip, api_key_id: caller.credential.id }, 'dashboard sign-in refused: not an admin');
      const { role } = caller.credential;
      const reason = role === 'admin' ? 'does not belong to an admin' : `has the role ${role}`;
      return sendPage(reply, 403, signInPage(`This API key ${reason}. Use a key of an admin with the role admin.`));
    }
    if (!(await sessions.isFirstAccount(caller.accountId))) {
      logger.warn({ ip, api_key_id: caller.credential.id }, 'dashboard sign-in refused: not an admin');
      const text = 'The queues hold jobs of every account. Only an admin of the first account can view them.';
      return sendPage(reply, 403, signInPage(text));
    }
    throttle.reset(ip);
    logger.info({ ip, api_key_id: caller.credential.id }, 'dashboard sign-in');
    const token = await sessions.open({ accountId: caller.accountId, keyId: caller.credential.id });
    return reply
      .setCookie(COOKIE_NAME, token, { ...cookieOptions(request, options), maxAge: SESSION_SECONDS })
      .redirect('/dashboard/', 303);
  });

  scope.get('/logout', (_request, reply) => sendPage(reply, 200, signOutPage()));

  scope.post('/logout', async (request, reply) => {
    const token = request.cookies[COOKIE_NAME];
    if (token !== undefined) await sessions.close(token);
    return reply.clearCookie(COOKIE_NAME, cookieOptions(request, options)).redirect('/dashboard/login', 303);
  });
}

/** Whether a caller may view the queues, which have jobs of every account. */
export function canViewDashboard(caller: Caller): boolean {
  return caller.principal.admin && caller.active && caller.credential.role === 'admin';
}

function sendPage(reply: FastifyReply, status: number, { html, policy }: Page): FastifyReply {
  return reply.status(status).header('content-security-policy', policy).type('text/html; charset=utf-8').send(html);
}

function cookieOptions(request: FastifyRequest, options: SignInOptions) {
  return {
    path: '/dashboard',
    httpOnly: true,
    sameSite: 'strict',
    secure: options.publishedOverTls || request.state.origin.protocol === 'https',
  } as const;
}
