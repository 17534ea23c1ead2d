import { Body, Controller, Delete, Get, Inject, Param, Patch, Post, UseInterceptors } from '@nestjs/common';
import { z } from 'zod';
import { Operation } from '../../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../../http/request/request-context.js';
import { existenceFirst } from '../../framework/routes/existence-first.js';
import { repeatedParameter, withoutRepeated } from '../../framework/routes/path-parameters.js';
import { serviceToken, type ResourceService } from '../../framework/service/resource-service.js';
import { EventSources, type SourceResponse, type SourceList } from './event-sources.js';
import { eventSource, eventSourceInput, eventSubscription } from './event-subscription.js';

const createBody = eventSourceInput.safeExtend({ subscription_id: repeatedParameter });
const updateBody = z
  .strictObject({
    filter: eventSourceInput.shape.filter,
    fields: eventSourceInput.shape.fields,
    uri: eventSourceInput.shape.uri,
    type: repeatedParameter,
    subscription_id: repeatedParameter,
  })
  .default({});
const listResponse = z.object({ sources: z.array(eventSource), uri: z.string() });
const TAG = 'event sources';

/** The event types of one subscription. */
@Controller('/event_subscriptions/:subscription_id/sources')
export class EventSourcesController {
  private readonly sources: EventSources;

  constructor(@Inject(serviceToken(eventSubscription)) subscriptions: ResourceService) {
    this.sources = new EventSources(subscriptions);
  }

  @Post()
  @Operation({
    id: 'createEventSource',
    access: 'change',
    summary: 'Add a source to an event subscription',
    description:
      'The response waits for the changes in progress. So a list that is read after the response, together with the delivered events, misses no change.',
    tag: TAG,
    status: 201,
    response: eventSource,
    errors: ['conflict'],
  })
  create(
    @Context() context: RequestContext,
    @Param('subscription_id') id: string,
    @Body({ schema: createBody }) body: z.infer<typeof createBody>,
  ): Promise<SourceResponse> {
    withoutRepeated(body, { subscription_id: id });
    const { type, filter = null, fields = null } = body;
    return this.sources.create(context, id, { type, filter, fields });
  }

  @Get()
  @Operation({
    id: 'listEventSources',
    access: 'read',
    summary: 'List the sources of an event subscription',
    tagDescription: 'Event types that trigger a subscription, as separate resources.',
    tag: TAG,
    response: listResponse,
  })
  list(@Context() context: RequestContext, @Param('subscription_id') id: string): Promise<SourceList> {
    return this.sources.list(context, id);
  }

  @Get(':type')
  @Operation({
    id: 'getEventSource',
    access: 'read',
    summary: 'Get a source of an event subscription',
    tag: TAG,
    response: eventSource,
  })
  get(
    @Context() context: RequestContext,
    @Param('subscription_id') id: string,
    @Param('type') type: string,
  ): Promise<SourceResponse> {
    return this.sources.get(context, id, type);
  }

  @Patch(':type')
  @UseInterceptors(existenceFirst(eventSubscription, 'subscription_id'))
  @Operation({
    id: 'updateEventSource',
    access: 'change',
    summary: 'Update a source of an event subscription',
    description:
      'Changes the filter or the fields. Null removes them; an absent one is kept. Events that were recorded before are sent as they were.',
    tag: TAG,
    response: eventSource,
    optionalBody: true,
  })
  update(
    @Context() context: RequestContext,
    @Param('subscription_id') id: string,
    @Param('type') type: string,
    @Body({ schema: updateBody }) body: z.infer<typeof updateBody>,
  ): Promise<SourceResponse> {
    withoutRepeated(body, { subscription_id: id, type });
    const { filter, fields } = body;
    const change = { ...(filter !== undefined && { filter }), ...(fields !== undefined && { fields }) };
    return this.sources.update(context, id, type, change);
  }

  @Delete(':type')
  @Operation({
    id: 'deleteEventSource',
    access: 'change',
    summary: 'Remove a source from an event subscription',
    tag: TAG,
    status: 204,
  })
  remove(
    @Context() context: RequestContext,
    @Param('subscription_id') id: string,
    @Param('type') type: string,
  ): Promise<void> {
    return this.sources.remove(context, id, type);
  }
}
