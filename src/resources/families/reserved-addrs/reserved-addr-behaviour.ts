import { randomInt } from 'node:crypto';
import { Problem } from '../../../problems/problem.js';
import { region } from '../../building-blocks/names/region.js';
import type { ServiceNames } from '../../building-blocks/names/service-names.js';
import { ServedUrlStore } from '../../building-blocks/served-urls/served-url-store.js';
import type { PendingChange, ResourceBehaviour } from '../../framework/definition/behaviour.js';
import type { Attributes } from '../../framework/definition/definition.js';
import { assignAddress } from './address-store.js';

/**
 * Two million addresses in each region. The ports are below the ephemeral ports of operating systems (RFC 6056).
 */
const HOSTS = 100;
const PORTS = { first: 10_000, end: 30_000 };

/** Most random addresses that are tried: with half of a region assigned, all fail once in a billion times. */
const TRIES = 30;

/** Assigns a random address at creation, one that was never assigned before and that is not served. */
export class ReservedAddrBehaviour implements ResourceBehaviour {
  /** @param pick returns a random integer from `first` up to but not including `end` */
  constructor(
    private readonly names: ServiceNames,
    private readonly pick: (first: number, end: number) => number = randomInt,
  ) {}

  async prepare({ trx, context, id, before, attributes }: PendingChange): Promise<Attributes> {
    if (before !== null) return attributes;
    const where = region.parse(attributes.region);
    const servers = new ServedUrlStore(trx);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const host = this.names.tcpHost(this.pick(0, HOSTS), where);
      const addr = `${host}:${this.pick(PORTS.first, PORTS.end)}`;
      await servers.lockHostports([addr]);
      const server = { id, accountId: context.accountId, url: `tcp://${addr}`, hostport: addr };
      const conflicting = await servers.findConflicting({ ...server, pooled: false, public: true });
      if (conflicting.length === 0 && (await assignAddress(trx, addr))) return { ...attributes, addr };
    }
    throw new Problem(
      'addresses_exhausted',
      `No free address was found in the region ${where}: choose another region.`,
    );
  }
}
