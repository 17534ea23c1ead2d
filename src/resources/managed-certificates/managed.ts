import { isDeepStrictEqual } from 'node:util';
import { begun, type ManagedState, type Provisioning } from '../../certificates/provisioning.js';
import type { PendingChange } from '../framework/behaviour.js';
import type { Attributes, ResourceRow } from '../framework/definition.js';

/**
 * The attributes with the state that goes with their policy: none without one, and a new one where the policy is new. What the
 * service itself changes stays as it says.
 */
export function withCertificateStatus({
  context,
  before,
  attributes,
}: Pick<PendingChange, 'context' | 'before' | 'attributes'>): Attributes {
  if (context.principal.kind === 'system') return attributes;
  const policy = attributes.certificate_management_policy ?? null;
  if (policy === null) return { ...attributes, certificate_management_status: null, provisioning: null };
  const current = before?.attributes.certificate_management_policy;
  return isDeepStrictEqual(current, policy) ? attributes : { ...attributes, ...begun(new Date()) };
}

/** The state of a managed certificate; null where none is managed. */
export function stateOf(attributes: Attributes): ManagedState | null {
  if (attributes.certificate_management_policy == null) return null;
  // Written by the functions of provisioning.ts and by nothing else.
  return attributes as unknown as ManagedState;
}

/** When the resource is to be checked next; null: not before something happens. */
export function dueOf({ attributes }: Pick<ResourceRow, 'attributes'>): Date | null {
  const provisioning = attributes.provisioning as Provisioning | null | undefined;
  return provisioning?.due_at == null ? null : new Date(provisioning.due_at);
}
