import { Controller, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Operation } from '../http/openapi/operation.js';
import { sessionCodeResponse, SessionCodes, type SessionCodeResponse } from './session-codes.js';

/** Codes that sign a browser in once. */
@Controller('/session_codes')
export class SessionCodesController {
  constructor(@Inject(SessionCodes) private readonly codes: SessionCodes) {}

  @Post()
  @Operation({
    id: 'createSessionCode',
    access: 'self',
    summary: 'Create a sign-in code',
    description:
      'Makes an address that signs a browser in to the console once, with the API key of this request. The session of a code that a session made ends no later than that one, and the code is void after it.',
    tag: 'session',
    status: 201,
    response: sessionCodeResponse,
  })
  create(@Req() request: FastifyRequest): Promise<SessionCodeResponse> {
    return this.codes.create(request);
  }
}
