import { defineFamily } from '../../framework/definition/family.js';
import { BotUserBehaviour } from './bot-user-behaviour.js';
import { botUser } from './bot-user.js';

/** Bot users. */
export const botUsers = defineFamily({
  definition: botUser,
  behaviour: { create: () => new BotUserBehaviour() },
});
