import { z } from 'zod';
import { defineModule } from '../../framework/definition/modules.js';
import type { Traffic } from '../traffic-policy/policy-document.js';
import { trafficPolicy } from '../traffic-policy/traffic-policy.js';
import { enabled } from './enabled.js';

const read = z
  .object({
    enabled,
    value: z.string().meta({ description: 'Traffic policy: a JSON or YAML document in a string, as given.' }),
  })
  .meta({ id: 'TrafficPolicyModule', description: 'Rules that are applied to traffic.' });

/** Rules that are applied to this traffic. */
export function trafficPolicyModule(traffic: Traffic) {
  return defineModule({
    name: 'traffic_policy',
    title: 'traffic policy',
    input: z.strictObject({ enabled, value: trafficPolicy(traffic) }),
    read,
  });
}
