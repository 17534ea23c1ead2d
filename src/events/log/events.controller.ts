import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import type { z } from 'zod';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import type { Page } from '../../http/response/pagination.js';
import { publishBody, publishResponse, type PublishResponse } from '../publishing/published-event.js';
import { Publisher } from '../publishing/publisher.js';
import { publishingLimits } from '../publishing/publishing-limits.js';
import { eventCountsSchema, toCountsResponse } from './event-counts.js';
import { eventCountsQuery, eventSearchQuery, type EventFilter, type EventSearchQuery } from './event-filter.js';
import { eventPageSchema, eventSchema, type EventResponse } from './event-log.js';
import { EventSearch } from './event-search.js';

const TAG = 'events';

/** Events of the account. */
@Controller('/events')
export class EventsController {
  constructor(
    @Inject(EventSearch) private readonly events: EventSearch,
    @Inject(Publisher) private readonly publisher: Publisher,
  ) {}

  @Get()
  @Operation({
    id: 'listEvents',
    access: 'read',
    summary: 'Search events',
    description:
      'Filters combine. A page reads a bounded number of events, so a page of a rare combination may not be full, or be empty: the list ends where `next_page_uri` is null.',
    tagDescription: 'The changes in the account: one immutable event for each change.',
    tag: TAG,
    response: eventPageSchema,
    costly: 'filtered',
  })
  list(@Context() context: RequestContext, @QueryParameters(eventSearchQuery) query: EventSearchQuery): Promise<Page> {
    return this.events.search(context, query, '/events');
  }

  @Post()
  @Operation({
    id: 'publishEvents',
    access: 'publish',
    summary: 'Publish events',
    description:
      'Accepts events of resources whose types the account has registered: all of them, or none. Events of one resource reach each destination in the order of their acceptance. The body may have 2 MiB.',
    tag: TAG,
    status: 202,
    response: publishResponse,
    bodyLimit: publishingLimits.mostBatchBytes,
  })
  publish(
    @Context() context: RequestContext,
    @Body({ schema: publishBody }) { events }: z.infer<typeof publishBody>,
  ): Promise<PublishResponse> {
    return this.publisher.publish(context, events);
  }

  @Get('counts')
  @Operation({
    id: 'countEvents',
    access: 'read',
    summary: 'Count events over time',
    description:
      'Counts the events of a search in 60 steps of time, and the deliveries of the newest ones by state. Reads the newest 10,000 events of the index that the filters use, and 2,000 payloads for `ip` and `text`: `reached` says how far.',
    tag: TAG,
    response: eventCountsSchema,
    costly: 'always',
  })
  async counts(
    @Context() context: RequestContext,
    @QueryParameters(eventCountsQuery) query: EventFilter,
  ): Promise<z.infer<typeof eventCountsSchema>> {
    return toCountsResponse(await this.events.counts(context, query));
  }

  @Get(':id')
  @Operation({ id: 'getEvent', access: 'read', summary: 'Get an event', tag: TAG, response: eventSchema })
  get(@Context() context: RequestContext, @Param('id') id: string): Promise<EventResponse> {
    return this.events.get(context, id);
  }
}
