import type { RequestContext } from '../../http/request/request-context.js';
import { newId } from '../../ids/id.js';
import { envelopeOf, payloadText, type ReportedState } from './event-envelope.js';
import { saltedCommitmentOf } from './salted-commitment.js';
import { searchKeysOf } from './search-keys.js';
import type { NewEvent } from './stored-event.js';
import { systemContext } from './system-context.js';

/** A new event before its span. */
export type UntracedEvent = Omit<NewEvent, 'traceParent'>;

/** Returns a new event of a state; null when it is too large for an event. */
export function newEventOf(context: RequestContext, state: ReportedState): UntracedEvent | null {
  const id = newId('evt');
  const createdAt = new Date();
  const whole = envelopeOf(id, createdAt, context, state);
  const payload = payloadText(whole);
  if (payload === null) return null;
  return {
    id,
    accountId: context.accountId,
    type: state.type,
    resourceId: state.resourceId,
    payload,
    saltedCommitment: saltedCommitmentOf(payload),
    createdAt,
    search: searchKeysOf(whole),
  };
}

/**
 * Returns a new event of the service itself, about no state of a resource and without the URI of one.
 * @param component the part of the service, as of `systemContext`
 * @throws Error when it is too large for an event
 */
export function systemEventOf(
  accountId: string,
  component: string,
  { type, resourceId, object }: Pick<ReportedState, 'type' | 'resourceId' | 'object'>,
): NewEvent {
  const context = systemContext(accountId, component, '');
  const event = newEventOf(context, { type, resourceId, version: 0, object, changes: null });
  if (event === null) throw new Error(`The event ${type} is too large.`);
  return { ...event, traceParent: null };
}
