import { z } from 'zod';
import { bytes } from '../../../http/text.js';
import { enabled } from '../../building-blocks/edge-modules/enabled.js';
import { defineModule } from '../../framework/modules.js';
import { idpMetadata } from './idp-metadata.js';
import { sessionFields } from './session-fields.js';

/** Supported formats of section 8.3 of the SAML core specification. */
const nameidFormats = [
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
] as const;

const CERTIFICATE_FIELD = 'request_signing_certificate_pem';
/** The private key of the pair: sealed, and no part of the interface. */
const KEY_FIELD = 'request_signing_key_pem';

/** Paths of the key pair in the attributes of a route. */
export const samlCertificatePath = `saml.${CERTIFICATE_FIELD}`;
export const samlKeyPath = `saml.${KEY_FIELD}`;

const MAX_GROUPS = 100;

const settings = {
  enabled,
  ...sessionFields,
  idp_metadata: idpMetadata,
  force_authn: z.boolean().default(false).meta({
    description: 'Forces the identity provider to prompt for credentials on every redirect.',
  }),
  allow_idp_initiated: z.boolean().default(false).meta({
    description: 'Allows the identity provider to start a login. The provider sets RelayState to the target URL.',
  }),
  authorized_groups: z.array(bytes(255).min(1)).max(MAX_GROUPS).default([]).meta({
    description:
      'Only members of a listed group may access. Empty: every user that the identity provider authenticates.',
  }),
  nameid_format: z
    .enum(nameidFormats)
    .default(nameidFormats[0])
    .meta({ description: 'Name identifier format expected in assertions.' }),
};

function address(description: string) {
  return z.string().meta({ description: `${description} Read-only.` });
}

/** Login with a SAML identity provider. The route is a service provider with its own key pair. */
export const samlModule = defineModule({
  name: 'saml',
  title: 'SAML',
  input: z.strictObject(settings),
  read: z
    .object({
      ...settings,
      entity_id: address('Entity URL of the service provider. Same as metadata_url.'),
      assertion_consumer_service_url: address('Public URL of the Assertion Consumer Service.'),
      single_logout_url: address('Public URL of the Single Logout Service.'),
      [CERTIFICATE_FIELD]: address('X.509 certificate in PEM of the key pair that signs the SAML requests.'),
      metadata_url: address('Public URL of the metadata of the service provider.'),
      idp_metadata_url: address('Always empty: the metadata of the identity provider is in idp_metadata.'),
    })
    .meta({
      id: 'SamlModule',
      description: 'Requires a login with a SAML identity provider.',
    }),
  secrets: [{ path: KEY_FIELD, required: true }],
  derive: ({ id }, baseUrl) => {
    const base = `${baseUrl}/saml/${id}`;
    return {
      entity_id: `${base}/metadata`,
      metadata_url: `${base}/metadata`,
      assertion_consumer_service_url: `${base}/acs`,
      single_logout_url: `${base}/slo`,
      idp_metadata_url: '',
    };
  },
});
