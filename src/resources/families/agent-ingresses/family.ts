import type { Family } from '../../framework/family.js';
import { ServiceNames } from '../../building-blocks/names/service-names.js';
import { agentIngress } from './agent-ingress.js';
import { AgentIngressBehaviour } from './agent-ingress-behaviour.js';

/** Agent ingresses. */
export const agentIngresses = {
  definition: agentIngress,
  behaviour: ({ config, scheduleCheck }) =>
    new AgentIngressBehaviour(new ServiceNames(config), scheduleCheck),
} satisfies Family;
