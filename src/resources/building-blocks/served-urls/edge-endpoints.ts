import type { RequestContext } from '../../../http/request/request-context.js';
import { withPointers } from '../../../problems/problem.js';
import { urlOfHostport } from '../../families/endpoints/endpoint-url.js';
import { endpoint } from '../../families/endpoints/endpoint.js';
import type { WrittenChange } from '../../framework/definition/behaviour.js';
import type { Attributes } from '../../framework/definition/definition.js';
import { ResourceStore } from '../../framework/store/resource-store.js';
import { ResourceWriter } from '../../framework/writer/resource-writer.js';
import type { WriterServices } from '../../framework/writer/writer-services.js';
import { prepareEndpoint } from './prepare-endpoint.js';

/** What an edge serves. */
export interface ServingEdge {
  readonly scheme: 'https' | 'tcp';
  readonly hostports: readonly string[];
  readonly metadata: unknown;
}

/**
 * Makes the endpoints of an edge those of its hostports, each change with its event. An endpoint has the metadata of
 * its edge.
 * @returns the ids of the destinations that get the events
 * @throws Problem `conflict` when a hostport is already served or its host is reserved by another account
 */
export async function writeEdgeEndpoints(
  { trx, context, row, before }: WrittenChange,
  services: WriterServices,
  { scheme, hostports, metadata }: ServingEdge,
): Promise<readonly string[]> {
  const writer = new ResourceWriter(endpoint, services, { prepare: prepareEndpoint }).withOwner({ parentId: row.id });
  // The version in If-Match is that of the edge.
  const own: RequestContext = { ...context, ifMatch: null };
  const urls = hostports.map((hostport) => urlOfHostport(scheme, hostport));
  const served = new Set<string>();
  const destinationIds: string[] = [];
  const existing = before === null ? [] : await new ResourceStore(trx).children(row.id, endpoint.name);
  for (const { id, attributes } of existing) {
    const url = String(attributes.url);
    if (urls.includes(url)) {
      served.add(url);
      destinationIds.push(...(await writer.update(trx, own, id, () => ({ metadata }))).destinationIds);
    } else {
      destinationIds.push(...(await writer.remove(trx, own, id)));
    }
  }
  const usual = edgeEndpoint(own);
  for (const [index, url] of urls.entries()) {
    if (served.has(url)) continue;
    try {
      destinationIds.push(...(await writer.create(trx, own, { ...usual, url, metadata })).destinationIds);
    } catch (error) {
      // An endpoint has its hostport in its URL.
      throw withPointers(error, () => `/hostports/${index}`);
    }
  }
  return destinationIds;
}

function edgeEndpoint({ principal }: RequestContext): Attributes {
  return {
    type: 'edge',
    principal_id: principal.kind === 'system' ? null : principal.id,
    region: null,
    name: null,
    description: null,
    traffic_policy: null,
    bindings: null,
    pooling_enabled: false,
    upstream_url: null,
    upstream_protocol: null,
  };
}
