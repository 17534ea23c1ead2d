import { Body, Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { z } from 'zod';
import { deliverySchema, deliveryState } from '../../../events/delivery-response.js';
import { Operation } from '../../../http/openapi/operation.js';
import { page, pageParameters, pageSchema, type Page } from '../../../http/pagination.js';
import { Context, type RequestContext } from '../../../http/request-context.js';
import { serviceToken } from '../../framework/resource-controller.js';
import type { ResourceService } from '../../framework/resource-service.js';
import { DestinationDeliveries } from './destination-deliveries.js';
import { destinationStatus, type DestinationStatus } from './destination-status.js';
import {
  DestinationTests,
  TEST_WAIT_MS,
  destinationTest,
  type DestinationTest,
} from './destination-tests.js';
import { eventDestination } from './event-destination.js';
import {
  redeliveryAnswer,
  redeliveryRequest,
  type RedeliveryAnswer,
  type RedeliveryRequest,
} from './redelivery-request.js';

const listQuery = z.strictObject({ ...pageParameters, state: deliveryState.optional() });
const tag = eventDestination.title.many;

/** How a destination is doing, what became of its events, and how to try again. */
@Controller('/event_destinations/:id')
export class DestinationDeliveriesController {
  constructor(
    @Inject(DestinationDeliveries) private readonly deliveries: DestinationDeliveries,
    @Inject(DestinationTests) private readonly tests: DestinationTests,
    @Inject(serviceToken(eventDestination)) private readonly destinations: ResourceService,
  ) {}

  @Get('status')
  @Operation({
    id: 'getEventDestinationStatus',
    summary: 'Get the status of an event destination',
    tag,
    answer: destinationStatus,
  })
  status(@Context() context: RequestContext, @Param('id') id: string): Promise<DestinationStatus> {
    return this.deliveries.status(context, id);
  }

  @Post('test')
  @Operation({
    id: 'testEventDestination',
    summary: 'Test an event destination',
    description: `Sends one event of the type \`event_destination_test.v0\` to this destination, by the very path that all events take: it has a \`sequence\`, and goes after the events that wait already. Ends the destination’s backoff, waits at most ${TEST_WAIT_MS / 1000} seconds, and gives the vendor’s verdict.`,
    tag,
    answer: destinationTest,
    errors: ['event_too_large'],
  })
  async test(@Context() context: RequestContext, @Param('id') id: string): Promise<DestinationTest> {
    return this.tests.run(context, (await this.destinations.get(context, id)).body);
  }

  @Get('deliveries')
  @Operation({
    id: 'listEventDestinationDeliveries',
    summary: 'List the deliveries to an event destination',
    tag,
    answer: pageSchema('deliveries', deliverySchema),
  })
  async list(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Query({ schema: listQuery }) { limit, before_id: beforeId, state }: z.infer<typeof listQuery>,
  ): Promise<Page> {
    const items = await this.deliveries.list(context, id, { limit: limit + 1, beforeId, state });
    const path = `/event_destinations/${id}/deliveries`;
    return page({ items, limit, listKey: 'deliveries', path, baseUrl: context.baseUrl, query: { state } });
  }

  @Post('redeliveries')
  @Operation({
    id: 'redeliverEvents',
    summary: 'Deliver events again',
    description:
      'Makes deliveries pending again that had come to an end. They keep their `event_id` and `sequence`, go before what waits, and have their full time anew.',
    tag,
    status: 202,
    answer: redeliveryAnswer,
  })
  redeliver(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Body({ schema: redeliveryRequest }) body: RedeliveryRequest,
  ): Promise<RedeliveryAnswer> {
    return this.deliveries.redeliver(context, id, body);
  }
}
