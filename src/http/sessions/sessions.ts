import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator, Caller } from '../../accounts/authenticator.js';
import type { Session, SessionKey, SessionStore } from '../../accounts/session-store.js';
import type { GuessLimit } from '../rate-limit/guess-limit.js';
import { isSameOrigin } from './same-origin.js';
import type { SessionCookie } from './session-cookie.js';

/** A session with the caller that its API key is now. */
export interface SignedIn {
  readonly session: Session;
  readonly caller: Caller;
}

/**
 * The sessions of the console and the dashboard: one cookie for both. A session names an API key, and nothing of the
 * key is kept in it: each request looks the key up, so a session ends with its key.
 */
export class Sessions {
  constructor(
    private readonly store: SessionStore,
    private readonly authenticator: Pick<Authenticator, 'callerOfKey'>,
    private readonly cookie: SessionCookie,
    private readonly guesses: GuessLimit,
  ) {}

  /** Whether a request comes from a page of this origin, or from no page. */
  isSameOrigin(request: FastifyRequest): boolean {
    return isSameOrigin(request, this.cookie.isSecure(request) ? 'https' : 'http');
  }

  /** Whether a request has the cookie of a session. */
  isGiven(request: FastifyRequest): boolean {
    return this.cookie.read(request) !== null;
  }

  /**
   * Returns the session of a request; null without a cookie, or when the session or its API key does not exist any
   * more. An unknown cookie counts as a guess of the client's address.
   * @throws Problem `rate_limited` after too many of them
   */
  async of(request: FastifyRequest): Promise<SignedIn | null> {
    const token = this.cookie.read(request);
    return token === null ? null : this.lookUp(request, token, () => this.find(token));
  }

  private lookUp<T>(request: FastifyRequest, token: string, query: () => Promise<T | null>): Promise<T | null> {
    return this.guesses.lookUp('session', token, request.state.origin.ip, query);
  }

  /** Returns the session with this token; null when it or its API key does not exist any more. */
  private async find(token: string): Promise<SignedIn | null> {
    const session = await this.store.find(token);
    if (session === null) return null;
    const caller = await this.authenticator.callerOfKey(session.keyId);
    return caller?.accountId === session.accountId ? { session, caller } : null;
  }

  /** Whether an authenticated request would be admitted now: its API key and its session exist, and may be used. */
  async isCurrent(request: FastifyRequest): Promise<boolean> {
    const { session, context } = request.state;
    if (session === undefined) {
      const caller = await this.authenticator.callerOfKey(context?.credential?.id ?? '');
      return caller?.active === true;
    }
    const found = await this.find(this.cookie.read(request) ?? '');
    return found?.caller.active === true;
  }

  /**
   * Begins a session with a new token, and gives its cookie to the browser. The session that the browser had ends.
   * @param until the session ends then, if that is earlier than usual; null: as usual
   */
  async open(request: FastifyRequest, reply: FastifyReply, key: SessionKey, until: Date | null): Promise<Session> {
    const before = this.cookie.read(request);
    if (before !== null) await this.store.close(before);
    const { token, session } = await this.store.open(key, until);
    this.cookie.set(request, reply, token, session.expiresAt);
    return session;
  }

  /**
   * Ends the session of a request, if it has one, and removes the cookie from the browser.
   * @throws Problem `rate_limited` after too many unknown cookies
   */
  async close(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const token = this.cookie.read(request);
    if (token !== null && (await this.lookUp(request, token, () => this.store.find(token))) !== null) {
      await this.store.close(token);
    }
    this.cookie.clear(request, reply);
  }
}
