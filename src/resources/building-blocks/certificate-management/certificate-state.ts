import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { begun, type ManagedState } from '../../../certificates/provisioning.js';
import type { PendingChange } from '../../framework/behaviour.js';
import type { Attributes, ResourceRow } from '../../framework/definition.js';
import { certificateStatus } from './fields.js';

/** The members of a managed resource that its state is in. */
const storedState = z.object({
  certificate_management_status: certificateStatus.unwrap(),
  provisioning: z.object({ due_at: z.string().nullable(), failures: z.int() }),
});

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
  return storedState.parse(attributes);
}

/** When the resource is to be checked next; null: not before something happens. */
export function dueOf({ attributes }: Pick<ResourceRow, 'attributes'>): Date | null {
  const dueAt = stateOf(attributes)?.provisioning.due_at ?? null;
  return dueAt === null ? null : new Date(dueAt);
}
