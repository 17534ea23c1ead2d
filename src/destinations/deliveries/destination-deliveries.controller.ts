import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { searchPageSchema, type Page } from '../../http/response/pagination.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import { DestinationTests, TEST_WAIT_MS, destinationTest, type DestinationTest } from '../destination-tests.js';
import { destinationStatus, type DestinationStatus } from '../status/destination-status.js';
import { DestinationDeliveries } from './destination-deliveries.js';
import {
  redeliveryResponse,
  redeliveryRequest,
  type RedeliveryResponse,
  type RedeliveryRequest,
} from './redelivery-request.js';
import { deliverySearchQuery, type DeliverySearchQuery } from './search/delivery-filter.js';
import { deliverySchema } from './view/delivery-response.js';

const tag = eventDestination.title.many;

/** Status, deliveries, tests and redeliveries of one destination. */
@Controller('/event_destinations/:id')
export class DestinationDeliveriesController {
  constructor(
    @Inject(DestinationDeliveries) private readonly deliveries: DestinationDeliveries,
    @Inject(DestinationTests) private readonly tests: DestinationTests,
  ) {}

  @Get('status')
  @Operation({
    id: 'getEventDestinationStatus',
    access: 'read',
    summary: 'Get the status of an event destination',
    tag,
    response: destinationStatus,
  })
  status(@Context() context: RequestContext, @Param('id') id: string): Promise<DestinationStatus> {
    return this.deliveries.status(context, id);
  }

  @Post('test')
  @Operation({
    id: 'testEventDestination',
    access: 'operate',
    summary: 'Test an event destination',
    description: `Sends one \`event_destination_test.v0\` event to this destination through the normal pipeline: the event has a \`sequence\` and is queued after waiting events. Ends the backoff of the destination. A paused destination cannot be tested. Waits at most ${TEST_WAIT_MS / 1000} seconds and returns the outcome.`,
    tag,
    response: destinationTest,
    errors: ['event_too_large', 'destination_paused'],
  })
  test(@Context() context: RequestContext, @Param('id') id: string): Promise<DestinationTest> {
    return this.tests.run(context, id);
  }

  @Get('deliveries')
  @Operation({
    id: 'listEventDestinationDeliveries',
    access: 'read',
    summary: 'Search the deliveries to an event destination',
    description:
      'Filters combine. Those of `GET /events` select the events. A page reads a bounded number of rows, so a page of a rare combination may not be full, or be empty: the list ends where `next_page_uri` is null.',
    tag,
    response: searchPageSchema('deliveries', deliverySchema),
    costly: 'filtered',
  })
  list(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @QueryParameters(deliverySearchQuery) query: DeliverySearchQuery,
  ): Promise<Page> {
    return this.deliveries.list(context, id, query);
  }

  @Post('redeliveries')
  @Operation({
    id: 'redeliverEvents',
    access: 'operate',
    summary: 'Redeliver events',
    description:
      'Makes finished deliveries pending again. Each keeps its `event_id` and `sequence`, is sent before waiting events, and gets a new deadline.',
    tag,
    status: 202,
    response: redeliveryResponse,
  })
  redeliver(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Body({ schema: redeliveryRequest }) body: RedeliveryRequest,
  ): Promise<RedeliveryResponse> {
    return this.deliveries.redeliver(context, id, body);
  }
}
