import { defineFamily } from '../../framework/definition/family.js';
import { ipPolicy } from './ip-policy.js';

/** IP policies. */
export const ipPolicies = defineFamily({ definition: ipPolicy });
