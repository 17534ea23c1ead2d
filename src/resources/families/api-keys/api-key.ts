import { z } from 'zod';
import { describable, describableInput } from '../../../http/text.js';
import { user } from '../../building-blocks/principals/user.js';
import { defineResource } from '../../framework/definition.js';
import { createdAt, identity } from '../../framework/fields.js';
import { botUser } from '../bot-users/bot-user.js';

/** Bearer tokens. Only the hash of a token is stored. */
export const apiKey = defineResource({
  name: 'api_key',
  prefix: 'ak',
  path: '/api_keys',
  listKey: 'keys',
  title: { one: 'API key', many: 'API keys' },
  summary:
    'Keys that authenticate requests. An admin sees all keys of the account; other principals see only their own.',
  create: z.strictObject({
    ...describableInput,
    owner_id: z.string().max(255).nullish().meta({
      description:
        'Id of the user or bot that owns the key. Default: the caller. Only an admin may name another owner.',
    }),
  }),
  update: z.strictObject(describableInput),
  read: z
    .object({
      ...identity,
      ...describable,
      created_at: createdAt,
      token: z.string().nullable().meta({
        description: 'Bearer token. Returned only in the create response; null in every other response.',
      }),
      owner_id: z.string().meta({ description: 'Id of the user or bot that owns the key.' }),
    })
    .meta({ id: 'ApiKey' }),
  links: [{ field: 'owner_id', to: () => [user, botUser] }],
  derive: () => ({ token: null }),
});
