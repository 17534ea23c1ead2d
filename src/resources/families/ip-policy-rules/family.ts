import { defineFamily } from '../../framework/definition/family.js';
import { ipPolicyRule } from './ip-policy-rule.js';

/** IP policy rules. */
export const ipPolicyRules = defineFamily({ definition: ipPolicyRule });
