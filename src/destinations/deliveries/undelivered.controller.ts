import { Controller, Get, Inject } from '@nestjs/common';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { pageSchema, retainedPageSchema, type Page } from '../../http/response/pagination.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import {
  Undelivered,
  UNDELIVERED_PATH,
  undeliveredCount,
  undeliveredCountsQuery,
  undeliveredQuery,
  type UndeliveredCountsQuery,
  type UndeliveredQuery,
} from './undelivered.js';
import { deliverySchema } from './view/delivery-response.js';

/** The deliveries to all destinations that ended without being delivered. */
@Controller(UNDELIVERED_PATH)
export class UndeliveredController {
  constructor(@Inject(Undelivered) private readonly undelivered: Undelivered) {}

  @Get()
  @Operation({
    id: 'listUndeliveredDeliveries',
    access: 'read',
    summary: 'List the deliveries that ended without being delivered',
    description:
      'The `rejected` and `expired` deliveries to every destination, newest first. One that is redelivered leaves the list while it is pending, and returns if it fails again. Deliveries that ended before their destination was deleted remain in the list until their retention has passed. Those that waited then are `cancelled`, and not in the list: `GET /events/{id}/deliveries` has them. Waiting deliveries are not in it either: `GET /event_destinations/status` counts them.',
    tag: eventDestination.title.many,
    response: retainedPageSchema('deliveries', deliverySchema),
  })
  list(@Context() context: RequestContext, @QueryParameters(undeliveredQuery) query: UndeliveredQuery): Promise<Page> {
    return this.undelivered.list(context, query);
  }

  @Get('counts')
  @Operation({
    id: 'countUndeliveredDeliveries',
    access: 'read',
    summary: 'Count the deliveries that ended without being delivered',
    description:
      'For each destination with `rejected` or `expired` deliveries: how many, and why. A destination without any is not in the list. With `from`, its numbers may be 0.',
    tag: eventDestination.title.many,
    response: pageSchema('counts', undeliveredCount),
    costly: 'always',
  })
  counts(
    @Context() context: RequestContext,
    @QueryParameters(undeliveredCountsQuery) query: UndeliveredCountsQuery,
  ): Promise<Page> {
    return this.undelivered.counts(context, query);
  }
}
