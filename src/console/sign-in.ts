import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AccountStore } from '../accounts/account-store.js';
import type { Authenticator, Caller } from '../accounts/authenticator.js';
import { accessesOf } from '../accounts/key-role.js';
import { queueRefusal } from '../accounts/queue-access.js';
import type { SessionCodeStore } from '../accounts/session-code-store.js';
import { boundedString } from '../bounds/bounded.js';
import type { RateEnforcer } from '../http/rate-limit/enforce.js';
import type { GuessLimit } from '../http/rate-limit/guess-limit.js';
import { contextOf, type RequestContext } from '../http/request/request-context.js';
import { crossOrigin } from '../http/sessions/same-origin.js';
import type { Sessions } from '../http/sessions/sessions.js';
import type { Logger } from '../logging/logger.js';
import { Problem } from '../problems/problem.js';
import type { SessionResponse } from './session-response.js';

const secret = boundedString(200).check(z.minLength(1, 'must not be empty'));

/** A sign-in: with an API key, or with a code. */
export const signInRequest = z.union([
  z
    .strictObject({ token: secret.meta({ description: 'The token of an API key.' }) })
    .meta({ id: 'CreateSessionWithToken' }),
  z
    .strictObject({
      code: secret.meta({ description: 'A code of `POST /session_codes`.' }),
      preview: z.boolean().optional().meta({
        description: 'Whether to return whose session the code begins, and begin none. The code stays valid.',
      }),
    })
    .meta({ id: 'CreateSessionWithCode' }),
]);

export type SignInRequest = z.infer<typeof signInRequest>;

/** Dependencies of SignIn. */
export interface SignInParts {
  readonly authenticator: Authenticator;
  readonly accounts: AccountStore;
  readonly sessions: Sessions;
  readonly codes: SessionCodeStore;
  readonly guesses: GuessLimit;
  /** Null where no rate is limited. */
  readonly rates: RateEnforcer | null;
  readonly logger: Logger;
}

/** An API key that may sign in, and until when. */
interface Admitted {
  readonly caller: Caller;
  readonly until: Date | null;
}

/** A caller, of a sign-in or of a request. */
type KnownCaller = Pick<RequestContext, 'accountId' | 'principal'> & Pick<Caller, 'credential' | 'active'>;

/** Signs browsers in and out. */
export class SignIn {
  constructor(private readonly parts: SignInParts) {}

  /**
   * Begins a session, and gives its cookie to the browser. A preview of a code begins none.
   * @throws Problem `cross_origin`, `rate_limited`, `principal_inactive`, or `unauthenticated` for an unknown key or
   * code
   */
  async signIn(request: FastifyRequest, reply: FastifyReply, credentials: SignInRequest): Promise<SessionResponse> {
    const { sessions, rates, codes, logger } = this.parts;
    if (!sessions.isSameOrigin(request)) throw crossOrigin();
    const { ip } = request.state.origin;
    const { caller, until } = await this.admit(credentials, ip);
    await rates?.enforce(caller, reply);
    if ('code' in credentials) {
      if (credentials.preview === true) return this.describe(caller, null);
      // Last: a request that is refused leaves the code.
      if (!(await codes.take(credentials.code))) throw this.unknown(credentials, ip);
    }
    logger.info({ ip, api_key_id: caller.credential.id }, 'sign-in');
    const key = { accountId: caller.accountId, keyId: caller.credential.id };
    const session = await sessions.open(request, reply, key, until);
    return this.describe(caller, session.expiresAt);
  }

  /** Ends the session of a request, if it has one. @throws Problem `cross_origin` */
  async signOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { sessions } = this.parts;
    if (!sessions.isSameOrigin(request)) throw crossOrigin();
    await sessions.close(request, reply);
  }

  /** Returns who an authenticated request comes from. */
  async current(request: FastifyRequest): Promise<SessionResponse> {
    const { accountId, principal, credential } = contextOf(request);
    if (credential === null) throw new Error('An authenticated request has no API key.');
    return this.describe({ accountId, principal, credential, active: true }, request.state.session?.expiresAt ?? null);
  }

  private async describe(caller: KnownCaller, expiresAt: Date | null): Promise<SessionResponse> {
    const { principal, credential, accountId } = caller;
    return {
      account_id: accountId,
      account_name: await this.parts.accounts.nameOf(accountId),
      principal: {
        id: principal.id,
        type: principal.kind === 'bot' ? 'bot_user' : 'user',
        name: principal.name,
        admin: principal.admin,
      },
      credential_id: credential.id,
      role: credential.role,
      access: [...accessesOf(credential.role)],
      may_view_queues: (await queueRefusal(caller, this.parts.accounts)) === null,
      expires_at: expiresAt?.toISOString() ?? null,
    };
  }

  private async admit(credentials: SignInRequest, ip: string | null): Promise<Admitted> {
    const admitted =
      'token' in credentials ? await this.byToken(credentials.token, ip) : await this.byCode(credentials.code, ip);
    if (admitted === null) throw this.unknown(credentials, ip);
    if (!admitted.caller.active) {
      throw new Problem('forbidden', 'principal_inactive', 'The bot user that owns this API key is inactive.');
    }
    return admitted;
  }

  private unknown(credentials: SignInRequest, ip: string | null): Problem {
    this.parts.logger.warn({ ip }, 'sign-in refused: unknown API key or code');
    return 'token' in credentials
      ? new Problem('unauthenticated', 'credentials_invalid', 'The API key does not exist or was deleted.')
      : new Problem('unauthenticated', 'sign_in_code_invalid', 'The code was used, has expired or never existed.');
  }

  private async byToken(token: string, ip: string | null): Promise<Admitted | null> {
    const { authenticator, guesses } = this.parts;
    const caller = await guesses.lookUp('API key', token, ip, () => authenticator.authenticate(token));
    return caller && { caller, until: null };
  }

  private async byCode(code: string, ip: string | null): Promise<Admitted | null> {
    const { codes, guesses } = this.parts;
    const grant = await guesses.lookUp('code', code, ip, () => codes.find(code));
    if (grant === null) return null;
    const caller = await this.parts.authenticator.callerOfKey(grant.keyId);
    return caller?.accountId === grant.accountId ? { caller, until: grant.sessionUntil } : null;
  }
}
