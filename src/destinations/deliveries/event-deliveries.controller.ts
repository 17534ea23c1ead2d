import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { page, retainedPageSchema, type Page, type PageQuery } from '../../http/response/pagination.js';
import { EventDeliveries } from './event-deliveries.js';
import { deliveryPageParameters, deliverySchema } from './view/delivery-response.js';

/** No JSON: clients would parse it, and lose the bytes. */
const TEXT = 'text/plain; charset=utf-8';

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

  @Get(':delivery_id/payload')
  @Operation({
    id: 'getDeliveredPayload',
    access: 'read',
    summary: 'Get an event as it is delivered',
    description:
      'The bytes of the event in the record of the target: the payload that `fields` leave, with `epoch`, `sequence` and `integrity`. What the target adds around it, such as a batch or its compression, is not kept.',
    tag: 'events',
    files: [TEXT],
  })
  async payload(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Param('delivery_id') deliveryId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    reply.type(TEXT);
    return this.deliveries.payload(context, id, deliveryId);
  }
}
