import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { provisioningStarted, provisioningWaits, type CertificateState } from '../../../certificates/provisioning.js';
import type { PendingChange } from '../../framework/definition/behaviour.js';
import type { Attributes } from '../../framework/definition/definition.js';
import { certificateStatus, completePolicy, type CertificatePolicy } from './fields.js';

/** The attributes of a managed resource that hold its state. */
const storedState = z.object({
  certificate_management_status: certificateStatus.unwrap(),
  provisioning: z.object({
    due_at: z.string().nullable(),
    awaits: z.enum(provisioningWaits).default('check'),
    failures: z.int(),
  }),
});

/**
 * Completes the policy in a client's change, and adds the certificate state. Without a policy, the state is null; with
 * a new policy, provisioning starts. Changes by the service keep the state that they contain.
 * @param usual the policy whose members a new policy has where the client omits them
 */
export function withCertificateState(
  { context, before, attributes }: Pick<PendingChange, 'context' | 'before' | 'attributes'>,
  usual: CertificatePolicy,
): Attributes {
  if (context.principal.kind === 'system') return attributes;
  const current = before?.attributes.certificate_management_policy ?? null;
  const policy = completePolicy(attributes.certificate_management_policy ?? null, current, usual);
  if (policy === null) return { ...attributes, certificate_management_status: null, provisioning: null };
  const completed = { ...attributes, certificate_management_policy: policy };
  return isDeepStrictEqual(current, policy) ? completed : { ...completed, ...provisioningStarted(new Date()) };
}

/** The certificate state of a resource. Null without a policy. */
export function certificateStateOf(attributes: Attributes): CertificateState | null {
  if (attributes.certificate_management_policy == null) return null;
  return storedState.parse(attributes);
}
