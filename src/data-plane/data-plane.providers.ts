import { CONFIG } from '../config/config.js';
import { openPoolShare } from '../database/connections/pool-share.js';
import { DATABASE } from '../database/database.js';
import { STORE } from '../database/store.js';
import { GuessLimit } from '../http/rate-limit/guess-limit.js';
import { BaseUrl } from '../http/request/base-url.js';
import type { AddRoutes } from '../http/server/added-routes.js';
import { provide, tokenOf } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import { FAMILY_SERVICES, RESOURCE_SERVICES } from '../resources/framework/service/resource-service.js';
import { ManagedCertificates } from '../resources/managed-certificates/managed-certificates.js';
import { SecretStore } from '../secrets/secret-store.js';
import { ConfigurationReader } from './configuration/configuration-reader.js';
import { DataPlane } from './data-plane.js';
import { addSamlRoutes } from './saml/saml-routes.js';
import { ServiceProviderStore } from './saml/service-provider-store.js';
import { TunnelSessions } from './tunnel-sessions.js';

/** The injection token of what adds the addresses of SAML service providers to the API. */
export const SAML_ROUTES = tokenOf<AddRoutes>('SamlRoutes');

/** The API of the data plane, its tasks, and its addresses at the API. */
export const dataPlaneProviders = [
  provide(
    TunnelSessions,
    { services: RESOURCE_SERVICES, baseUrl: BaseUrl, logger: LOGGER },
    ({ services, ...parts }) => new TunnelSessions({ ...services, ...parts }),
  ),
  provide(ConfigurationReader, {
    db: DATABASE,
    secrets: SecretStore,
    families: FAMILY_SERVICES,
    baseUrl: BaseUrl,
    logger: LOGGER,
  }),
  provide(DataPlane, {
    config: CONFIG,
    certificates: ManagedCertificates,
    guesses: GuessLimit,
    sessions: TunnelSessions,
    configuration: ConfigurationReader,
    logger: LOGGER,
  }),
  // Requests for metadata need no key and take no turns.
  provide(ServiceProviderStore, [STORE], ({ pool }) => new ServiceProviderStore(openPoolShare(pool))),
  provide(
    SAML_ROUTES,
    [ServiceProviderStore, GuessLimit, BaseUrl, LOGGER],
    (providers, guesses, baseUrl, logger) => (server) =>
      addSamlRoutes(server, providers, guesses, () => baseUrl.saml, logger),
  ),
];
