import type { Family } from '../../framework/family.js';
import { ServiceNames } from '../../building-blocks/names/service-names.js';
import { reservedAddr } from './reserved-addr.js';
import { ReservedAddrBehaviour } from './reserved-addr-behaviour.js';

/** Reserved addresses. */
export const reservedAddrs = {
  definition: reservedAddr,
  behaviour: ({ config }) => new ReservedAddrBehaviour(new ServiceNames(config)),
} satisfies Family;
