import { Controller, Get, Inject } from '@nestjs/common';
import { z } from 'zod';
import { laneStates } from '../../../delivery/views/lane-state.js';
import { Operation } from '../../../http/openapi/operation.js';
import { page, pageParametersOf, pageSchema, type Page } from '../../../http/pagination.js';
import { QueryParameters } from '../../../http/query-parameters.js';
import { repeatableParameter } from '../../../http/repeatable-parameter.js';
import { Context, type RequestContext } from '../../../http/request-context.js';
import { idPattern } from '../../../ids/id.js';
import { MAX_VALUES } from '../../framework/list-filters.js';
import { DestinationDeliveries } from './destination-deliveries.js';
import { destinationStatus } from './destination-status.js';
import { eventDestination } from './event-destination.js';

/** Path of the list. No id of a destination is `status`: ids have a prefix. */
const PATH = `${eventDestination.path}/status`;

const listQuery = z.strictObject({
  ...pageParametersOf(idPattern(eventDestination.prefix)),
  state: repeatableParameter(z.enum(laneStates), MAX_VALUES, {
    description: 'Returns only destinations with this `status`.',
  }),
});

/** The status of all destinations. */
@Controller(PATH)
export class DestinationStatusesController {
  constructor(@Inject(DestinationDeliveries) private readonly deliveries: DestinationDeliveries) {}

  @Get()
  @Operation({
    id: 'listEventDestinationStatuses',
    access: 'read',
    summary: 'List the status of all event destinations',
    description:
      'To see what is wrong, list `state=misconfigured&state=retrying`. The status of a destination may change between two pages.',
    tag: eventDestination.title.many,
    response: pageSchema('statuses', destinationStatus),
  })
  async list(
    @Context() context: RequestContext,
    @QueryParameters(listQuery) { limit, before_id: beforeId, state }: z.infer<typeof listQuery>,
  ): Promise<Page> {
    const items = await this.deliveries.statuses(context, { states: state ?? null, limit: limit + 1, beforeId });
    return page({ items, limit, listKey: 'statuses', path: PATH, baseUrl: context.baseUrl, query: { state } });
  }
}
