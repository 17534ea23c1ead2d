import { z } from 'zod';
import type { ModuleDefinition } from '../../framework/definition/definition.js';
import { defineModule } from '../../framework/definition/modules.js';
import type { Traffic } from '../traffic-policy/policy-document.js';
import { trafficPolicy } from '../traffic-policy/traffic-policy.js';

const module = defineModule({
  name: 'traffic_policy',
  title: 'traffic policy',
  description: 'Rules that are applied to traffic.',
  input: {
    value: z.string().meta({ description: 'Traffic policy: a JSON or YAML document in a string, as given.' }),
  },
});

/** Rules that are applied to this traffic. */
export function trafficPolicyModule(traffic: Traffic): ModuleDefinition {
  return { ...module, input: module.input.extend({ value: trafficPolicy(traffic) }) };
}
