import { CertificateJobs } from '../../../certificates/certificate-jobs.js';
import { ServiceNames } from '../../building-blocks/names/service-names.js';
import { defineFamily } from '../../framework/definition/family.js';
import { AgentIngressBehaviour } from './agent-ingress-behaviour.js';
import { agentIngress } from './agent-ingress.js';

/** Agent ingresses. */
export const agentIngresses = defineFamily({
  definition: agentIngress,
  behaviour: {
    inject: [ServiceNames, CertificateJobs],
    create: (names, jobs) => new AgentIngressBehaviour(names, jobs.schedule.bind(jobs)),
  },
});
