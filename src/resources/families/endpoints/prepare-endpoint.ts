import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../../database/database.js';
import { invalidInput, Problem } from '../../../problems/problem.js';
import {
  isReservedByAnother,
  ReservationStore,
  type Reservation,
} from '../../building-blocks/names/reservation-store.js';
import { httpPhases, tcpPhases } from '../../building-blocks/traffic-policy/policy-document.js';
import { policyErrorDetails } from '../../building-blocks/traffic-policy/traffic-policy.js';
import type { Attributes } from '../../framework/definition.js';
import { EndpointStore, type Candidate } from './endpoint-store.js';
import { storedUrl, type EndpointUrl } from './endpoint-url.js';
import { bindings } from './endpoint.js';

/**
 * Completes an endpoint before it is written: sets defaults and the reservations of its host, and locks its URL until
 * the transaction ends. An endpoint whose URL does not change keeps its reservations.
 * @param before the current attributes; null for a new endpoint
 * @throws Problem `invalid_input` for a policy that does not fit the protocol of the URL; `conflict` when the URL is
 * already served or its host is reserved by another account
 */
export async function prepareEndpoint(
  trx: Transaction,
  owner: { readonly id: string; readonly accountId: string },
  attributes: Attributes,
  before: Attributes | null,
): Promise<Attributes> {
  const url = storedUrl(attributes.url);
  assertPolicy(attributes.traffic_policy, url);
  const endpointBindings = bindings.parse(attributes.bindings ?? ['public']);
  const pooled = attributes.pooling_enabled === true;
  const prepared = { ...attributes, url: url.url, bindings: endpointBindings, pooling_enabled: pooled };
  const urlChanged = prepared.url !== before?.url;
  if (!urlChanged && isDeepStrictEqual(endpointBindings, before.bindings) && pooled === before.pooling_enabled)
    return prepared;
  const candidate = { ...owner, url: url.url, pooled, public: endpointBindings.includes('public') };
  await new EndpointStore(trx).lockUrl(url.url);
  await assertFree(trx, candidate);
  const reservations = new ReservationStore(trx);
  await reservations.lockHosts([url.host]);
  const served = { host: url.host, hostport: url.scheme === 'tcp' ? url.hostport : null };
  const [reserved = { domain: undefined, address: undefined }] = await reservations.find([served]);
  if (candidate.public && isReservedByAnother(reserved, owner.accountId)) {
    throw new Problem('conflict', 'conflict', `The host of ${url.url} is reserved by another account.`);
  }
  const own = (found: Reservation | undefined) => (found?.accountId === owner.accountId ? found.id : null);
  return urlChanged ? { ...prepared, domain_id: own(reserved.domain), tcp_addr_id: own(reserved.address) } : prepared;
}

function assertPolicy(policy: unknown, { scheme }: EndpointUrl): void {
  if (typeof policy !== 'string') return;
  const phases = scheme === 'http' || scheme === 'https' ? httpPhases : tcpPhases;
  const errors = policyErrorDetails(policy, phases).map((detail) => ({ pointer: '/traffic_policy', detail }));
  if (errors.length > 0) throw invalidInput(errors);
}

async function assertFree(trx: Transaction, candidate: Candidate): Promise<void> {
  const conflicts = await new EndpointStore(trx).findConflicting(candidate);
  if (conflicts.length === 0) return;
  const own = conflicts.filter(({ accountId }) => accountId === candidate.accountId).map(({ id }) => id);
  // Details of endpoints of another account must not be disclosed.
  if (own.length === 0) {
    throw new Problem('conflict', 'conflict', `The URL ${candidate.url} is served by an endpoint of another account.`);
  }
  const detail = `The URL ${candidate.url} is already served by ${own.join(', ')}. Endpoints can share a URL only if all of them have pooling_enabled.`;
  throw new Problem('conflict', 'conflict', detail, { conflicts: own });
}
