import type { EventEnvelope } from './event-envelope.js';

/** What the columns of an event say of its change. */
export interface SearchKeys {
  readonly principalId: string;
  /** The API key that made the change, or that published its event; null where the service itself acted. */
  readonly credentialId: string | null;
  readonly operationId: string;
  /** The changed top-level members, in any order; null for an event without `changes`. */
  readonly changedFields: readonly string[] | null;
}

/** Returns the columns of an event that are searched. */
export function searchKeysOf({ principal, request, changes }: EventEnvelope): SearchKeys {
  return {
    principalId: principal.id,
    credentialId: principal.credential?.id ?? principal.via?.id ?? null,
    operationId: request.operation_id,
    changedFields: changes
      ? [...new Set([...Object.keys(changes.before), ...Object.keys(changes.after), ...(changes.omitted ?? [])])]
      : null,
  };
}
