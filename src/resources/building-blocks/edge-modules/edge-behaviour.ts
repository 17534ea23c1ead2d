import { z } from 'zod';
import { Problem } from '../../../problems/problem.js';
import type { PendingChange, ResourceBehaviour } from '../../framework/behaviour.js';
import type { Attributes } from '../../framework/definition.js';
import { isReservedByAnother, ReservationStore, type ServedHost } from '../names/reservation-store.js';

const hostportsOf = (attributes: Attributes | undefined): readonly string[] =>
  z.array(z.string()).nullish().parse(attributes?.hostports) ?? [];

/** Refuses new hostports that another account has reserved. Hostports that the edge already has are kept. */
export class EdgeBehaviour implements ResourceBehaviour {
  async prepare({ trx, context, before, attributes }: PendingChange): Promise<Attributes> {
    const kept = new Set(hostportsOf(before?.attributes));
    const added = hostportsOf(attributes).filter((hostport) => !kept.has(hostport));
    if (added.length === 0) return attributes;
    const hosts = added.map(servedHost);
    const reservations = new ReservationStore(trx);
    await reservations.lockHosts(hosts.map(({ host }) => host));
    const found = await reservations.find(hosts);
    const foreign = added.filter((_, index) => {
      const reserved = found[index];
      return reserved !== undefined && isReservedByAnother(reserved, context.accountId);
    });
    if (foreign.length > 0) {
      throw new Problem('conflict', 'conflict', `The host of ${foreign.join(', ')} is reserved by another account.`);
    }
    return attributes;
  }
}

function servedHost(text: string): ServedHost {
  const hostport = text.toLowerCase();
  return { host: hostport.slice(0, hostport.lastIndexOf(':')), hostport };
}
