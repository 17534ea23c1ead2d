import cookie from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator, Caller } from '../../accounts/authenticator.js';
import type { Session, SessionKey, SessionStore } from '../../accounts/session-store.js';
import type { Config } from '../../config/config.js';
import type { GuessLimit } from '../rate-limit/guess-limit.js';

/** Name of the session cookie over plain HTTP. */
export const SESSION_COOKIE = 'waybill_session';

/** Over HTTPS, browsers refuse a cookie with this name that another host of the domain sets. */
export const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;

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
    private readonly guesses: GuessLimit,
    private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  /**
   * Whether a request comes from a page of this origin or from no page (curl and scripts, which send no cookies of a
   * browser). Browsers send Sec-Fetch-Site; over plain HTTP they send only Origin.
   */
  isSameOrigin(request: FastifyRequest): boolean {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined) return site === 'same-origin' || site === 'none';
    const { origin } = request.headers;
    if (origin === undefined) return true;
    if (!URL.canParse(origin)) return false;
    const from = new URL(origin);
    return from.host === request.state.origin.host && from.protocol === (this.isSecure(request) ? 'https:' : 'http:');
  }

  /** Whether a request has the cookie of a session. */
  isGiven(request: FastifyRequest): boolean {
    return this.tokenOf(request) !== null;
  }

  /**
   * Returns the session of a request; null without a cookie, or when the session or its API key does not exist any
   * more. An unknown cookie counts as a guess of the client's address.
   * @throws Problem `rate_limited` after too many of them
   */
  async of(request: FastifyRequest): Promise<SignedIn | null> {
    const token = this.tokenOf(request);
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
    const found = await this.find(this.tokenOf(request) ?? '');
    return found?.caller.active === true;
  }

  /**
   * Begins a session with a new token, and gives its cookie to the browser. The session that the browser had ends.
   * @param until the session ends then, if that is earlier than usual; null: as usual
   */
  async open(request: FastifyRequest, reply: FastifyReply, key: SessionKey, until: Date | null): Promise<Session> {
    const before = this.tokenOf(request);
    if (before !== null) await this.store.close(before);
    const { token, session } = await this.store.open(key, until);
    const maxAge = Math.max(0, Math.floor((session.expiresAt.getTime() - Date.now()) / 1_000));
    this.setCookie(request, reply, token, maxAge);
    return session;
  }

  /**
   * Ends the session of a request, if it has one, and removes the cookie from the browser.
   * @throws Problem `rate_limited` after too many unknown cookies
   */
  async close(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const token = this.tokenOf(request);
    if (token !== null && (await this.lookUp(request, token, () => this.store.find(token))) !== null) {
      await this.store.close(token);
    }
    this.setCookie(request, reply, '', 0);
  }

  /** Returns the token in the cookie of a request; null without the cookie. */
  private tokenOf(request: FastifyRequest): string | null {
    const { cookie: header } = request.headers;
    if (header === undefined) return null;
    return cookie.fastifyCookie.parse(header)[this.cookieName(request)] ?? null;
  }

  /**
   * Gives the browser the cookie, which scripts and other sites do not get.
   * @param maxAge how long the browser keeps it, in seconds; 0 removes it
   */
  private setCookie(request: FastifyRequest, reply: FastifyReply, token: string, maxAge: number): void {
    const secure = this.isSecure(request);
    const attributes = { path: '/', httpOnly: true, sameSite: 'strict', secure, maxAge } as const;
    reply.header('set-cookie', cookie.fastifyCookie.serialize(this.cookieName(request), token, attributes));
  }

  private cookieName(request: FastifyRequest): string {
    return this.isSecure(request) ? SECURE_SESSION_COOKIE : SESSION_COOKIE;
  }

  /** Whether browsers use HTTPS, even if this process receives plain HTTP. */
  private isSecure(request: FastifyRequest): boolean {
    return this.config.PUBLIC_URL?.startsWith('https:') === true || request.state.origin.protocol === 'https';
  }
}
