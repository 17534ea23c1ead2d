import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { z } from 'zod';
import { boundedString } from '../bounds/bounded.js';
import { Operation } from '../http/openapi/operation.js';
import { assertCursor, page, pageParametersOf, pageSchema, type Page } from '../http/pagination.js';
import { QueryParameters } from '../http/query-parameters.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { idPattern } from '../ids/id.js';
import { invalidInput } from '../problems/problem.js';
import { EventCatalogue } from './event-catalogue.js';
import { EventLog, eventSchema, type EventResponse } from './event-log.js';
import { MOST_BATCH_BYTES, publishBody, publishResponse, type PublishResponse } from './publishing/published-event.js';
import { Publisher } from './publishing/publisher.js';
import { RegisteredTypeStore } from './registered-types/registered-type-store.js';

/** Pattern of event types, for the OpenAPI document. */
const EVENT_TYPE = '^[a-z0-9_]+\\.v[0-9]+$';

const query = z.strictObject({
  ...pageParametersOf(idPattern('evt')),
  type: boundedString(110)
    .optional()
    .meta({ description: 'Returns only events of this type.', pattern: EVENT_TYPE, example: 'ip_policy_created.v0' }),
});
const TAG = 'events';

/** Events of the account. */
@Controller('/events')
export class EventsController {
  constructor(
    @Inject(EventLog) private readonly log: EventLog,
    @Inject(EventCatalogue) private readonly catalogue: EventCatalogue,
    @Inject(RegisteredTypeStore) private readonly types: RegisteredTypeStore,
    @Inject(Publisher) private readonly publisher: Publisher,
  ) {}

  @Get()
  @Operation({
    id: 'listEvents',
    access: 'read',
    summary: 'List events',
    tagDescription: 'The changes in the account: one immutable event for each change.',
    tag: TAG,
    response: pageSchema('events', eventSchema),
  })
  async list(
    @Context() context: RequestContext,
    @QueryParameters(query) { limit, before_id: beforeId, type }: z.infer<typeof query>,
  ): Promise<Page> {
    assertCursor('evt', beforeId);
    const items = await this.log.list(context, { limit: limit + 1, beforeId, type });
    // For a misspelt type an empty list would be misleading.
    if (type !== undefined && items.length === 0 && !(await this.isEventType(context, type)))
      throw invalidInput([{ pointer: '?type', detail: 'is not an event type; see /event_types' }]);
    return page({
      items,
      limit,
      listKey: 'events',
      path: '/events',
      baseUrl: context.baseUrl,
      query: { type },
    });
  }

  private async isEventType({ accountId }: RequestContext, type: string): Promise<boolean> {
    return this.catalogue.find(type) !== undefined || (await this.types.byEventType(accountId, [type])).size > 0;
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
    bodyLimit: MOST_BATCH_BYTES,
  })
  publish(
    @Context() context: RequestContext,
    @Body({ schema: publishBody }) { events }: z.infer<typeof publishBody>,
  ): Promise<PublishResponse> {
    return this.publisher.publish(context, events);
  }

  @Get(':id')
  @Operation({ id: 'getEvent', access: 'read', summary: 'Get an event', tag: TAG, response: eventSchema })
  get(@Context() context: RequestContext, @Param('id') id: string): Promise<EventResponse> {
    return this.log.get(context, id);
  }
}
