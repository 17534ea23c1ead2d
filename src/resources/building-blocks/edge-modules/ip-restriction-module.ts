import { z } from 'zod';
import { idList, ref } from '../../framework/fields.js';
import { defineModule } from '../../framework/modules.js';
import { ipPolicy } from '../../families/ip-policies/ip-policy.js';
import { enabled } from './enabled.js';

/** Most policies of one restriction: keeps the event of what has it below the size that an event may have. */
const MAX_POLICIES = 50;

/**
 * Which source addresses may enter. The interface calls `ip_policies` of a TCP edge a Ref and that of a route a list of Ref;
 * the requests of both have the list `ip_policy_ids`, so both are answered with a list.
 */
export const ipRestrictionModule = defineModule({
  name: 'ip_restriction',
  title: 'IP restriction',
  input: z.strictObject({
    enabled,
    ip_policy_ids: idList(MAX_POLICIES, 'The IP policies that source addresses are checked against.'),
  }),
  read: z
    .object({ enabled, ip_policies: z.array(ref) })
    .meta({ id: 'IpRestrictionModule', description: 'Which source addresses may enter.' }),
  links: [{ field: 'ip_policy_ids', as: 'ip_policies', to: () => [ipPolicy] }],
});
