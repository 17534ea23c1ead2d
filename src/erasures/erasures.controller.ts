import type { Readable } from 'node:stream';
import { Body, Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { QueryParameters } from '../http/input/query-parameters.js';
import { Operation } from '../http/openapi/operation.js';
import { Context, type RequestContext } from '../http/request/request-context.js';
import { sendFile } from '../http/response/file-response.js';
import { pageParametersOf, pageSchema, type Page, type PageQuery } from '../http/response/pagination.js';
import { idPattern } from '../ids/id.js';
import { ERASURE_PREFIX } from './erasure-store.js';
import {
  erasureRequest,
  ERASURES_PATH,
  Erasures,
  erasureSchema,
  type ErasureRequest,
  type ErasureResponse,
} from './erasures.js';

const listQuery = z.strictObject(pageParametersOf(idPattern(ERASURE_PREFIX)));
const TAG = 'erasures';

/** The erasures of an account, and the records of logs about them. */
@Controller()
export class ErasuresController {
  constructor(@Inject(Erasures) private readonly erasures: Erasures) {}

  @Post(ERASURES_PATH)
  @Operation({
    id: 'createErasure',
    access: 'change',
    summary: 'Erase events',
    description:
      'Removes payloads, salts and search keys of events, and what else Waybill stores of them, in the background and for good. Ids, types, times, numbers and commitments stay, so that the logs prove all other events. An event that waits for a delivery is erased when the delivery has ended. Events that are recorded later are not erased, and neither is what targets have received.',
    tagDescription: 'The removal of what Waybill stores of events.',
    tag: TAG,
    status: 201,
    response: erasureSchema,
  })
  create(
    @Context() context: RequestContext,
    @Body({ schema: erasureRequest }) body: ErasureRequest,
  ): Promise<ErasureResponse> {
    return this.erasures.create(context, body);
  }

  @Get(ERASURES_PATH)
  @Operation({
    id: 'listErasures',
    access: 'read',
    summary: 'List the erasures',
    tag: TAG,
    response: pageSchema('erasures', erasureSchema),
  })
  list(@Context() context: RequestContext, @QueryParameters(listQuery) query: PageQuery): Promise<Page> {
    return this.erasures.list(context, query);
  }

  @Get(`${ERASURES_PATH}/:erasure_id`)
  @Operation({ id: 'getErasure', access: 'read', summary: 'Get an erasure', tag: TAG, response: erasureSchema })
  get(@Context() context: RequestContext, @Param('erasure_id') id: string): Promise<ErasureResponse> {
    return this.erasures.get(context, id);
  }

  @Get('event_destinations/:id/log/:epoch/erasures')
  @Operation({
    id: 'getLogErasures',
    access: 'read',
    linked: true,
    summary: 'Get the erasure records of a log',
    description:
      'Signed notes (c2sp.org/signed-note), one after the other: each has the indexes of leaves whose events were erased. Empty where none was.',
    tag: 'proof',
    files: ['text/plain; charset=utf-8'],
  })
  async records(
    @Context() { accountId }: RequestContext,
    @Param('id') id: string,
    @Param('epoch') epoch: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    return sendFile(request, reply, await this.erasures.records(accountId, id, epoch));
  }
}
