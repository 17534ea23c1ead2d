import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { echoed } from '../../bounds/storable.js';
import { RetentionMarks } from '../../database/partitions/retention-marks.js';
import { Redeliveries } from '../../delivery/redelivery/redeliveries.js';
import { repeatedOf, timeIn } from '../../events/log/event-filter.js';
import { EventSearch } from '../../events/log/event-search.js';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { JsonItem, page, searchPageSchema, type Page } from '../../http/response/pagination.js';
import { invalidInput, notFound, Problem } from '../../problems/problem.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import { DestinationTests, TEST_WAIT_MS, destinationTest, type DestinationTest } from '../destination-tests.js';
import { destinationStatus, toStatusResponse, type DestinationStatus } from '../status/destination-status.js';
import { LaneViewStore, type LaneView } from '../status/lane-view-store.js';
import {
  redeliveryResponse,
  redeliveryRequest,
  type RedeliveryResponse,
  type RedeliveryRequest,
} from './redelivery-request.js';
import { cursorBehind } from './search/delivery-cursor.js';
import { deliveryRangeOf, deliverySearchQuery, type DeliverySearchQuery } from './search/delivery-filter.js';
import { orderOf } from './search/delivery-scan.js';
import { DeliverySearchStore } from './search/delivery-search-store.js';
import { deliverySchema, toDeliveryResponse } from './view/delivery-response.js';

const tag = eventDestination.title.many;

/** Status, deliveries, tests and redeliveries of one destination. */
@Controller('/event_destinations/:id')
export class DestinationDeliveriesController {
  constructor(
    @Inject(LaneViewStore) private readonly lanes: LaneViewStore,
    @Inject(DeliverySearchStore) private readonly deliveries: DeliverySearchStore,
    @Inject(RetentionMarks) private readonly marks: RetentionMarks,
    @Inject(EventSearch) private readonly events: EventSearch,
    @Inject(Redeliveries) private readonly redeliveries: Redeliveries,
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
  async status(@Context() context: RequestContext, @Param('id') id: string): Promise<DestinationStatus> {
    return toStatusResponse(await this.lane(context, id), context.baseUrl);
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
  async list(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @QueryParameters(deliverySearchQuery) query: DeliverySearchQuery,
  ): Promise<Page> {
    const { accountId, baseUrl } = context;
    const { limit } = query;
    const range = deliveryRangeOf(query);
    const order = orderOf(query);
    await this.events.refuseUnknownTypes(context, query);
    const found = await this.deliveries.page(accountId, id, query, range, limit + 1);
    if (!found) throw notFound('event destination', id);
    return page({
      items: found.deliveries.map(
        (one) => new JsonItem(cursorBehind(order, one), JSON.stringify(toDeliveryResponse(one))),
      ),
      limit,
      listKey: 'deliveries',
      path: `${eventDestination.path}/${id}/deliveries`,
      baseUrl,
      query: repeatedOf(query),
      oldestFirst: query.order === 'oldest_first',
      resumeAt: found.resumeAt,
      completeSince: await this.marks.completeSince(accountId, ['deliveries'], timeIn(query.from)),
    });
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
  async redeliver(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Body({ schema: redeliveryRequest }) { event_ids: ids, state, from, to }: RedeliveryRequest,
  ): Promise<RedeliveryResponse> {
    await this.lane(context, id);
    if (state !== undefined) {
      const range = { state, from: new Date(from ?? 0), to: to === undefined ? undefined : new Date(to) };
      const { count, nextFrom } = await this.redeliveries.range(id, range);
      return { count, next_from: nextFrom?.toISOString() ?? null };
    }
    const result = await this.redeliveries.events(context.accountId, id, ids ?? []);
    if ('count' in result) return { count: result.count, next_from: null };
    if ('erased' in result) {
      const detail = `Erased events cannot be delivered again: ${result.erased.slice(0, 10).join(', ')}. Nothing was changed.`;
      throw new Problem('event_erased', detail);
    }
    throw invalidInput(
      result.unknown.map((event) => ({
        pointer: `/event_ids/${ids?.indexOf(event)}`,
        detail: `there is no delivery of the event ${JSON.stringify(echoed(event))} to this destination`,
      })),
    );
  }

  private async lane({ accountId }: RequestContext, id: string): Promise<LaneView> {
    const lane = await this.lanes.find(accountId, id);
    if (!lane) throw notFound('event destination', id);
    return lane;
  }
}
