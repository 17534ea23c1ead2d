import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../../database/database.js';
import { invalidInput, Problem } from '../../../problems/problem.js';
import type { Attributes } from '../../framework/definition.js';
import {
  isForeign,
  ReservationStore,
  type Reservation,
} from '../../building-blocks/names/reservation-store.js';
import { httpPhases, tcpPhases } from '../../building-blocks/traffic-policy/policy-document.js';
import { policyComplaints } from '../../building-blocks/traffic-policy/traffic-policy.js';
import { bindings } from './endpoint.js';
import { EndpointStore, type Candidate } from './endpoint-store.js';
import { storedUrl, type EndpointUrl } from './endpoint-url.js';

/**
 * Completes an endpoint that is about to be written: its defaults, and what its host or hostport is reserved as. From here to
 * the end of the transaction nobody else can be served at its url. An endpoint that stays where it is keeps what it has, whatever
 * was reserved since.
 * @param before its attributes until now; null where it is new
 * @throws Problem `invalid_input` for a policy that is not one for the url's protocol; `conflict` when the url is taken
 */
export async function placeEndpoint(
  trx: Transaction,
  place: { readonly id: string; readonly accountId: string },
  attributes: Attributes,
  before: Attributes | null,
): Promise<Attributes> {
  const url = storedUrl(attributes.url);
  assertPolicy(attributes.traffic_policy, url);
  const reach = bindings.parse(attributes.bindings ?? ['public']);
  const pooled = attributes.pooling_enabled === true;
  const placed = { ...attributes, url: url.url, bindings: reach, pooling_enabled: pooled };
  const moved = placed.url !== before?.url;
  if (!moved && isDeepStrictEqual(reach, before.bindings) && pooled === before.pooling_enabled) return placed;
  const candidate = { ...place, url: url.url, pooled, public: reach.includes('public') };
  await new EndpointStore(trx).lockUrl(url.url);
  await assertFree(trx, candidate);
  const reservations = new ReservationStore(trx);
  await reservations.holdHosts([url.host]);
  const wanted = { host: url.host, hostport: url.scheme === 'tcp' ? url.hostport : null };
  const [reserved = { domain: undefined, address: undefined }] = await reservations.of([wanted]);
  if (candidate.public && isForeign(reserved, place.accountId)) {
    throw new Problem('conflict', 'conflict', `The host of ${url.url} is reserved by another account.`);
  }
  const own = (found: Reservation | undefined) => (found?.accountId === place.accountId ? found.id : null);
  return moved ? { ...placed, domain_id: own(reserved.domain), tcp_addr_id: own(reserved.address) } : placed;
}

function assertPolicy(policy: unknown, { scheme }: EndpointUrl): void {
  if (typeof policy !== 'string') return;
  const phases = scheme === 'http' || scheme === 'https' ? httpPhases : tcpPhases;
  const errors = policyComplaints(policy, phases).map((detail) => ({ pointer: '/traffic_policy', detail }));
  if (errors.length > 0) throw invalidInput(errors);
}

async function assertFree(trx: Transaction, candidate: Candidate): Promise<void> {
  const obstacles = await new EndpointStore(trx).obstacles(candidate);
  if (obstacles.length === 0) return;
  const own = obstacles.filter(({ accountId }) => accountId === candidate.accountId).map(({ id }) => id);
  // Of another account's endpoints nothing is said but that there are some.
  if (own.length === 0) {
    throw new Problem(
      'conflict',
      'conflict',
      `The URL ${candidate.url} is served by an endpoint of another account.`,
    );
  }
  const detail = `The URL ${candidate.url} is already served by ${own.join(', ')}. Endpoints can share a URL only if all of them have pooling_enabled.`;
  throw new Problem('conflict', 'conflict', detail, { conflicts: own });
}
