import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { z } from 'zod';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { pageParametersOf, pageSchema, type Page, type PageQuery } from '../../http/response/pagination.js';
import { idPattern } from '../../ids/id.js';
import { backfillRequest, type BackfillRequest } from './backfill-request.js';
import { backfillSchema, type BackfillResponse } from './backfill-response.js';
import { BACKFILL_PREFIX } from './backfill-store.js';
import { Backfills } from './backfills.js';

const listQuery = z.strictObject(pageParametersOf(idPattern(BACKFILL_PREFIX)));
const TAG = 'backfills';

/** The backfills of one destination. */
@Controller('/event_destinations/:id/backfills')
export class BackfillsController {
  constructor(@Inject(Backfills) private readonly backfills: Backfills) {}

  @Post()
  @Operation({
    id: 'createBackfill',
    access: 'operate',
    summary: 'Send earlier events to an event destination',
    description:
      'Counts the matching events, and then sends those that the destination has no delivery of, oldest first, behind live events and at a limited rate. Each has its own `sequence`, and `backfill: true` in its payload: newer events of its resource may have arrived before. After the response to a subscription, a backfill and the live events together miss no event. A destination has one unfinished backfill at a time.',
    tagDescription: 'Earlier events for a destination, such as a new one.',
    tag: TAG,
    status: 201,
    response: backfillSchema,
    errors: ['conflict'],
  })
  create(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Body({ schema: backfillRequest }) body: BackfillRequest,
  ): Promise<BackfillResponse> {
    return this.backfills.create(context, id, body);
  }

  @Get()
  @Operation({
    id: 'listBackfills',
    access: 'read',
    summary: 'List the backfills of an event destination',
    description: 'Ended backfills are listed for `RETENTION_DELIVERED_DAYS`.',
    tag: TAG,
    response: pageSchema('backfills', backfillSchema),
  })
  list(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @QueryParameters(listQuery) query: PageQuery,
  ): Promise<Page> {
    return this.backfills.list(context, id, query);
  }

  @Get(':backfill_id')
  @Operation({
    id: 'getBackfill',
    access: 'read',
    summary: 'Get a backfill',
    tag: TAG,
    response: backfillSchema,
  })
  get(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Param('backfill_id') backfillId: string,
  ): Promise<BackfillResponse> {
    return this.backfills.get(context, id, backfillId);
  }

  @Post(':backfill_id/cancel')
  @Operation({
    id: 'cancelBackfill',
    access: 'operate',
    summary: 'Cancel a backfill',
    description:
      'No more events are queued; what is queued is sent. A backfill that has ended stays as it is, and is returned.',
    tag: TAG,
    response: backfillSchema,
  })
  cancel(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Param('backfill_id') backfillId: string,
  ): Promise<BackfillResponse> {
    return this.backfills.cancel(context, id, backfillId);
  }
}
