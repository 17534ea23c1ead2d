import { z } from 'zod';
import { enabled } from '../../building-blocks/edge-modules/enabled.js';
import { defineModule } from '../../framework/modules.js';
import { oauthProviders, providerInput, providerShown } from './oauth-providers.js';
import { sessionFields } from './session-fields.js';
import { uint32 } from './uint32.js';

const settings = {
  ...sessionFields,
  auth_check_interval: uint32().default(0).meta({
    description:
      'Seconds after which what the provider says of a user is fetched and checked again. 0: at the login only.',
  }),
};

/** Visitors that one of the well-known identity providers has to know. */
export const oauthModule = defineModule({
  name: 'oauth',
  title: 'OAuth',
  input: z.strictObject({ enabled, provider: providerInput, ...settings }),
  read: z
    .object({ enabled, provider: providerShown, ...settings })
    .meta({ id: 'OauthModule', description: 'Lets only those in whom an identity provider has logged in.' }),
  secrets: oauthProviders.map((provider) => ({
    path: `provider.${provider}.client_secret`,
    required: (member) => member.client_id != null,
    boundTo: ['client_id'],
  })),
});
