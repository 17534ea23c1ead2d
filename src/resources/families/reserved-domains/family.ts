import { CertificateJobs } from '../../../certificates/certificate-jobs.js';
import { ServiceNames } from '../../building-blocks/names/service-names.js';
import { defineFamily } from '../../framework/definition/family.js';
import { ReservedDomainBehaviour } from './reserved-domain-behaviour.js';
import { reservedDomain } from './reserved-domain.js';

/** Reserved domains. */
export const reservedDomains = defineFamily({
  definition: reservedDomain,
  behaviour: {
    inject: [ServiceNames, CertificateJobs],
    create: (names, jobs) => new ReservedDomainBehaviour(names, jobs.schedule.bind(jobs)),
  },
});
