import { z } from 'zod';
import { bytes } from '../../../http/text.js';
import { enabled } from '../../building-blocks/edge-modules/enabled.js';
import { defineModule } from '../../framework/modules.js';
import { idpMetadata } from './idp-metadata.js';
import { sessionFields } from './session-fields.js';

/** The formats that can be asked for, of those in section 8.3 of the SAML core specification. */
const nameidFormats = [
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
] as const;

const CERTIFICATE_FIELD = 'request_signing_certificate_pem';
/** The private half of the key pair: sealed, and no part of the interface. */
const KEY_FIELD = 'request_signing_key_pem';

/** Where a route keeps the two halves of the key pair. */
export const samlCertificatePath = `saml.${CERTIFICATE_FIELD}`;
export const samlKeyPath = `saml.${KEY_FIELD}`;

const MAX_GROUPS = 100;

const settings = {
  enabled,
  ...sessionFields,
  idp_metadata: idpMetadata,
  force_authn: z.boolean().default(false).meta({
    description: 'Makes the identity provider prompt for credentials on every redirect.',
  }),
  allow_idp_initiated: z.boolean().default(false).meta({
    description: 'Lets the identity provider start a login; it sets RelayState to the target URL.',
  }),
  authorized_groups: z.array(bytes(255).min(1)).max(MAX_GROUPS).default([]).meta({
    description:
      'Only members of a listed group may enter. Empty: everyone whom the identity provider logs in.',
  }),
  nameid_format: z
    .enum(nameidFormats)
    .default(nameidFormats[0])
    .meta({ description: 'Format of the name identifiers that assertions are expected to have.' }),
};

function address(description: string) {
  return z.string().meta({ description: `${description} Read-only.` });
}

/** Visitors that a SAML identity provider has to know. The route is a service provider with a key pair of its own. */
export const samlModule = defineModule({
  name: 'saml',
  title: 'SAML',
  input: z.strictObject(settings),
  read: z
    .object({
      ...settings,
      entity_id: address('Entity URL of the service provider: the same as metadata_url.'),
      assertion_consumer_service_url: address('Public URL of the Assertion Consumer Service.'),
      single_logout_url: address('Public URL of the Single Logout Service.'),
      [CERTIFICATE_FIELD]: address(
        'Certificate (X.509, PEM) of the key pair that signs the requests to the identity provider.',
      ),
      metadata_url: address('Public URL where the metadata of the service provider is found.'),
      idp_metadata_url: address('Empty: the metadata of the identity provider is given, not fetched.'),
    })
    .meta({
      id: 'SamlModule',
      description: 'Lets only those in whom a SAML identity provider has logged in.',
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
