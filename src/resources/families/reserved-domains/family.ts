import type { Family } from '../../framework/family.js';
import { reservedDomain } from './reserved-domain.js';
import { ReservedDomainBehaviour } from './reserved-domain-behaviour.js';
import { ServiceNames } from '../../building-blocks/names/service-names.js';

/** Reserved domains. */
export const reservedDomains = {
  definition: reservedDomain,
  behaviour: ({ config, scheduleCheck }) =>
    new ReservedDomainBehaviour(new ServiceNames(config), scheduleCheck),
} satisfies Family;
