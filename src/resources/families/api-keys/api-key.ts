import { z } from 'zod';
import { DEFAULT_ROLE, keyRoles, roleMeanings } from '../../../accounts/key-role.js';
import { boundedString } from '../../../bounds/bounded.js';
import { describable, describableInput } from '../../../http/input/text.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource } from '../../framework/definition/definition.js';
import { createdAt, identity } from '../../framework/definition/fields.js';

const ROLES = `What the key may be used for. ${keyRoles.map((role) => `\`${role}\`: ${roleMeanings[role]}.`).join(' ')}`;

/** Bearer tokens. Only the hash of a token is stored. */
export const apiKey = defineResource({
  ...kinds.apiKey,
  listKey: 'keys',
  title: { one: 'API key', many: 'API keys' },
  quota: 1_000,
  summary:
    'Keys that authenticate requests. An admin sees all keys of the account; other principals see only their own.',
  create: z.strictObject({
    ...describableInput,
    owner_id: boundedString(255).nullish().meta({
      description:
        'Id of the user or bot that owns the key. Default: the caller. Only an admin may name another owner.',
    }),
    role: z
      .enum(keyRoles)
      .default(DEFAULT_ROLE)
      .meta({
        description: `${ROLES} It cannot be changed. A key cannot create a key with a higher role than its own.`,
      }),
  }),
  update: z.strictObject(describableInput),
  read: z.object({
    ...identity,
    ...describable,
    created_at: createdAt,
    token: z.string().nullable().meta({
      description:
        'Bearer token. Returned only in the create response; null in every other response, also in a replay of the create.',
    }),
    owner_id: z.string().meta({ description: 'Id of the user or bot that owns the key.' }),
    role: z.enum(keyRoles).meta({ description: ROLES }),
    created_by_key_id: z.string().nullable().meta({
      description: 'Id of the API key that made this key, also after its deletion. Null for a key of the operator.',
    }),
  }),
  links: [{ field: 'owner_id', to: [kinds.user, kinds.botUser] }],
  // Keys of the operator have no role stored.
  derive: ({ attributes }) => ({ token: null, role: attributes.role ?? DEFAULT_ROLE }),
  deletesDependents: {
    parameter: 'with_created_keys',
    description: '`true`: also deletes every key that this key made, directly or through keys that it made.',
  },
});
