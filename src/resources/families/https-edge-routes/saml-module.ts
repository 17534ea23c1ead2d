import { z } from 'zod';
import { boundedBytes } from '../../../bounds/bounded.js';
import type { Attributes } from '../../framework/definition/definition.js';
import { defineModule } from '../../framework/definition/modules.js';
import { idpMetadata } from './idp-metadata.js';
import { sessionFields } from './module-fields.js';

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
/** Largest read-only member in a request, in bytes: the certificate has less than 2 KiB. */
const MAX_READ_ONLY_BYTES = 8_192;

const settings = {
  ...sessionFields,
  idp_metadata: idpMetadata,
  force_authn: z.boolean().default(false).meta({
    description: 'Forces the identity provider to prompt for credentials on every redirect.',
  }),
  allow_idp_initiated: z.boolean().default(false).meta({
    description: 'Allows the identity provider to start a login. The provider sets RelayState to the target URL.',
  }),
  authorized_groups: z.array(boundedBytes(255).min(1)).max(MAX_GROUPS).default([]).meta({
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

/** A read-only member in a request: a response can be sent back. The output has no value. */
const ignored = boundedBytes(MAX_READ_ONLY_BYTES)
  .nullish()
  .transform(() => undefined)
  .meta({ description: 'Accepted as in responses, and ignored.' });

/** Login with a SAML identity provider. The route is a service provider with its own key pair. */
export const samlModule = defineModule({
  name: 'saml',
  title: 'SAML',
  description: 'Requires a login with a SAML identity provider.',
  input: {
    ...settings,
    entity_id: ignored,
    assertion_consumer_service_url: ignored,
    single_logout_url: ignored,
    [CERTIFICATE_FIELD]: ignored,
    metadata_url: ignored,
    idp_metadata_url: ignored,
  },
  read: {
    ...settings,
    entity_id: address('Entity URL of the service provider. Same as metadata_url.'),
    assertion_consumer_service_url: address('Public URL of the Assertion Consumer Service.'),
    single_logout_url: address('Public URL of the Single Logout Service.'),
    [CERTIFICATE_FIELD]: address('X.509 certificate in PEM of the key pair that signs the SAML requests.'),
    metadata_url: address('Public URL of the metadata of the service provider.'),
    idp_metadata_url: address('Always empty: the metadata of the identity provider is in idp_metadata.'),
  },
  secrets: [{ path: KEY_FIELD, required: true }],
  derive: ({ id }, { samlUrl }) => {
    const { entityId, assertionConsumerServiceUrl, singleLogoutUrl } = samlAddresses(id, samlUrl);
    return {
      entity_id: entityId,
      metadata_url: entityId,
      assertion_consumer_service_url: assertionConsumerServiceUrl,
      single_logout_url: singleLogoutUrl,
      idp_metadata_url: '',
    };
  },
});

/** Returns the addresses of the service provider of a route. The entity id is the address of its metadata. */
export function samlAddresses(routeId: string, samlUrl: string) {
  const base = `${samlUrl}/saml/${routeId}`;
  return {
    entityId: `${base}/metadata`,
    assertionConsumerServiceUrl: `${base}/acs`,
    singleLogoutUrl: `${base}/slo`,
  };
}

const storedModule = z.object({ [CERTIFICATE_FIELD]: z.string(), nameid_format: z.string() });

/** Returns the parts of a stored route that the metadata of its service provider has; null without the module. */
export function storedServiceProvider(attributes: Attributes) {
  if (attributes.saml == null) return null;
  const { [CERTIFICATE_FIELD]: signingCertificate, nameid_format: nameIdFormat } = storedModule.parse(attributes.saml);
  return { signingCertificate, nameIdFormat };
}
