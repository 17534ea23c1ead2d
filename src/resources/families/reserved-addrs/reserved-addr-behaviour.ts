import { randomInt } from 'node:crypto';
import { Problem } from '../../../problems/problem.js';
import type { PendingChange, ResourceBehaviour } from '../../framework/behaviour.js';
import type { Attributes } from '../../framework/definition.js';
import { region } from '../../building-blocks/names/region.js';
import type { ServiceNames } from '../../building-blocks/names/service-names.js';
import { addressStore } from './address-store.js';

/** Two million addresses in each region; ports below those that operating systems give to outgoing connections (RFC 6056). */
const HOSTS = 100;
const PORTS = { first: 10_000, end: 30_000 };

/** Addresses that are tried; with half of a region taken, all of them fail once in a billion times. */
const TRIES = 30;

/** An address is picked at random when it is created, until one is found that nobody ever had. */
export class ReservedAddrBehaviour implements ResourceBehaviour {
  /** @param pick gives an integer from `first` up to but not including `end` */
  constructor(
    private readonly names: ServiceNames,
    private readonly pick: (first: number, end: number) => number = randomInt,
  ) {}

  async prepare({ trx, before, attributes }: PendingChange): Promise<Attributes> {
    if (before !== null) return attributes;
    const where = region.parse(attributes.region);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const host = this.names.tcpHost(this.pick(0, HOSTS), where);
      const addr = `${host}:${this.pick(PORTS.first, PORTS.end)}`;
      if (await addressStore.take(trx, addr)) return { ...attributes, addr };
    }
    throw new Problem('unavailable', 'addresses_exhausted', `There is hardly an address left in ${where}.`);
  }
}
