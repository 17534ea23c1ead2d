import { json, type HttpResponse, type Call, type HttpRequest, type Protocol } from '../protocol.js';
import type { AccessTokens } from './access-tokens.js';
import { errorsOf, expiredSecret, failure, unknownApplication, unknownTenant, wrongSecret } from './entra-errors.js';

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A GUID of only this digit names a tenant or an application that does not exist. */
const unknownGuid = /^f{8}(-f{4}){3}-f{12}$/i;
/** The monitor service of each cloud. Clients append `/.default`, some to an audience that ends in a slash. */
const scopePattern = /^(https:\/\/monitor\.azure\.(?:com|us|cn))\/{1,2}\.default$/;
const LIFETIME_SECONDS = 3_599;

const paths: readonly (readonly [operation: string, method: string, pattern: RegExp])[] = [
  ['InstanceDiscovery', 'GET', /^\/(common)\/discovery\/instance$/],
  ['OpenIdConfiguration', 'GET', /^\/([^/]+)(?:\/v2\.0)?\/\.well-known\/openid-configuration$/],
  ['Keys', 'GET', /^\/([^/]+)\/discovery\/v2\.0\/keys$/],
  ['Token', 'POST', /^\/([^/]+)\/oauth2\/v2\.0\/token$/],
];

/** Microsoft Entra ID: discovery, and tokens for client credentials. Its addresses are tenants. */
export function entra(tokens: AccessTokens): Protocol {
  return (request) => {
    for (const [operation, method, pattern] of paths) {
      const tenant = method === request.method ? pattern.exec(request.path)?.[1] : undefined;
      if (tenant !== undefined) return callOf(operation, decodeURIComponent(tenant), request, tokens);
    }
    return undefined;
  };
}

function callOf(operation: string, tenant: string, request: HttpRequest, tokens: AccessTokens): Call {
  return {
    service: 'entra',
    operation,
    address: tenant,
    partial: false,
    perform: () => {
      switch (operation) {
        case 'InstanceDiscovery':
          return instances(request);
        case 'OpenIdConfiguration':
          return knownTenant(tenant) ?? configuration(tenant, request.origin);
        case 'Keys':
          return json(200, { keys: [] });
        default:
          return knownTenant(tenant) ?? token(tenant, new URLSearchParams(request.body.toString('utf8')), tokens);
      }
    },
    errors: errorsOf(tenant),
  };
}

/** https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc */
function configuration(tenant: string, origin: string): HttpResponse {
  return json(200, {
    token_endpoint: `${origin}/${tenant}/oauth2/v2.0/token`,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    jwks_uri: `${origin}/${tenant}/discovery/v2.0/keys`,
    response_modes_supported: ['query', 'fragment', 'form_post'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    issuer: `${origin}/${tenant}/v2.0`,
    authorization_endpoint: `${origin}/${tenant}/oauth2/v2.0/authorize`,
    device_authorization_endpoint: `${origin}/${tenant}/oauth2/v2.0/devicecode`,
    end_session_endpoint: `${origin}/${tenant}/oauth2/v2.0/logout`,
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'tid', 'ver'],
    tenant_region_scope: null,
    cloud_instance_name: new URL(origin).host,
  });
}

function instances(request: HttpRequest): HttpResponse {
  const host = new URL(request.origin).host;
  const endpoint =
    new URLSearchParams(request.query).get('authorization_endpoint') ??
    `${request.origin}/common/oauth2/v2.0/authorize`;
  return json(200, {
    tenant_discovery_endpoint: `${endpoint.replace(/\/oauth2\/v2\.0\/authorize$/, '')}/v2.0/.well-known/openid-configuration`,
    'api-version': '1.1',
    metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
  });
}

/** https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
function token(tenantId: string, parameters: URLSearchParams, tokens: AccessTokens): HttpResponse {
  const clientId = parameters.get('client_id') ?? '';
  const secret = parameters.get('client_secret') ?? '';
  const scope = (parameters.get('scope') ?? '').split(' ').find((one) => one.startsWith('https://')) ?? '';
  const grant = parameters.get('grant_type');
  if (grant !== 'client_credentials')
    return failure(
      400,
      'unsupported_grant_type',
      70_003,
      `The app requested an unsupported grant type '${grant ?? ''}'.`,
    );
  if (!guid.test(clientId) || unknownGuid.test(clientId)) return unknownApplication(clientId, tenantId);
  if (secret === '')
    return failure(
      401,
      'invalid_client',
      7_000_216,
      "'client_assertion', 'client_secret' or 'request' is required for the 'client_credentials' grant type.",
    );
  if (secret.startsWith('wrong')) return wrongSecret(clientId);
  if (secret.startsWith('expired')) return expiredSecret(clientId);
  const audience = scopePattern.exec(scope)?.[1];
  if (audience === undefined) {
    return failure(
      400,
      'invalid_scope',
      1_002_012,
      `The provided value for scope ${scope} is not valid. Client credential flows must have a scope value with /.default suffixed to the resource identifier (application ID URI).`,
    );
  }
  const expiresAt = Math.floor(Date.now() / 1000) + LIFETIME_SECONDS;
  return json(
    200,
    {
      token_type: 'Bearer',
      expires_in: LIFETIME_SECONDS,
      ext_expires_in: LIFETIME_SECONDS,
      access_token: tokens.issue({ tenantId, clientId, audience, expiresAt }),
    },
    { 'cache-control': 'no-store, no-cache' },
  );
}

function knownTenant(tenant: string): HttpResponse | undefined {
  return guid.test(tenant) && !unknownGuid.test(tenant) ? undefined : unknownTenant(tenant);
}
