import type { Family } from '../../framework/family.js';
import { ipPolicy } from './ip-policy.js';

/** IP policies. */
export const ipPolicies = { definition: ipPolicy } satisfies Family;
