import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { storedUrl, urlOfHostport } from '../../families/endpoints/endpoint-url.js';
import type { PendingChange, ResourceBehaviour, WrittenChange } from '../../framework/definition/behaviour.js';
import type { Attributes } from '../../framework/definition/definition.js';
import type { WriterServices } from '../../framework/writer/writer-services.js';
import { ReservationStore } from '../names/reservation-store.js';
import { writeEdgeEndpoints } from '../served-urls/edge-endpoints.js';
import { ServedUrlStore } from '../served-urls/served-url-store.js';

const hostportsOf = (attributes: Attributes | undefined): readonly string[] =>
  z.array(z.string()).nullish().parse(attributes?.hostports) ?? [];

/** Gives an edge one endpoint for each hostport. Hostports that the edge already has are not checked again. */
export class EdgeBehaviour implements ResourceBehaviour {
  /** @param scheme scheme of the endpoints */
  constructor(private readonly scheme: 'https' | 'tcp') {}

  /** Locks every new hostport before any endpoint is written: a common order prevents deadlocks between edges. */
  async prepare({ trx, before, attributes }: PendingChange): Promise<Attributes> {
    const kept = new Set(hostportsOf(before?.attributes));
    const added = hostportsOf(attributes).filter((hostport) => !kept.has(hostport));
    if (added.length === 0) return attributes;
    const urls = added.map((hostport) => storedUrl(urlOfHostport(this.scheme, hostport)));
    await new ServedUrlStore(trx).lockHostports(urls.map(({ hostport }) => hostport));
    await new ReservationStore(trx).lockHosts(urls.map(({ host }) => host));
    return attributes;
  }

  async writeDependents(change: WrittenChange, services: WriterServices): Promise<readonly string[]> {
    const { row, before } = change;
    const { hostports, metadata } = row.attributes;
    const changed =
      !isDeepStrictEqual(hostports, before?.attributes.hostports) || metadata !== before?.attributes.metadata;
    if (!changed) return [];
    return writeEdgeEndpoints(change, services, {
      scheme: this.scheme,
      hostports: hostportsOf(row.attributes),
      metadata: metadata ?? null,
    });
  }
}
