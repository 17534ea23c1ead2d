import { Controller, Get, Inject, Param } from '@nestjs/common';
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

/** Pattern of event types, for the OpenAPI document. */
const EVENT_TYPE = '^[a-z0-9_]+\\.v0$';

const query = z.strictObject({
  ...pageParametersOf(idPattern('evt')),
  type: boundedString(100)
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
  ) {}

  @Get()
  @Operation({
    id: 'listEvents',
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
    // For a misspelt type an empty list would be misleading.
    if (type !== undefined && !this.catalogue.find(type))
      throw invalidInput([{ pointer: '?type', detail: 'is not an event type; see /event_types' }]);
    const items = await this.log.list(context, { limit: limit + 1, beforeId, type });
    return page({
      items,
      limit,
      listKey: 'events',
      path: '/events',
      baseUrl: context.baseUrl,
      query: { type },
    });
  }

  @Get(':id')
  @Operation({ id: 'getEvent', summary: 'Get an event', tag: TAG, response: eventSchema })
  get(@Context() context: RequestContext, @Param('id') id: string): Promise<EventResponse> {
    return this.log.get(context, id);
  }
}
