import type { Family } from '../../framework/family.js';
import { ipPolicyRule } from './ip-policy-rule.js';

/** IP policy rules. */
export const ipPolicyRules = { definition: ipPolicyRule } satisfies Family;
