import { z } from 'zod';
import { keyRoles, routeAccesses } from '../accounts/key-role.js';
import { boundedString } from '../bounds/bounded.js';

const secret = boundedString(200).check(z.minLength(1, 'must not be empty'));

/** A sign-in: with an API key, or with a code. */
export const signInRequest = z.union([
  z
    .strictObject({ token: secret.meta({ description: 'The token of an API key.' }) })
    .meta({ id: 'CreateSessionWithToken' }),
  z
    .strictObject({
      code: secret.meta({ description: 'A code of `POST /session_codes`.' }),
      preview: z.boolean().optional().meta({
        description: 'Whether to return whose session the code begins, and begin none. The code stays valid.',
      }),
    })
    .meta({ id: 'CreateSessionWithCode' }),
]);

export type SignInRequest = z.infer<typeof signInRequest>;

/** Who calls, in a response. */
export const sessionResponse = z
  .object({
    account_id: z.string(),
    account_name: z.string().meta({ description: 'The name that the operator gave the account.' }),
    principal: z
      .object({
        id: z.string(),
        type: z.enum(['user', 'bot_user']),
        name: z.string(),
        admin: z.boolean().meta({ description: 'Whether the principal is an admin of the account.' }),
      })
      .meta({ description: 'The owner of the API key.' }),
    credential_id: z.string().meta({ description: 'Id of the API key.' }),
    role: z.enum(keyRoles).meta({ description: 'The role of the API key.' }),
    access: z.array(z.enum(routeAccesses)).meta({
      description:
        'What the role permits. `self`: this resource and sign-in codes. `read`: lists and resources. `export`: exports. `operate`: tests, pauses, redeliveries and backfills. `change`: changes of resources. `publish`: `POST /events`.',
    }),
    may_view_queues: z.boolean().meta({ description: 'Whether `/dashboard` shows the queues to the caller.' }),
    expires_at: z.iso.datetime().nullable().meta({
      description:
        'When the session ends. Null for a request with an API key, which needs no session, and in a preview.',
    }),
  })
  .meta({ id: 'Session', description: 'The caller of a request, and its session.' });

export type SessionResponse = z.infer<typeof sessionResponse>;
