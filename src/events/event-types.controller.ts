import { Controller, Get, Inject, Param } from '@nestjs/common';
import { z } from 'zod';
import { Operation } from '../http/openapi/operation.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { notFound } from '../problems/problem.js';
import { EventCatalogue, type DirectEventType } from './event-catalogue.js';
import { describeRegistered, eventTypeOf, registeredPayloadSchema } from './registered-types/registered-payload.js';
import { RegisteredTypeStore } from './registered-types/registered-type-store.js';

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
const listResponse = z.object({ event_types: z.array(eventType), uri: z.string() });
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
    @Inject(RegisteredTypeStore) private readonly registered: RegisteredTypeStore,
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
  async list(@Context() { accountId, baseUrl }: RequestContext): Promise<z.infer<typeof listResponse>> {
    const builtIn = this.catalogue.list().map((entry) => toResponse(entry, 'built_in', baseUrl));
    const registered = (await this.registered.list(accountId)).map((entry) => {
      const description = describeRegistered(entry.resource, entry.action);
      return toResponse({ type: eventTypeOf(entry), description }, 'registered', baseUrl);
    });
    return { event_types: [...builtIn, ...registered], uri: `${baseUrl}/event_types` };
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
