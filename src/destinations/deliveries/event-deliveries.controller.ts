import { Controller, Get, Inject, Param } from '@nestjs/common';
import { z } from 'zod';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { page, retainedPageSchema, type Page, type PageQuery } from '../../http/response/pagination.js';
import { EventDeliveries } from './event-deliveries.js';
import { deliveryPageParameters, deliverySchema } from './view/delivery-response.js';

const listQuery = z.strictObject(deliveryPageParameters);

/** Deliveries of an event. */
@Controller('/events/:id/deliveries')
export class EventDeliveriesController {
  constructor(@Inject(EventDeliveries) private readonly deliveries: EventDeliveries) {}

  @Get()
  @Operation({
    id: 'listEventDeliveries',
    access: 'read',
    summary: 'List the deliveries of an event',
    description: 'One delivery for each destination that was subscribed when the event occurred.',
    tag: 'events',
    response: retainedPageSchema('deliveries', deliverySchema),
  })
  async list(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @QueryParameters(listQuery) { limit, before_id: beforeId }: PageQuery,
  ): Promise<Page> {
    const found = await this.deliveries.list(context, id, { limit: limit + 1, beforeId });
    const path = `/events/${id}/deliveries`;
    return page({ ...found, limit, listKey: 'deliveries', path, baseUrl: context.baseUrl });
  }
}
