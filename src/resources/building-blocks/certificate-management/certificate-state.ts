import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { provisioningStarted, type CertificateState } from '../../../certificates/provisioning.js';
import type { PendingChange } from '../../framework/behaviour.js';
import type { Attributes, ResourceRow } from '../../framework/definition.js';
import { certificateStatus } from './fields.js';

/** The attributes of a managed resource that hold its state. */
const storedState = z.object({
  certificate_management_status: certificateStatus.unwrap(),
  provisioning: z.object({ due_at: z.string().nullable(), failures: z.int() }),
});

/**
 * Adds the certificate state to the attributes of a client's change. Without a policy, the state is null; with a new
 * policy, provisioning starts. Changes by the service keep the state that they contain.
 */
export function withCertificateState({
  context,
  before,
  attributes,
}: Pick<PendingChange, 'context' | 'before' | 'attributes'>): Attributes {
  if (context.principal.kind === 'system') return attributes;
  const policy = attributes.certificate_management_policy ?? null;
  if (policy === null) return { ...attributes, certificate_management_status: null, provisioning: null };
  const current = before?.attributes.certificate_management_policy;
  return isDeepStrictEqual(current, policy) ? attributes : { ...attributes, ...provisioningStarted(new Date()) };
}

/** The certificate state of a resource. Null without a policy. */
export function certificateStateOf(attributes: Attributes): CertificateState | null {
  if (attributes.certificate_management_policy == null) return null;
  return storedState.parse(attributes);
}

/** When the next check of a resource is due. Null when none is scheduled. */
export function nextCheckAt({ attributes }: Pick<ResourceRow, 'attributes'>): Date | null {
  const dueAt = certificateStateOf(attributes)?.provisioning.due_at ?? null;
  return dueAt === null ? null : new Date(dueAt);
}
