import { z } from 'zod';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource } from '../../framework/definition/definition.js';
import { createdAt, identity } from '../../framework/definition/fields.js';

/** Users of an account. Clients can only read them: the address of a principal leads here. */
export const user = defineResource({
  ...kinds.user,
  title: { one: 'user', many: 'users' },
  summary: 'People who own API keys and endpoints. The operator creates them.',
  operations: ['get'],
  read: z.object({
    ...identity,
    name: z.string().meta({ description: 'Human-readable name.' }),
    admin: z.boolean().meta({ description: 'Whether the user is an admin of the account.' }),
    created_at: createdAt,
  }),
});
