import { Controller, Get, Inject, Param } from '@nestjs/common';
import { z } from 'zod';
import { Operation } from '../http/openapi/operation.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { notFound } from '../problems/problem.js';
import { EventCatalogue, type DirectEventType } from './event-catalogue.js';

const eventType = z.object({ type: z.string(), uri: z.string(), description: z.string() }).meta({ id: 'EventType' });
const eventTypeWithSchema = eventType
  .extend({
    schema: z.looseObject({}).meta({ description: 'JSON Schema (2020-12) of the delivered payload.' }),
  })
  .meta({ id: 'EventTypeWithSchema' });
const listResponse = z.object({ event_types: z.array(eventType), uri: z.string() });
const TAG = 'event types';

function toResponse(
  { type, description }: Pick<DirectEventType, 'type' | 'description'>,
  baseUrl: string,
): z.infer<typeof eventType> {
  return { type, uri: `${baseUrl}/event_types/${type}`, description };
}

/** Event types. */
@Controller('/event_types')
export class EventTypesController {
  constructor(@Inject(EventCatalogue) private readonly catalogue: EventCatalogue) {}

  @Get()
  @Operation({
    id: 'listEventTypes',
    summary: 'List event types',
    tagDescription: 'All event types, with the JSON Schema of their payloads.',
    tag: TAG,
    response: listResponse,
  })
  list(@Context() { baseUrl }: RequestContext): z.infer<typeof listResponse> {
    return {
      event_types: this.catalogue.list().map((entry) => toResponse(entry, baseUrl)),
      uri: `${baseUrl}/event_types`,
    };
  }

  @Get(':type')
  @Operation({
    id: 'getEventType',
    summary: 'Get an event type with its schema',
    tag: TAG,
    response: eventTypeWithSchema,
  })
  get(@Context() { baseUrl }: RequestContext, @Param('type') type: string): z.infer<typeof eventTypeWithSchema> {
    const entry = this.catalogue.find(type);
    const schema = this.catalogue.schemaOf(type);
    if (!entry || !schema) throw notFound('event type', type);
    return { ...toResponse(entry, baseUrl), schema };
  }
}
