import { Body, Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Operation } from '../http/openapi/operation.js';
import { sessionResponse, type SessionResponse } from './session-response.js';
import { SignIn, signInRequest, type SignInRequest } from './sign-in.js';

const TAG = 'session';

/** Largest body of a sign-in, in bytes. */
const LARGEST_SIGN_IN = 4_096;

/** The session of a browser. */
@Controller('/session')
export class SessionController {
  constructor(@Inject(SignIn) private readonly signIn: SignIn) {}

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
  create(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body({ schema: signInRequest }) credentials: SignInRequest,
  ): Promise<SessionResponse> {
    return this.signIn.signIn(request, reply, credentials);
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
  get(@Req() request: FastifyRequest): Promise<SessionResponse> {
    return this.signIn.current(request);
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
  delete(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    return this.signIn.signOut(request, reply);
  }
}
