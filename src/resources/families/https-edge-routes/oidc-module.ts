import { boundedBytes, boundedString } from '../../../bounds/bounded.js';
import { ANY_HOST_NAME, PORT } from '../../building-blocks/names/name-patterns.js';
import { secretResponse } from '../../framework/definition/fields.js';
import { defineModule } from '../../framework/definition/modules.js';
import { scopes, secretInput, sessionFields } from './module-fields.js';

const MAX_URL_LENGTH = 2048;

/** https://openid.net/specs/openid-connect-core-1_0.html#IssuerIdentifier */
function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, search, hash, username, password } = new URL(value);
  return protocol === 'https:' && !/[?#\s]/.test(value) && `${search}${hash}${username}${password}` === '';
}

const fields = {
  ...sessionFields,
  issuer_url: boundedString(MAX_URL_LENGTH)
    .refine(isIssuer, { error: 'must be an https URL without user, query and fragment' })
    .meta({
      description:
        'URL of the issuer. The provider serves its configuration at /.well-known/openid-configuration below the URL.',
      pattern: `^https://${ANY_HOST_NAME}(?::${PORT})?(?:/[A-Za-z0-9._~/-]*)?$`,
      example: 'https://login.example.com',
    }),
  client_id: boundedBytes(255).min(1).meta({ description: 'Client id of the route at the provider.' }),
};

const scopesField = scopes.default([]).meta({
  description: 'Requested scopes in addition to `openid`.',
  example: ['profile', 'email'],
});

/** Login with an OpenID Connect provider. */
export const oidcModule = defineModule({
  name: 'oidc',
  title: 'OpenID Connect',
  description: 'Requires a login with an OpenID Connect provider.',
  input: {
    ...fields,
    client_secret: secretInput.meta({
      description:
        'Client secret. Required. Left out of a replacement: unchanged, unless issuer_url or client_id changes.',
    }),
    scopes: scopesField,
  },
  read: { ...fields, client_secret: secretResponse, scopes: scopesField },
  secrets: [{ path: 'client_secret', required: true, keptWhileUnchanged: ['issuer_url', 'client_id'] }],
});
