import type { EventPrincipal, EventRequest, OutboxEvent } from './event.js';
import { InvalidEventError } from './invalid-event-error.js';
import { UnfitValueError, jsonValue } from './json-value.js';

/**
 * Returns events as the JSON that the SQL function `waybill_record` takes.
 * @throws InvalidEventError for a value that JSON does not carry unchanged, such as NaN or a Map
 */
export function eventsAsJson(events: OutboxEvent | readonly OutboxEvent[]): string {
  return JSON.stringify(listOf(events).map(eventBody));
}

/** Returns one event or several as a list. */
export function listOf(events: OutboxEvent | readonly OutboxEvent[]): readonly OutboxEvent[] {
  return isList(events) ? events : [events];
}

function isList(events: OutboxEvent | readonly OutboxEvent[]): events is readonly OutboxEvent[] {
  return Array.isArray(events);
}

/** Returns the settings of a transaction; an empty one is none. */
export function contextAsJson(context: {
  readonly principal?: EventPrincipal | undefined;
  readonly request?: EventRequest | undefined;
}): { principal: string; request: string } {
  const body = { principal: principalBody(context.principal), request: requestBody(context.request) };
  const { principal, request } = members(body, 0);
  return { principal: settingText(principal), request: settingText(request) };
}

function settingText(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}

function eventBody(event: OutboxEvent, index: number): unknown {
  const { type, resourceId, object, changes, principal, request, occurredAt } = event;
  const body = {
    type,
    resource_id: resourceId,
    object,
    changes,
    principal: principalBody(principal),
    request: requestBody(request),
    occurred_at: occurredAt,
  };
  return members(body, index);
}

/** Ids of rows may be numbers; any other value is left to the check of the event. */
function principalBody(principal: EventPrincipal | undefined): unknown {
  const isNumber = typeof principal?.id === 'number' || typeof principal?.id === 'bigint';
  return isNumber ? { ...principal, id: String(principal.id) } : principal;
}

function requestBody(request: EventRequest | undefined): unknown {
  return request && { id: request.id, ip: request.ip, user_agent: request.userAgent };
}

function members(body: Readonly<Record<string, unknown>>, index: number): Record<string, unknown> {
  try {
    // Each member by itself: the limit of nesting is that of an object.
    return Object.fromEntries(
      Object.entries(body).map(([name, member]) => [name, jsonValue(member, `/${name}`, name === 'changes' ? 0 : 1)]),
    );
  } catch (error) {
    if (error instanceof UnfitValueError) throw new InvalidEventError(index, error.pointer, error.detail);
    throw error;
  }
}
