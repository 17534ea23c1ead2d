import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource } from '../../framework/definition/definition.js';
import { createdAt, identity } from '../../framework/definition/fields.js';

const name = boundedString(255).min(1).meta({ description: 'Human-readable name.', example: 'deploy pipeline' });
const active = z.boolean().meta({
  description: 'Whether the bot is active. Requests with a key of an inactive bot are refused with 403.',
});

/** Non-human principals that own API keys. */
export const botUser = defineResource({
  ...kinds.botUser,
  title: { one: 'bot user', many: 'bot users' },
  quota: 1_000,
  summary:
    'Non-human principals that own API keys, so that a key does not depend on a person. Only an admin may create, change or delete them.',
  create: z.strictObject({ name, active: active.default(true) }),
  update: z.strictObject({ name: name.optional(), active: active.optional() }),
  read: z.object({ ...identity, name, active, created_at: createdAt }),
});
