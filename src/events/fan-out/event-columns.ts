import { sql, type RawBuilder } from 'kysely';
import type { NewEvent } from '../envelope/stored-event.js';

/** The columns of an insert of events, in the order of `eventValues`. */
export const eventColumns = sql`id, account_id, type, resource_id, payload, created_at, trace_parent,
  principal_id, credential_id, operation_id, changed_fields`;

/** The values of a new event, or their placeholders. */
export interface EventValues extends Readonly<Record<Exclude<keyof NewEvent, 'search'>, unknown>> {
  readonly search: Readonly<Record<keyof NewEvent['search'], unknown>>;
}

/** Returns the values of a new event. */
export function eventValues(event: EventValues): RawBuilder<unknown> {
  const { id, accountId, type, resourceId, payload, createdAt, traceParent, search } = event;
  return sql`${id}::text, ${accountId}::text, ${type}::text, ${resourceId}::text, ${payload}::text,
    ${createdAt}::timestamptz, ${traceParent}::text, ${search.principalId}::text, ${search.credentialId}::text,
    ${search.operationId}::text, ${search.changedFields}::text[]`;
}
