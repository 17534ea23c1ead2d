import { ServiceNames } from '../../building-blocks/names/service-names.js';
import { defineFamily } from '../../framework/definition/family.js';
import { ReservedAddrBehaviour } from './reserved-addr-behaviour.js';
import { reservedAddr } from './reserved-addr.js';

/** Reserved addresses. */
export const reservedAddrs = defineFamily({
  definition: reservedAddr,
  behaviour: { inject: [ServiceNames], create: (names) => new ReservedAddrBehaviour(names) },
});
