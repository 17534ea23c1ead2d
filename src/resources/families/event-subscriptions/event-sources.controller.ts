import { Body, Controller, Delete, Get, Inject, Param, Patch, Post, UseInterceptors } from '@nestjs/common';
import { z } from 'zod';
import { Operation } from '../../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../../http/request/request-context.js';
import { notFound, Problem, relativeTo } from '../../../problems/problem.js';
import { uriOf } from '../../framework/definition/links.js';
import { existenceFirst } from '../../framework/routes/existence-first.js';
import { repeatedParameter, withoutRepeated } from '../../framework/routes/path-parameters.js';
import { serviceToken, type ResourceService } from '../../framework/service/resource-service.js';
import {
  eventSource,
  eventSourceInput,
  eventSubscription,
  MAX_SOURCES,
  sourcesOf,
  toSourceResponse,
  type Source,
} from './event-subscription.js';

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

type SourceResponse = ReturnType<typeof toSourceResponse>;

/** All sources of a subscription, on one page. */
interface SourceList {
  readonly sources: readonly SourceResponse[];
  readonly uri: string;
}

/**
 * The sources of one subscription: the event types that trigger it. A change of a source is an update of the
 * subscription, with the event `event_subscription_updated.v0`.
 */
@Controller('/event_subscriptions/:subscription_id/sources')
export class EventSourcesController {
  constructor(
    @Inject(serviceToken(eventSubscription))
    private readonly subscriptions: Pick<ResourceService, 'update' | 'attributes'>,
  ) {}

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
  async create(
    @Context() context: RequestContext,
    @Param('subscription_id') id: string,
    @Body({ schema: createBody }) body: z.infer<typeof createBody>,
  ): Promise<SourceResponse> {
    withoutRepeated(body, { subscription_id: id });
    const { type, filter = null, fields = null } = body;
    const source = { type, filter, fields };
    try {
      await this.subscriptions.update(context, id, (current) => {
        const sources = sourcesOf(current);
        if (sources.some((other) => other.type === type)) {
          throw new Problem('conflict', `The event subscription ${id} already has the source ${type}.`);
        }
        if (sources.length >= MAX_SOURCES) {
          throw new Problem(
            'conflict',
            `The event subscription ${id} has ${MAX_SOURCES} sources, and none may have more: delete one, or create another subscription.`,
          );
        }
        return asSources([source, ...sources]);
      });
    } catch (error) {
      // The new source is the first of the subscription.
      throw relativeTo(error, '/sources/0');
    }
    return toSourceResponse(id, source, context.baseUrl);
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
  async list(@Context() context: RequestContext, @Param('subscription_id') id: string): Promise<SourceList> {
    const sources = sourcesOf(await this.subscriptions.attributes(context, id));
    return {
      sources: sources.map((source) => toSourceResponse(id, source, context.baseUrl)),
      uri: `${uriOf(eventSubscription, id, context.baseUrl)}/sources`,
    };
  }

  @Get(':type')
  @Operation({
    id: 'getEventSource',
    access: 'read',
    summary: 'Get a source of an event subscription',
    tag: TAG,
    response: eventSource,
  })
  async get(
    @Context() context: RequestContext,
    @Param('subscription_id') id: string,
    @Param('type') type: string,
  ): Promise<SourceResponse> {
    const sources = sourcesOf(await this.subscriptions.attributes(context, id));
    const found = sources.find((source) => source.type === type);
    if (!found) throw notFound('event source', type);
    return toSourceResponse(id, found, context.baseUrl);
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
  async update(
    @Context() context: RequestContext,
    @Param('subscription_id') id: string,
    @Param('type') type: string,
    @Body({ schema: updateBody }) body: z.infer<typeof updateBody>,
  ): Promise<SourceResponse> {
    withoutRepeated(body, { subscription_id: id, type });
    const { filter, fields } = body;
    const change = { ...(filter !== undefined && { filter }), ...(fields !== undefined && { fields }) };
    let sources: readonly Source[] = [];
    let index = -1;
    try {
      await this.subscriptions.update(context, id, (current) => {
        sources = sourcesOf(current).map((source) => (source.type === type ? { ...source, ...change } : source));
        index = sources.findIndex((source) => source.type === type);
        if (index === -1) throw notFound('event source', type);
        return asSources(sources);
      });
    } catch (error) {
      throw relativeTo(error, `/sources/${index}`);
    }
    // Not read again: another request may have changed or removed the source since.
    const changed = sources[index];
    if (!changed) throw notFound('event source', type);
    return toSourceResponse(id, changed, context.baseUrl);
  }

  @Delete(':type')
  @Operation({
    id: 'deleteEventSource',
    access: 'change',
    summary: 'Remove a source from an event subscription',
    tag: TAG,
    status: 204,
  })
  async remove(
    @Context() context: RequestContext,
    @Param('subscription_id') id: string,
    @Param('type') type: string,
  ): Promise<void> {
    await this.subscriptions.update(context, id, (current) => {
      const sources = sourcesOf(current);
      if (!sources.some((source) => source.type === type)) throw notFound('event source', type);
      return asSources(sources.filter((source) => source.type !== type));
    });
  }
}

function asSources(sources: readonly Source[]) {
  return { sources: [...sources] };
}
