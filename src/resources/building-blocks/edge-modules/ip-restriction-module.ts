import { z } from 'zod';
import { idList, ref } from '../../framework/definition/fields.js';
import { defineModule } from '../../framework/definition/modules.js';
import { kinds } from '../kinds.js';

/** Most policies of one restriction: keeps the event of the edge or route below the size limit. */
const MAX_POLICIES = 50;

/**
 * Allows or denies traffic by source address. The interface calls `ip_policies` of a TCP edge a Ref and that of a route
 * a list of Refs. Requests for both have the list `ip_policy_ids`, so responses for both have a list.
 */
export const ipRestrictionModule = defineModule({
  name: 'ip_restriction',
  title: 'IP restriction',
  description: 'Allows or denies traffic by source address.',
  input: {
    ip_policy_ids: idList(MAX_POLICIES, 'Ids of the IP policies that source addresses are checked against.'),
  },
  read: { ip_policies: z.array(ref) },
  links: [{ field: 'ip_policy_ids', as: 'ip_policies', to: [kinds.ipPolicy] }],
});
