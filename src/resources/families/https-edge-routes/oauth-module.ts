import { defineModule } from '../../framework/definition/modules.js';
import { sessionFields, uint32 } from './module-fields.js';
import { oauthProviders, providerInput, providerResponse } from './oauth-providers.js';

const settings = {
  ...sessionFields,
  auth_check_interval: uint32().default(0).meta({
    description:
      'Seconds after which the state of a user is refreshed from the identity provider and authorization is rechecked. 0: only at login.',
  }),
};

/** Login with one of the well-known identity providers. */
export const oauthModule = defineModule({
  name: 'oauth',
  title: 'OAuth',
  description: 'Requires a login with an OAuth identity provider.',
  input: { provider: providerInput, ...settings },
  read: { provider: providerResponse, ...settings },
  secrets: oauthProviders.map((provider) => ({
    path: `provider.${provider}.client_secret`,
    required: (member) => member.client_id != null,
    keptWhileUnchanged: ['client_id'],
  })),
});
