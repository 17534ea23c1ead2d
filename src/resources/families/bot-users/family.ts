import { defineFamily } from '../../framework/family.js';
import { botUser } from './bot-user.js';

/** Bot users. */
export const botUsers = defineFamily({ definition: botUser });
