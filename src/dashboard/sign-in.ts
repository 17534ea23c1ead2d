import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { AccountStore } from '../accounts/account-store.js';
import type { Authenticator, Caller } from '../accounts/authenticator.js';
import type { KeyRole } from '../accounts/key-role.js';
import { queueRefusal, type QueueRefusal } from '../accounts/queue-access.js';
import type { RateEnforcer } from '../http/rate-limit/enforce.js';
import type { GuessLimit } from '../http/rate-limit/guess-limit.js';
import type { Sessions } from '../http/sessions/sessions.js';
import type { Logger } from '../logging/logger.js';
import { Problem } from '../problems/problem.js';
import { signInPage, signOutPage, type Page } from './pages.js';

/** Dependencies of the sign-in. */
export interface SignInOptions {
  readonly authenticator: Authenticator;
  readonly accounts: Pick<AccountStore, 'isFirst'>;
  readonly sessions: Sessions;
  readonly guesses: GuessLimit;
  /** Null where no rate is limited. */
  readonly rates: RateEnforcer | null;
  readonly logger: Logger;
}

const form = z.object({ api_key: z.string().trim().min(1).max(200) });

/** Adds the pages that require no session: sign-in and sign-out. */
export function addSignIn(scope: FastifyInstance, options: SignInOptions): void {
  const { accounts, sessions, logger } = options;

  scope.get('/login', (_request, reply) => sendPage(reply, 200, signInPage()));

  scope.post('/login', { bodyLimit: 4096 }, async (request, reply) => {
    const { ip } = request.state.origin;
    const key = form.safeParse(request.body).data?.api_key ?? '';
    const caller = await admit(options, key, ip, reply).catch((error: unknown) =>
      error instanceof Problem ? error : Promise.reject(error),
    );
    if (caller instanceof Problem) {
      const wait = caller.retryAfterSeconds ?? 1;
      return sendPage(reply.header('retry-after', wait), 429, signInPage(`Too many attempts. Try again in ${wait} s.`));
    }
    if (caller === null) {
      logger.warn({ ip }, 'dashboard sign-in refused: unknown API key');
      return sendPage(reply, 401, signInPage('This is not an API key of this service. Check the key.'));
    }
    const refusal = await queueRefusal(caller, accounts);
    if (refusal !== null) {
      logger.warn({ ip, api_key_id: caller.credential.id }, 'dashboard sign-in refused: not an admin');
      return sendPage(reply, 403, signInPage(describeRefusal(refusal, caller.credential.role)));
    }
    logger.info({ ip, api_key_id: caller.credential.id }, 'dashboard sign-in');
    await sessions.open(request, reply, { accountId: caller.accountId, keyId: caller.credential.id }, null);
    return reply.redirect('/dashboard/', 303);
  });

  scope.get('/logout', (_request, reply) => sendPage(reply, 200, signOutPage()));

  scope.post('/logout', async (request, reply) => {
    await sessions.close(request, reply);
    return reply.redirect('/dashboard/login', 303);
  });
}

/** Returns whose key it is; null for an unknown one. @throws Problem `rate_limited` */
async function admit(
  { authenticator, guesses, rates }: SignInOptions,
  key: string,
  ip: string | null,
  reply: FastifyReply,
): Promise<Caller | null> {
  const caller = await guesses.lookUp('API key', key, ip, () => authenticator.authenticate(key));
  if (caller !== null) await rates?.enforce(caller, reply);
  return caller;
}

/** Returns the reason of a refusal, for the sign-in page. */
function describeRefusal(refusal: QueueRefusal, role: KeyRole): string {
  switch (refusal) {
    case 'role':
      return `This API key has the role ${role}. Use a key of an admin with the role admin.`;
    case 'no_admin':
      return 'This API key does not belong to an admin. Use a key of an admin with the role admin.';
    case 'other_account':
      return 'The queues hold jobs of every account. Only an admin of the first account can view them.';
  }
}

function sendPage(reply: FastifyReply, status: number, { html, policy }: Page): FastifyReply {
  return reply.status(status).header('content-security-policy', policy).type('text/html; charset=utf-8').send(html);
}
