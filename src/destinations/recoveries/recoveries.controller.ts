import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { z } from 'zod';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { pageParametersOf, pageSchema, type Page, type PageQuery } from '../../http/response/pagination.js';
import {
  Recoveries,
  RECOVERIES_PATH,
  recoveryRequest,
  recoverySchema,
  type RecoveryRequest,
  type RecoveryResponse,
} from './recoveries.js';
import { RECOVERY_PREFIX } from './recovery-store.js';

const listQuery = z.strictObject(pageParametersOf(RECOVERY_PREFIX));
const TAG = 'recoveries';

/** The recoveries of an account. */
@Controller(RECOVERIES_PATH)
export class RecoveriesController {
  constructor(@Inject(Recoveries) private readonly recoveries: Recoveries) {}

  @Post()
  @Operation({
    id: 'createRecovery',
    access: 'operate',
    summary: 'Redeliver what event destinations did not receive',
    description:
      'Redelivers the `rejected` and `expired` deliveries to several destinations, one destination after the other, as `POST /event_destinations/{id}/redeliveries` does for one. It continues when the client is gone. An account has one unfinished recovery at a time.',
    tagDescription: 'The redelivery of what several destinations did not receive.',
    tag: TAG,
    status: 201,
    response: recoverySchema,
    errors: ['conflict'],
    costly: 'always',
  })
  create(
    @Context() context: RequestContext,
    @Body({ schema: recoveryRequest }) body: RecoveryRequest,
  ): Promise<RecoveryResponse> {
    return this.recoveries.create(context, body);
  }

  @Get()
  @Operation({
    id: 'listRecoveries',
    access: 'read',
    summary: 'List the recoveries',
    description: 'Ended recoveries are listed for `RETENTION_DELIVERED_DAYS`.',
    tag: TAG,
    response: pageSchema('recoveries', recoverySchema),
  })
  list(@Context() context: RequestContext, @QueryParameters(listQuery) query: PageQuery): Promise<Page> {
    return this.recoveries.list(context, query);
  }

  @Get(':recovery_id')
  @Operation({ id: 'getRecovery', access: 'read', summary: 'Get a recovery', tag: TAG, response: recoverySchema })
  get(@Context() context: RequestContext, @Param('recovery_id') id: string): Promise<RecoveryResponse> {
    return this.recoveries.get(context, id);
  }

  @Post(':recovery_id/cancel')
  @Operation({
    id: 'cancelRecovery',
    access: 'operate',
    summary: 'Cancel a recovery',
    description:
      'No more events are queued, except up to about 1,000 by a step that is under way; what is queued is sent. A recovery that has ended stays as it is, and is returned.',
    tag: TAG,
    response: recoverySchema,
  })
  cancel(@Context() context: RequestContext, @Param('recovery_id') id: string): Promise<RecoveryResponse> {
    return this.recoveries.cancel(context, id);
  }
}
