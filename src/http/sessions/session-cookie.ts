import cookie from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Name of the session cookie over plain HTTP. */
export const SESSION_COOKIE = 'waybill_session';

/** Over HTTPS, browsers refuse a cookie with this name that another host of the domain sets. */
export const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;

/** The session cookie, as requests and responses have it. */
export class SessionCookie {
  /** @param publishedOverTls whether PUBLIC_URL uses HTTPS, even if this process receives plain HTTP */
  constructor(private readonly publishedOverTls: boolean) {}

  /** Returns the token in the cookie of a request; null without the cookie. */
  read(request: FastifyRequest): string | null {
    const { cookie: header } = request.headers;
    if (header === undefined) return null;
    return cookie.fastifyCookie.parse(header)[this.nameFor(request)] ?? null;
  }

  /** Gives the browser the cookie until the session ends. Scripts and other sites do not get it. */
  set(request: FastifyRequest, reply: FastifyReply, token: string, expiresAt: Date): void {
    const maxAge = Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1_000));
    this.send(request, reply, token, maxAge);
  }

  /** Removes the cookie from the browser. */
  clear(request: FastifyRequest, reply: FastifyReply): void {
    this.send(request, reply, '', 0);
  }

  private send(request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void {
    const secure = this.isSecure(request);
    const attributes = { path: '/', httpOnly: true, sameSite: 'strict', secure, maxAge } as const;
    reply.header('set-cookie', cookie.fastifyCookie.serialize(this.nameFor(request), value, attributes));
  }

  private nameFor(request: FastifyRequest): string {
    return this.isSecure(request) ? SECURE_SESSION_COOKIE : SESSION_COOKIE;
  }

  /** Whether browsers use HTTPS. */
  isSecure(request: FastifyRequest): boolean {
    return this.publishedOverTls || request.state.origin.protocol === 'https';
  }
}
