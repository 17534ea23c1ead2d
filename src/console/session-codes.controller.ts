import { Controller, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CODE_MINUTES, SessionCodeStore } from '../accounts/session-code-store.js';
import { DATABASE, type Database } from '../database/database.js';
import { storeResponses } from '../http/idempotency/idempotency-store.js';
import { Operation } from '../http/openapi/operation.js';
import { contextOf } from '../http/request/request-context.js';

const sessionCodeResponse = z
  .object({
    code: z.string().nullable().meta({ description: 'The code. Null in a replay: only the first response has it.' }),
    url: z
      .string()
      .nullable()
      .meta({ description: 'Address of the console that signs in with the code. Null in a replay.' }),
    expires_at: z.iso.datetime().meta({ description: `End of the code: ${CODE_MINUTES} minutes after its creation.` }),
  })
  .meta({ id: 'SessionCode', description: 'A code that signs a browser in once, with the API key of the request.' });

type SessionCodeResponse = z.infer<typeof sessionCodeResponse>;

/** Codes that sign a browser in once. */
@Controller('/session_codes')
export class SessionCodesController {
  constructor(@Inject(DATABASE) private readonly db: Database) {}

  /**
   * Makes a code for the API key of a request. The session of a code that a session makes ends no later than that one,
   * and the code is void after it: a stolen cookie would be valid for as long as its key otherwise.
   */
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
  async create(@Req() request: FastifyRequest): Promise<SessionCodeResponse> {
    const { accountId, credential, baseUrl, reservation } = contextOf(request);
    if (credential === null) throw new Error('An authenticated request has no API key.');
    const key = { accountId, keyId: credential.id };
    return this.db.transaction().execute(async (trx) => {
      const { code, expiresAt } = await new SessionCodeStore(trx).issue(key, request.state.session ?? null);
      const replayed = { code: null, url: null, expires_at: expiresAt.toISOString() };
      await storeResponses(trx, [reservation?.sealed({ status: 201, body: replayed })]);
      return { ...replayed, code, url: `${baseUrl}/console/sign-in#code=${code}` };
    });
  }
}
