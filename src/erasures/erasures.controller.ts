import type { Readable } from 'node:stream';
import { Body, Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { storeResponses } from '../http/idempotency/idempotency-store.js';
import { QueryParameters } from '../http/input/query-parameters.js';
import { Operation } from '../http/openapi/operation.js';
import { Context, type RequestContext } from '../http/request/request-context.js';
import { sendFile } from '../http/response/file-response.js';
import { page, pageParametersOf, pageSchema, type Page, type PageQuery } from '../http/response/pagination.js';
import { notFound } from '../problems/problem.js';
import { LogReader } from '../proof/log-reader.js';
import { KeyRing } from '../secrets/key-ring.js';
import { erasureRequest, erasureSchema, type ErasureRequest, type ErasureResponse } from './erasure-schemas.js';
import { sealErasure } from './erasure-seal.js';
import { ERASURE_PREFIX, ErasureStore, type Erasure, type ErasureSubject } from './erasure-store.js';

const listQuery = z.strictObject(pageParametersOf(ERASURE_PREFIX));
const ERASURES_PATH = '/erasures';
const TAG = 'erasures';
/** Records that are read at once. */
const RECORDS_OF_PAGE = 20;

/** The erasures of an account, and the records of logs about them. */
@Controller()
export class ErasuresController {
  constructor(
    @Inject(ErasureStore) private readonly store: ErasureStore,
    @Inject(KeyRing) private readonly ring: KeyRing,
    @Inject(LogReader) private readonly logs: LogReader,
  ) {}

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
  async create(
    @Context() context: RequestContext,
    @Body({ schema: erasureRequest }) body: ErasureRequest,
  ): Promise<ErasureResponse> {
    const { accountId, principal, baseUrl, reservation } = context;
    const to = body.to === undefined ? null : new Date(body.to);
    const erasure = await this.store.create(
      { accountId, ...subjectOf(body), to, reason: body.reason, principal },
      (row) => sealErasure(this.ring, row),
      (trx, row) => storeResponses(trx, [reservation?.sealed({ status: 201, body: toResponse(row, baseUrl) })]),
    );
    return toResponse(erasure, baseUrl);
  }

  @Get(ERASURES_PATH)
  @Operation({
    id: 'listErasures',
    access: 'read',
    summary: 'List the erasures',
    tag: TAG,
    response: pageSchema('erasures', erasureSchema),
  })
  async list(
    @Context() { accountId, baseUrl }: RequestContext,
    @QueryParameters(listQuery) { limit, before_id: beforeId }: PageQuery,
  ): Promise<Page> {
    const found = await this.store.page(accountId, limit + 1, beforeId);
    const items = found.map((erasure) => toResponse(erasure, baseUrl));
    return page({ items, limit, listKey: 'erasures', path: ERASURES_PATH, baseUrl });
  }

  @Get(`${ERASURES_PATH}/:erasure_id`)
  @Operation({ id: 'getErasure', access: 'read', summary: 'Get an erasure', tag: TAG, response: erasureSchema })
  async get(
    @Context() { accountId, baseUrl }: RequestContext,
    @Param('erasure_id') id: string,
  ): Promise<ErasureResponse> {
    const erasure = await this.store.find(accountId, id);
    if (!erasure) throw notFound('erasure', id);
    return toResponse(erasure, baseUrl);
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
    const log = await this.logs.log(accountId, id, epoch);
    const content = this.notes(log.id);
    return sendFile(request, reply, { name: 'erasures', mediaType: 'text/plain; charset=utf-8', content, headers: {} });
  }

  private async *notes(logId: number): AsyncIterable<string> {
    for (let after: number | undefined = 0; after !== undefined;) {
      const records = await this.store.records(logId, after, RECORDS_OF_PAGE);
      yield records.map(({ note }) => note).join('');
      after = records.length < RECORDS_OF_PAGE ? undefined : records.at(-1)?.id;
    }
  }
}

function subjectOf({ object_id: object, principal_id: principal, type: types = [] }: ErasureRequest): ErasureSubject {
  if (object !== undefined) return { kind: 'object', subject_id: object, types };
  if (principal !== undefined) return { kind: 'principal', subject_id: principal, types: [] };
  return { kind: 'account', subject_id: null, types: [] };
}

function toResponse(erasure: Erasure, baseUrl: string): ErasureResponse {
  const { id, kind, reason, types } = erasure;
  return {
    id,
    uri: `${baseUrl}${ERASURES_PATH}/${id}`,
    state: erasure.state === 'finished' || erasure.state === 'failed' ? erasure.state : 'running',
    kind,
    subject_id: erasure.subject_id,
    type: [...types],
    to: erasure.to_time.toISOString(),
    reason,
    events_erased: erasure.erased,
    events_waiting: erasure.waiting,
    requested_by: { id: erasure.principal_id, subject: erasure.principal_subject },
    created_at: erasure.created_at.toISOString(),
    finished_at: erasure.finished_at?.toISOString() ?? null,
  };
}
