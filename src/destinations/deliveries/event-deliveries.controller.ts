import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { DATABASE, type Database } from '../../database/database.js';
import { RetentionMarks } from '../../database/partitions/retention-marks.js';
import { appendNumber } from '../../delivery/lanes/delivered-event.js';
import { Projections } from '../../delivery/lanes/projections.js';
import { EventSearchStore } from '../../events/log/event-search-store.js';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { page, retainedPageSchema, type Page, type PageQuery } from '../../http/response/pagination.js';
import { notFound, Problem } from '../../problems/problem.js';
import { LogKeys } from '../../secrets/log-keys.js';
import {
  deliveryNumber,
  deliveryPageParameters,
  deliverySchema,
  toDeliveryResponse,
} from './view/delivery-response.js';
import { DeliveryViewStore } from './view/delivery-view-store.js';
import { integrityOf } from './view/delivery-view.js';

/** No JSON: clients would parse it, and lose the bytes. */
const TEXT = 'text/plain; charset=utf-8';

const listQuery = z.strictObject(deliveryPageParameters);

/** Deliveries of an event. */
@Controller('/events/:id/deliveries')
export class EventDeliveriesController {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(EventSearchStore) private readonly events: EventSearchStore,
    @Inject(DeliveryViewStore) private readonly views: DeliveryViewStore,
    @Inject(RetentionMarks) private readonly marks: RetentionMarks,
    @Inject(LogKeys) private readonly keys: LogKeys,
  ) {}

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
    @Context() { accountId, baseUrl }: RequestContext,
    @Param('id') id: string,
    @QueryParameters(listQuery) { limit, before_id: beforeId }: PageQuery,
  ): Promise<Page> {
    const wanted = { limit: limit + 1, beforeId: deliveryNumber(beforeId) };
    const [event] = await this.events.withIds(accountId, [id]);
    if (!event) throw notFound('event', id);
    const { deliveries, resumeAt } = await this.views.ofEvent(accountId, event.id, wanted);
    return page({
      items: deliveries.map(toDeliveryResponse),
      limit,
      listKey: 'deliveries',
      path: `/events/${id}/deliveries`,
      baseUrl,
      resumeAt: resumeAt === null ? null : `dlv_${resumeAt}`,
      completeSince: await this.marks.completeSince(accountId, ['deliveries'], event.createdAt),
    });
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
    @Context() { accountId }: RequestContext,
    @Param('id') id: string,
    @Param('delivery_id') deliveryId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    reply.type(TEXT);
    const [event] = await this.events.withIds(accountId, [id]);
    if (!event) throw notFound('event', id);
    if (event.erasureId !== null) throw new Problem('not_found', 'The event was erased on request.');
    const number = deliveryNumber(deliveryId);
    const delivery = number === undefined ? undefined : await this.views.stateOf(accountId, id, number);
    if (!delivery) throw notFound('delivery', deliveryId);
    const { destinationId, sequence, epoch, backfillId } = delivery;
    if (sequence === null || epoch === null) {
      const detail = 'The delivery has no number: its event was not sent yet, or its destination was deleted.';
      throw new Problem('not_found', detail);
    }
    const { payload, salt } = (await Projections.read(this.db, destinationId, [id])).of(id) ?? {
      ...event,
      salt: delivery.salt,
    };
    const integrity = integrityOf({ ...delivery, salt }, this.keys.logName);
    return appendNumber(payload, { epoch, sequence, isBackfill: backfillId !== null, integrity });
  }
}
