import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import { describableInput } from '../../../http/input/text.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource } from '../../framework/definition/definition.js';
import { commonFields, ref } from '../../framework/definition/fields.js';
import { cidr } from './cidr.js';

const action = z
  .enum(['allow', 'deny'])
  .meta({ description: 'Whether a matching source address is allowed or denied.' });

/** Address ranges that a policy allows or denies. */
export const ipPolicyRule = defineResource({
  ...kinds.ipPolicyRule,
  title: { one: 'IP policy rule', many: 'IP policy rules' },
  summary: 'One range of source addresses that an IP policy allows or denies.',
  create: z.strictObject({
    ...describableInput,
    cidr,
    ip_policy_id: boundedString(255).meta({ description: 'Id of the policy that the rule belongs to.' }),
    action,
  }),
  update: z.strictObject({ ...describableInput, cidr: cidr.optional() }),
  read: z.object({ ...commonFields, cidr, ip_policy: ref, action }),
  links: [{ field: 'ip_policy_id', as: 'ip_policy', to: [kinds.ipPolicy] }],
});
