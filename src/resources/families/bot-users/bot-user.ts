import { z } from 'zod';
import { characters } from '../../../http/text.js';
import { defineResource } from '../../framework/definition.js';
import { createdAt, identity } from '../../framework/fields.js';

const name = characters(255).min(1).meta({ description: 'Human-readable name.', example: 'deploy pipeline' });
const active = z.boolean().meta({
  description: 'Whether the bot is active. Requests with a key of an inactive bot are refused with 403.',
});

/** Non-human principals that own API keys. */
export const botUser = defineResource({
  name: 'bot_user',
  prefix: 'bot',
  path: '/bot_users',
  listKey: 'bot_users',
  title: { one: 'bot user', many: 'bot users' },
  summary: 'Non-human principals that own API keys, so that a key does not depend on a person.',
  create: z.strictObject({ name, active: active.default(true) }),
  update: z.strictObject({ name: name.optional(), active: active.optional() }),
  read: z.object({ ...identity, name, active, created_at: createdAt }).meta({ id: 'BotUser' }),
});
