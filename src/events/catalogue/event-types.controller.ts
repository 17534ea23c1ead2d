import { Controller, Get, Inject, Param } from '@nestjs/common';
import { z } from 'zod';
import { boundedString } from '../../bounds/bounded.js';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { JsonItem, page, pageSchema, type Page } from '../../http/response/pagination.js';
import { invalidInput, notFound } from '../../problems/problem.js';
import { EVENT_TYPE_FORM, LONGEST_EVENT_TYPE, partsOf } from '../resource-types/event-type-name.js';
import { ResourceTypeStore } from '../resource-types/resource-type-store.js';
import { EventCatalogue, type DirectEventType } from './event-catalogue.js';
import { describeRegistered, eventTypeOf, registeredPayloadSchema } from './registered-payload.js';

const eventType = z
  .object({
    type: z.string(),
    uri: z.string(),
    description: z.string(),
    origin: z.enum(['built_in', 'registered']).meta({
      description: '`built_in`: a resource of Waybill. `registered`: a resource type of the account.',
    }),
  })
  .meta({ id: 'EventType' });
const eventTypeWithSchema = eventType
  .extend({
    schema: z.looseObject({}).meta({ description: 'JSON Schema (2020-12) of the delivered payload.' }),
  })
  .meta({ id: 'EventTypeWithSchema' });
const listResponse = pageSchema('event_types', eventType).extend({
  event_types: z.array(eventType).meta({ description: 'The built-in ones first, then the others by name.' }),
});
const listQuery = z.strictObject({
  after_id: boundedString(LONGEST_EVENT_TYPE, 'must be given once').optional().meta({
    description: 'Returns only event types behind this one. `next_page_uri` contains it.',
    pattern: EVENT_TYPE_FORM,
  }),
});
/** Most registered event types that one page reads: about as many as its bytes hold. */
const MOST_REGISTERED = 5_000;
const TAG = 'event types';

function toResponse(
  { type, description }: Pick<DirectEventType, 'type' | 'description'>,
  origin: z.infer<typeof eventType>['origin'],
  baseUrl: string,
): z.infer<typeof eventType> {
  return { type, uri: `${baseUrl}/event_types/${type}`, description, origin };
}

/** Event types. */
@Controller('/event_types')
export class EventTypesController {
  constructor(
    @Inject(EventCatalogue) private readonly catalogue: EventCatalogue,
    @Inject(ResourceTypeStore) private readonly registered: ResourceTypeStore,
  ) {}

  @Get()
  @Operation({
    id: 'listEventTypes',
    access: 'read',
    summary: 'List event types',
    tagDescription:
      'All event types, built-in and of the resource types of the account, with the JSON Schema of their payloads.',
    tag: TAG,
    response: listResponse,
  })
  async list(
    @Context() { accountId, baseUrl }: RequestContext,
    @QueryParameters(listQuery) { after_id: afterId }: z.infer<typeof listQuery>,
  ): Promise<Page> {
    const builtIn = this.catalogue.list();
    const begin = builtIn.findIndex(({ type }) => type === afterId) + 1;
    const isAfterBuiltIn = afterId !== undefined && begin === 0;
    const after = isAfterBuiltIn ? partsOf(afterId) : null;
    if (isAfterBuiltIn && after === null)
      throw invalidInput([{ pointer: '?after_id', detail: 'is not an event type' }]);
    const registered = (await this.registered.list(accountId, after, MOST_REGISTERED)).map((entry) => {
      const description = describeRegistered(entry.resource, entry.action);
      return toResponse({ type: eventTypeOf(entry), description }, 'registered', baseUrl);
    });
    const items = [
      ...(isAfterBuiltIn ? [] : builtIn.slice(begin).map((entry) => toResponse(entry, 'built_in', baseUrl))),
      ...registered,
    ].map((entry) => new JsonItem(entry.type, JSON.stringify(entry)));
    const resumeAt = registered.length < MOST_REGISTERED ? null : items.at(-1)?.id;
    return page({ items, listKey: 'event_types', path: '/event_types', baseUrl, oldestFirst: true, resumeAt });
  }

  @Get(':type')
  @Operation({
    id: 'getEventType',
    access: 'read',
    summary: 'Get an event type with its schema',
    tag: TAG,
    response: eventTypeWithSchema,
  })
  async get(
    @Context() { accountId, baseUrl }: RequestContext,
    @Param('type') type: string,
  ): Promise<z.infer<typeof eventTypeWithSchema>> {
    const entry = this.catalogue.find(type);
    const schema = this.catalogue.schemaOf(type);
    if (entry && schema) return { ...toResponse(entry, 'built_in', baseUrl), schema };
    const found = (await this.registered.byEventType(accountId, [type])).get(type);
    if (!found) throw notFound('event type', type);
    const description = describeRegistered(found.type.name, found.action);
    return {
      ...toResponse({ type, description }, 'registered', baseUrl),
      schema: registeredPayloadSchema(this.catalogue, found),
    };
  }
}
