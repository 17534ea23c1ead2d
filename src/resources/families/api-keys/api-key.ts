import { z } from 'zod';
import { describable, describableInput } from '../../../http/text.js';
import { botUser } from '../bot-users/bot-user.js';
import { defineResource } from '../../framework/definition.js';
import { createdAt, identity } from '../../framework/fields.js';
import { user } from '../../building-blocks/principals/user.js';

/** Bearer tokens. Only the hash of a token is kept. */
export const apiKey = defineResource({
  name: 'api_key',
  prefix: 'ak',
  path: '/api_keys',
  listKey: 'keys',
  title: { one: 'API key', many: 'API keys' },
  summary:
    'Keys that authenticate requests. An admin sees every key of the account, everyone else their own.',
  create: z.strictObject({
    ...describableInput,
    owner_id: z.string().max(255).nullish().meta({
      description:
        'User or bot that will own the key. The caller by default; only an admin may name another.',
    }),
  }),
  update: z.strictObject(describableInput),
  read: z
    .object({
      ...identity,
      ...describable,
      created_at: createdAt,
      token: z
        .string()
        .nullable()
        .meta({ description: 'The bearer token: in the answer to the creation only, null ever after.' }),
      owner_id: z.string().meta({ description: 'User or bot that owns the key.' }),
    })
    .meta({ id: 'ApiKey' }),
  links: [{ field: 'owner_id', to: () => [user, botUser] }],
  derive: () => ({ token: null }),
});
