import { isDeepStrictEqual } from 'node:util';
import { echoed } from '../../../bounds/storable.js';
import type { Transaction } from '../../../database/database.js';
import { invalidInput, Problem } from '../../../problems/problem.js';
import { storedUrl, type EndpointUrl, type Protocol } from '../../families/endpoints/endpoint-url.js';
import { bindings } from '../../families/endpoints/endpoint.js';
import type { PendingChange } from '../../framework/definition/behaviour.js';
import type { Attributes } from '../../framework/definition/definition.js';
import { ResourceStore } from '../../framework/store/resource-store.js';
import { isReservedByAnother, ReservationStore, type Reservation } from '../names/reservation-store.js';
import type { Traffic } from '../traffic-policy/policy-document.js';
import { policyErrorDetails } from '../traffic-policy/traffic-policy.js';
import { ServedUrlStore, type Candidate } from './served-url-store.js';

/**
 * Completes an endpoint before it is written: sets defaults and the reservations of its host, and locks its
 * hostport until the transaction ends. An endpoint whose URL does not change keeps its reservations.
 * @throws Problem `invalid_input` for a policy that does not fit the protocol of the URL; `conflict`, with
 * the pointer `/url`, when the hostport is already served or its host is reserved by another account
 */
export async function prepareEndpoint({ trx, context, id, before, attributes }: PendingChange): Promise<Attributes> {
  const { accountId } = context;
  const current = before?.attributes;
  const url = storedUrl(attributes.url);
  assertPolicy(attributes.traffic_policy, url);
  const endpointBindings = bindings.nullable().parse(attributes.bindings ?? null);
  const pooled = attributes.pooling_enabled === true;
  const prepared = { ...attributes, url: url.url, bindings: endpointBindings, pooling_enabled: pooled };
  const urlChanged = prepared.url !== current?.url;
  if (!urlChanged && isDeepStrictEqual(endpointBindings, current.bindings) && pooled === current.pooling_enabled)
    return prepared;
  const { hostport } = url;
  const isPublic = endpointBindings?.includes('public') ?? true;
  const candidate = { id, accountId, url: url.url, hostport, pooled, public: isPublic };
  await new ServedUrlStore(trx).lockHostports([hostport]);
  await assertFree(trx, candidate);
  const reservations = new ReservationStore(trx);
  await reservations.lockHosts([url.host]);
  const [reserved = { domain: undefined, address: undefined }] = await reservations.find([
    { host: url.host, hostport },
  ]);
  if (isPublic && isReservedByAnother(reserved, accountId)) {
    throw conflictAt(`The host of ${echoed(hostport)} is reserved by another account.`, 'has a reserved host');
  }
  if (!urlChanged) return prepared;
  const address = url.scheme === 'tcp' ? reserved.address : undefined;
  const ids = [reserved.domain, address].flatMap((found) => found?.id ?? []);
  // Waits for a deletion in progress: a reservation that it has deleted is none.
  const existing = await new ResourceStore(trx).kindsOf(accountId, ids);
  const own = (found: Reservation | undefined) => (found && existing.has(found.id) ? found.id : null);
  return { ...prepared, domain_id: own(reserved.domain), tcp_addr_id: own(address) };
}

const trafficOf = { http: 'HTTP', https: 'HTTP', tcp: 'TCP', tls: 'TLS' } as const satisfies Record<Protocol, Traffic>;

function assertPolicy(policy: unknown, { scheme }: EndpointUrl): void {
  if (typeof policy !== 'string') return;
  const errors = policyErrorDetails(policy, trafficOf[scheme]).map((detail) => ({
    pointer: '/traffic_policy',
    detail,
  }));
  if (errors.length > 0) throw invalidInput(errors);
}

async function assertFree(trx: Transaction, candidate: Candidate): Promise<void> {
  const { accountId, hostport } = candidate;
  const conflicts = await new ServedUrlStore(trx).findConflicting(candidate);
  if (conflicts.length === 0) return;
  const own = [...new Set(conflicts.filter((found) => found.accountId === accountId).map(({ id }) => id))];
  // Details of resources of another account must not be disclosed.
  if (own.length === 0) throw conflictAt(`${echoed(hostport)} is served by another account.`, 'is already served');
  const detail = `${echoed(hostport)} is already served by ${own.join(', ')}. A hostport belongs to one edge or endpoint. Endpoints can share a URL only if all of them have pooling_enabled.`;
  throw conflictAt(detail, `is already served by ${own.join(', ')}`, own);
}

function conflictAt(detail: string, reason: string, conflicts?: readonly string[]): Problem {
  const errors = [{ pointer: '/url', detail: reason }];
  return new Problem('conflict', detail, { errors, ...(conflicts && { conflicts }) });
}
