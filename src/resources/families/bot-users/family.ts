import type { Family } from '../../framework/family.js';
import { botUser } from './bot-user.js';

/** Bot users. */
export const botUsers = { definition: botUser } satisfies Family;
