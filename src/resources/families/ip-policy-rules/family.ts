import { defineFamily } from '../../framework/family.js';
import { ipPolicyRule } from './ip-policy-rule.js';

/** IP policy rules. */
export const ipPolicyRules = defineFamily({ definition: ipPolicyRule });
