import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import type { EventFields } from '../../../database/tables.js';
import { EVENT_TYPE_FORM, LONGEST_EVENT_TYPE } from '../../../events/resource-types/event-type-name.js';
import type { SourceRule } from '../../../events/rules/event-rule.js';
import { eventFields, sourceFilter } from '../../../events/rules/rule-schemas.js';
import { describableInCharacters, describableInputInCharacters } from '../../../http/input/text.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource, type ResourceRow } from '../../framework/definition/definition.js';
import { createdAt, idList, identity, ref } from '../../framework/definition/fields.js';
import { uriOf } from '../../framework/definition/links.js';

/** Most sources of one subscription. */
export const MAX_SOURCES = 200;
/** Most destinations of one subscription: keeps its event below the size limit. */
const MAX_DESTINATIONS = 100;

const eventType = boundedString(LONGEST_EVENT_TYPE).meta({
  description:
    'An event type, built-in or registered: `<resource>_<action>.v<version>`. `<resource>_snapshot.v0` of a built-in resource asks for the present state: one event for each existing resource, before its first change.',
  pattern: EVENT_TYPE_FORM,
  example: 'ip_policy_created.v0',
});

/** A source in a request. */
export const eventSourceInput = z.strictObject({
  type: eventType,
  filter: sourceFilter.nullish(),
  fields: eventFields.nullish(),
  uri: boundedString(2_048).optional().meta({ description: 'Accepted as in responses, and ignored.' }),
});

/** A source in a response. */
export const eventSource = z
  .object({
    type: eventType,
    filter: sourceFilter.optional(),
    fields: eventFields.optional(),
    uri: z.string().meta({ description: 'Address of this source.' }),
  })
  .meta({ id: 'EventSource', description: 'An event type that triggers a subscription.' });

const sources = z
  .array(eventSourceInput)
  .max(MAX_SOURCES)
  .refine((list) => new Set(list.map(({ type }) => type)).size === list.length, {
    error: 'must not name the same type twice',
  })
  .meta({ description: 'Event types that trigger the subscription, each once.', uniqueItems: true });
const destinationIds = idList(MAX_DESTINATIONS, 'Ids of the destinations that receive the events.');

/** A source of a subscription. */
export interface Source extends SourceRule {
  readonly type: string;
}

/** Converts a source to a response. */
export function toSourceResponse(
  subscriptionId: string,
  { type, filter, fields }: Source,
  baseUrl: string,
): z.infer<typeof eventSource> {
  return {
    type,
    ...(filter !== null && { filter }),
    ...(fields !== null && { fields: copyOf(fields) }),
    uri: `${uriOf(eventSubscription, subscriptionId, baseUrl)}/sources/${type}`,
  };
}

function copyOf(fields: EventFields): z.infer<typeof eventFields> {
  return Object.fromEntries(Object.entries(fields).map(([list, pointers]) => [list, [...pointers]]));
}

/** The sources of a request, in order. */
export function givenSources(attributes: ResourceRow['attributes']): readonly Source[] {
  return sources
    .parse(attributes.sources)
    .map(({ type, filter, fields }) => ({ type, filter: filter ?? null, fields: fields ?? null }));
}

const storedRules = z.array(eventSourceInput).default([]);

/** The sources of a stored subscription, in order. */
export function sourcesOf(attributes: ResourceRow['attributes']): readonly Source[] {
  const rules = new Map(storedRules.parse(attributes.source_rules).map((rule) => [rule.type, rule]));
  return sources.parse(attributes.sources).map(({ type }) => {
    const { filter = null, fields = null } = rules.get(type) ?? {};
    return { type, filter, fields };
  });
}

/** The attributes that store sources. Rules are apart: a release without them reads the types. */
export function storedSources(list: readonly Source[]): ResourceRow['attributes'] {
  const rules = list.filter(({ filter, fields }) => filter !== null || fields !== null);
  return { sources: list.map(({ type }) => ({ type })), source_rules: rules };
}

/** The event types that trigger a stored subscription, in order. */
export function sourceTypes(attributes: ResourceRow['attributes']): readonly string[] {
  return sources.parse(attributes.sources).map(({ type }) => type);
}

/** The ids of the destinations of a stored subscription. */
export function destinationIdsOf(attributes: ResourceRow['attributes']): readonly string[] {
  return destinationIds.parse(attributes.destination_ids);
}

/** Which event types go to which destinations. */
export const eventSubscription = defineResource({
  ...kinds.eventSubscription,
  title: { one: 'event subscription', many: 'event subscriptions' },
  summary:
    'Links event types to the destinations that receive them. The response to a create or update waits for the changes in progress. So a list that is read after the response, together with the delivered events, misses no change.',
  create: z.strictObject({
    ...describableInputInCharacters,
    sources: sources.default([]),
    destination_ids: destinationIds.default([]),
  }),
  update: z.strictObject({
    ...describableInputInCharacters,
    sources: sources.optional(),
    destination_ids: destinationIds.optional(),
  }),
  read: z.object({
    ...identity,
    created_at: createdAt,
    ...describableInCharacters,
    sources: z.array(eventSource),
    destinations: z.array(ref),
  }),
  links: [
    { field: 'destination_ids', as: 'destinations', to: [kinds.eventDestination] },
    // Stored, not shown: a resource type cannot be deleted while a source is one of its event types.
    { field: 'resource_type_ids', to: [kinds.resourceType] },
  ],
  derive: (row, baseUrl) => ({
    sources: sourcesOf(row.attributes).map((source) => toSourceResponse(row.id, source, baseUrl)),
  }),
});
