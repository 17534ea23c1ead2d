import { z } from 'zod';
import { boundedString, boundedTime } from '../../bounds/bounded.js';
import { repeatableParameter } from '../../http/input/repeatable-parameter.js';
import { cursor, otherList, pageParametersOf } from '../../http/response/pagination.js';
import { idPattern } from '../../ids/id.js';
import { publishingLimits } from '../publishing/publishing-limits.js';

/** Most event types of one search. */
const MOST_TYPES = 20;

/** Most characters that are searched in payloads: as many as an id may have. */
const LONGEST_TEXT = publishingLimits.longestId;

/**
 * Returns the filters of a search.
 * @param items what is listed, for the descriptions
 * @param wrongType the error of a value that is no text
 */
function filtersWith(items: string, wrongType: string) {
  const id = () => boundedString(publishingLimits.longestId, wrongType).min(1, 'must not be empty').optional();
  return {
    type: repeatableParameter(boundedString(publishingLimits.longestEventType), MOST_TYPES, {
      description: `Returns only ${items} of this type, or of one of these types.`,
      example: ['ip_policy_created.v0'],
    }),
    principal_id: id().meta({
      description: `Returns only ${items} of changes by this user, bot or principal of a publisher.`,
    }),
    credential_id: id().meta({
      description: `Returns only ${items} of changes that were made, or published, with this API key.`,
    }),
    operation_id: id().meta({ description: `Returns only ${items} of this request (\`Operation-Id\`).` }),
    changed: id().meta({ description: `Returns only ${items} of updates that changed this top-level member.` }),
    from: boundedTime.optional().meta({ description: `Returns only ${items} recorded at or after this time.` }),
    to: boundedTime.optional().meta({ description: `Returns only ${items} recorded before this time.` }),
    object_id: id().meta({ description: `Returns only ${items} of this resource, also after its deletion.` }),
  };
}

/**
 * Returns the filters that read the payload of each event.
 * @param wrongType the error of a value that is no text
 */
function payloadFiltersWith(wrongType: string) {
  const text = () => boundedString(LONGEST_TEXT, wrongType).min(1, 'must not be empty').optional();
  return {
    ip: text().meta({
      description:
        'Returns only events of requests from this address: `payload.request.ip` is exactly this text. No index has it: see `text`.',
    }),
    text: text().meta({
      description:
        'Returns only events whose payload has this text: as compact JSON, or within a string. The case of the letters A to Z does not matter. No index has payloads: a page reads those of at most 2,000 events, and the next page continues.',
    }),
  };
}

/** The filters of events as query parameters. */
export const filterParameters = {
  ...filtersWith('events', 'must be given once'),
  ...payloadFiltersWith('must be given once'),
};

/**
 * Returns the query parameters that every search has.
 * @param items what is listed, for the descriptions
 * @param prefix of the ids of the list
 * @param pattern of the ids that a cursor may be; by default those with the prefix
 */
export function searchParametersOf(items: string, prefix: string, pattern = idPattern(prefix)) {
  const { object_id: _, ...filters } = filtersWith(items, 'must be given once');
  return {
    ...pageParametersOf(prefix, pattern),
    after_id: cursor(
      pattern,
      otherList(prefix),
      'Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination.',
    ),
    order: z
      .enum(['newest_first', 'oldest_first'])
      .default('newest_first')
      .meta({ description: 'Order of the items.' }),
    ...filters,
  };
}

/** Returns the parameter that a search of one resource does not have. */
export function objectParameterOf(items: string) {
  return { object_id: filtersWith(items, 'must be given once').object_id };
}

const searchParameters = searchParametersOf('events', 'evt');
const withoutObject = z.strictObject(searchParameters);
/** The query of the history of a resource. */
export type ResourceHistoryQuery = z.infer<typeof withoutObject>;
/** The query of a search, with or without a resource. */
export type SearchParameters = ResourceHistoryQuery & Partial<Pick<EventSearchQuery, 'object_id' | 'ip' | 'text'>>;

/** A range of time in a filter. */
interface TimeRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Refuses a range of time that ends before it begins. */
export function refuseReversed({ from, to }: TimeRange, context: z.core.$RefinementCtx): void {
  if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to)) {
    context.addIssue({ code: 'custom', path: ['to'], message: 'must be later than from' });
  }
}

/** The query of a search of events. */
export const eventSearchQuery = z
  .strictObject({ ...searchParameters, ...objectParameterOf('events'), ...payloadFiltersWith('must be given once') })
  .superRefine(refuseReversed);
/** The query of the counts of a search. */
export const eventCountsQuery = z.strictObject(filterParameters).superRefine(refuseReversed);
/** The query of the history of a resource. */
export const resourceHistoryQuery = withoutObject.superRefine(refuseReversed);

const inBody = { ...filtersWith('events', 'must be text'), ...payloadFiltersWith('must be text') };

/** The filters of a search, as an object of a body. */
export const eventFilter = z
  .strictObject({
    ...inBody,
    type: inBody.type.meta({ description: `Returns only events of these types, 1 to ${MOST_TYPES}.` }),
  })
  .superRefine(refuseReversed)
  .meta({
    id: 'EventFilter',
    description: 'The filters of `GET /events`. They combine; without any, all events pass.',
  });

/** What events must have, as it is given; absent members do not matter. */
export type EventFilter = z.infer<typeof eventFilter>;

export type EventSearchQuery = z.infer<typeof eventSearchQuery>;

/** Where a page begins and ends. */
export type SearchRange = Pick<SearchParameters, 'order' | 'before_id' | 'after_id'>;

/** Returns the event types of a filter, each once; none: all types. */
export function typesIn({ type }: EventFilter): readonly string[] {
  return [...new Set(type)];
}

/** Returns a time of a filter, as it is compared with that of events: in milliseconds. */
export function timeIn(time: string | undefined): Date | undefined {
  return time === undefined ? undefined : new Date(time);
}

/** Returns the parameters that the next page has as well. */
export function repeatedOf(query: SearchParameters) {
  const { limit: _limit, type, order, ...others } = query;
  // A search with more parameters has numbers among them.
  const kept = Object.entries<string | number | undefined>(others)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)] as const);
  return { type, order: order === 'oldest_first' ? order : undefined, ...Object.fromEntries(kept) };
}
