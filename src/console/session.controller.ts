import { Body, Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccountStore } from '../accounts/account-store.js';
import { Authenticator, type Caller } from '../accounts/authenticator.js';
import { accessesOf } from '../accounts/key-role.js';
import { mayViewQueues } from '../accounts/queue-access.js';
import { SessionCodeStore } from '../accounts/session-code-store.js';
import { Operation } from '../http/openapi/operation.js';
import { RATE_ENFORCER, type RateEnforcer } from '../http/rate-limit/enforce.js';
import { GuessLimit } from '../http/rate-limit/guess-limit.js';
import { contextOf, type RequestContext } from '../http/request/request-context.js';
import { crossOrigin } from '../http/sessions/same-origin.js';
import { Sessions } from '../http/sessions/sessions.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { Problem } from '../problems/problem.js';
import { sessionResponse, signInRequest, type SessionResponse, type SignInRequest } from './session-schemas.js';

const TAG = 'session';

/** Largest body of a sign-in, in bytes. */
const LARGEST_SIGN_IN = 4_096;

/** An API key that may sign in, and until when. */
interface Admitted {
  readonly caller: Caller;
  readonly until: Date | null;
}

/** A caller, of a sign-in or of a request. */
type KnownCaller = Pick<RequestContext, 'accountId' | 'principal'> & Pick<Caller, 'credential' | 'active'>;

/** The session of a browser. */
@Controller('/session')
export class SessionController {
  constructor(
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(AccountStore) private readonly accounts: AccountStore,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(SessionCodeStore) private readonly codes: SessionCodeStore,
    @Inject(GuessLimit) private readonly guesses: GuessLimit,
    @Inject(RATE_ENFORCER) private readonly rates: RateEnforcer | null,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Begins a session, and gives its cookie to the browser. A preview of a code begins none. */
  @Post()
  @Operation({
    id: 'createSession',
    access: 'public',
    summary: 'Sign in',
    description:
      'Begins a session of an API key, and sets its cookie: `waybill_session`, or `__Host-waybill_session` over HTTPS. It lasts eight hours, or as long as the key exists. For pages of this origin only. Unknown keys and codes count by address.',
    tagDescription: 'Sign-in to the console. Programs need no session: they send an API key with each request.',
    tag: TAG,
    response: sessionResponse,
    bodyLimit: LARGEST_SIGN_IN,
    errors: [
      'credentials_invalid',
      'sign_in_code_invalid',
      'cross_origin',
      'principal_inactive',
      'body_too_large',
      'unsupported_media_type',
      'rate_limited',
      'unavailable',
    ],
  })
  async create(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body({ schema: signInRequest }) credentials: SignInRequest,
  ): Promise<SessionResponse> {
    if (!this.sessions.isSameOrigin(request)) throw crossOrigin();
    const { ip } = request.state.origin;
    const { caller, until } = await this.admit(credentials, ip);
    await this.rates?.enforce(caller, reply);
    if ('code' in credentials) {
      if (credentials.preview === true) return this.describe(caller, null);
      // Last: a request that is refused leaves the code.
      if (!(await this.codes.take(credentials.code))) throw this.unknown(credentials, ip);
    }
    this.logger.info({ ip, api_key_id: caller.credential.id }, 'sign-in');
    const key = { accountId: caller.accountId, keyId: caller.credential.id };
    const session = await this.sessions.open(request, reply, key, until);
    return this.describe(caller, session.expiresAt);
  }

  @Get()
  @Operation({
    id: 'getSession',
    access: 'self',
    summary: 'Get the caller',
    description: 'Says who the request comes from, with a session or an API key.',
    tag: TAG,
    response: sessionResponse,
  })
  async get(@Req() request: FastifyRequest): Promise<SessionResponse> {
    const { accountId, principal, credential } = contextOf(request);
    if (credential === null) throw new Error('An authenticated request has no API key.');
    return this.describe({ accountId, principal, credential, active: true }, request.state.session?.expiresAt ?? null);
  }

  @Delete()
  @Operation({
    id: 'deleteSession',
    access: 'public',
    summary: 'Sign out',
    description:
      'Ends the session of the cookie on the server, and removes the cookie. Without a session it changes nothing.',
    tag: TAG,
    status: 204,
    errors: ['cross_origin', 'rate_limited', 'unavailable'],
  })
  async delete(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    if (!this.sessions.isSameOrigin(request)) throw crossOrigin();
    await this.sessions.close(request, reply);
  }

  private async describe(caller: KnownCaller, expiresAt: Date | null): Promise<SessionResponse> {
    const { principal, credential, accountId } = caller;
    return {
      account_id: accountId,
      account_name: await this.accounts.nameOf(accountId),
      principal: {
        id: principal.id,
        type: principal.kind === 'bot' ? 'bot_user' : 'user',
        name: principal.name,
        admin: principal.admin,
      },
      credential_id: credential.id,
      role: credential.role,
      access: [...accessesOf(credential.role)],
      may_view_queues: await mayViewQueues(caller, this.accounts),
      expires_at: expiresAt?.toISOString() ?? null,
    };
  }

  private async admit(credentials: SignInRequest, ip: string | null): Promise<Admitted> {
    const admitted =
      'token' in credentials ? await this.byToken(credentials.token, ip) : await this.byCode(credentials.code, ip);
    if (admitted === null) throw this.unknown(credentials, ip);
    if (!admitted.caller.active) {
      throw new Problem('principal_inactive', 'The bot user that owns this API key is inactive.');
    }
    return admitted;
  }

  private unknown(credentials: SignInRequest, ip: string | null): Problem {
    this.logger.warn({ ip }, 'sign-in refused: unknown API key or code');
    return 'token' in credentials
      ? new Problem('credentials_invalid', 'The API key does not exist or was deleted.')
      : new Problem('sign_in_code_invalid', 'The code was used, has expired or never existed.');
  }

  private async byToken(token: string, ip: string | null): Promise<Admitted | null> {
    const caller = await this.guesses.lookUp('API key', token, ip, () => this.authenticator.authenticate(token));
    return caller && { caller, until: null };
  }

  private async byCode(code: string, ip: string | null): Promise<Admitted | null> {
    const grant = await this.guesses.lookUp('code', code, ip, () => this.codes.find(code));
    if (grant === null) return null;
    const caller = await this.authenticator.callerOfKey(grant.keyId);
    return caller?.accountId === grant.accountId ? { caller, until: grant.sessionUntil } : null;
  }
}
