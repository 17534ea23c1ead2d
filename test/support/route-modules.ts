import type { TestClient } from './api-client.js';
import { idpMetadata } from './idp-metadata.js';

/** Bodies and responses of a module of an HTTPS edge route. */
export interface ModuleSample {
  /** A body that sets the module. */
  readonly set: Record<string, unknown>;
  /** Another body, which replaces the module. */
  readonly replace: Record<string, unknown>;
  /** The response after the replacement, without members that a test cannot predict. */
  readonly shown: Record<string, unknown>;
  /** Secrets in the bodies, which must never be returned. */
  readonly secrets?: readonly string[];
}

const session = {
  options_passthrough: false,
  cookie_prefix: 'waybill.',
  inactivity_timeout: 0,
  maximum_duration: 0,
};
const otherProviders = { facebook: null, microsoft: null, gitlab: null, linkedin: null, twitch: null, amazon: null };

function ref(api: TestClient, path: string, id: string) {
  return { id, uri: `${api.baseUrl}${path}/${id}` };
}

/** A sample of each of the thirteen modules, in the order of a route's members. */
export async function routeModules(api: TestClient): Promise<Readonly<Record<string, ModuleSample>>> {
  const backend = (await api.create('/backends/http_response', {})).id;
  const failover = (await api.create('/backends/failover', { backends: [backend] })).id;
  const [one, other] = [(await api.create('/ip_policies', {})).id, (await api.create('/ip_policies', {})).id];
  return {
    backend: {
      set: { enabled: false, backend_id: backend },
      replace: { backend_id: failover },
      shown: { enabled: true, backend: ref(api, '/backends/failover', failover) },
    },
    ip_restriction: {
      set: { enabled: false, ip_policy_ids: [one] },
      replace: { ip_policy_ids: [other, one] },
      shown: {
        enabled: true,
        ip_policies: [ref(api, '/ip_policies', other), ref(api, '/ip_policies', one)],
      },
    },
    circuit_breaker: {
      set: {
        enabled: false,
        tripped_duration: 120,
        rolling_window: 300,
        num_buckets: 128,
        volume_threshold: 4_294_967_295,
        error_threshold_percentage: 0.2,
      },
      replace: { error_threshold_percentage: 1 },
      shown: {
        enabled: true,
        tripped_duration: 10,
        rolling_window: 10,
        num_buckets: 10,
        volume_threshold: 10,
        error_threshold_percentage: 1,
      },
    },
    compression: { set: { enabled: false }, replace: {}, shown: { enabled: true } },
    request_headers: {
      set: { enabled: false, add: { 'X-One': 'a' }, remove: ['x-two'] },
      replace: { add: { 'X-Three': '${conn.client_ip}' } },
      shown: { enabled: true, add: { 'X-Three': '${conn.client_ip}' }, remove: [] },
    },
    response_headers: {
      set: { enabled: false, add: { 'X-One': 'a' }, remove: ['x-two'] },
      replace: { remove: ['server'] },
      shown: { enabled: true, add: {}, remove: ['server'] },
    },
    webhook_verification: {
      set: { enabled: false, provider: 'github', secret: 'whsec-first' },
      replace: { provider: 'stripe', secret: 'whsec-second' },
      shown: { enabled: true, provider: 'stripe', secret: null },
      secrets: ['whsec-first', 'whsec-second'],
    },
    oauth: {
      set: {
        enabled: false,
        provider: {
          github: {
            client_id: 'gh-app',
            client_secret: 'oauth-first',
            scopes: ['read:org'],
            email_addresses: ['user@example.com'],
            email_domains: ['example.com'],
            teams: ['acme/ops'],
            organizations: ['acme'],
          },
        },
        options_passthrough: true,
        cookie_prefix: 'mine.',
        inactivity_timeout: 60,
        maximum_duration: 600,
        auth_check_interval: 30,
      },
      replace: { provider: { google: { client_id: 'g-app', client_secret: 'oauth-second' } } },
      shown: {
        enabled: true,
        provider: {
          ...otherProviders,
          github: null,
          google: {
            client_id: 'g-app',
            client_secret: null,
            scopes: [],
            email_addresses: [],
            email_domains: [],
          },
        },
        ...session,
        auth_check_interval: 0,
      },
      secrets: ['oauth-first', 'oauth-second'],
    },
    saml: {
      set: {
        enabled: false,
        options_passthrough: true,
        cookie_prefix: 'mine.',
        inactivity_timeout: 60,
        maximum_duration: 600,
        idp_metadata: idpMetadata({ entityId: 'https://one.example.com' }),
        force_authn: true,
        allow_idp_initiated: true,
        authorized_groups: ['ops'],
        nameid_format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
      },
      replace: { idp_metadata: idpMetadata() },
      shown: {
        enabled: true,
        ...session,
        idp_metadata: idpMetadata(),
        force_authn: false,
        allow_idp_initiated: false,
        authorized_groups: [],
        nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
        idp_metadata_url: '',
      },
      secrets: ['PRIVATE KEY', 'request_signing_key_pem'],
    },
    oidc: {
      set: {
        enabled: false,
        issuer_url: 'https://one.example.com',
        client_id: 'one',
        client_secret: 'oidc-first',
        scopes: ['email'],
        options_passthrough: true,
        cookie_prefix: 'mine.',
        inactivity_timeout: 60,
        maximum_duration: 600,
      },
      replace: { issuer_url: 'https://two.example.com', client_id: 'two', client_secret: 'oidc-second' },
      shown: {
        enabled: true,
        issuer_url: 'https://two.example.com',
        client_id: 'two',
        client_secret: null,
        scopes: [],
        ...session,
      },
      secrets: ['oidc-first', 'oidc-second'],
    },
    websocket_tcp_converter: { set: { enabled: false }, replace: {}, shown: { enabled: true } },
    user_agent_filter: {
      set: { enabled: false, allow: ['(?i)friend'], deny: ['bot'] },
      replace: { deny: ['^curl/'] },
      shown: { enabled: true, allow: [], deny: ['^curl/'] },
    },
    traffic_policy: {
      set: {
        enabled: false,
        value: '{"on_http_request":[{"name":"closed","actions":[{"type":"deny","config":{"status_code":403}}]}]}',
      },
      replace: { value: '{"on_http_response":[]}' },
      shown: { enabled: true, value: '{"on_http_response":[]}' },
    },
  };
}
