import { defineFamily } from '../../framework/definition/family.js';
import { user } from './user.js';

/** Users. */
export const users = defineFamily({ definition: user });
