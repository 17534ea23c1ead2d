import { CertificateReader } from '../certificates/reading/certificate-reader.js';
import { CONFIG } from '../config/config.js';
import { TargetClients } from '../delivery/attempts/target-clients.js';
import { Dispatcher } from '../delivery/dispatch/dispatcher.js';
import { LaneStore } from '../delivery/lanes/lane-store.js';
import { EventCatalogue } from '../events/catalogue/event-catalogue.js';
import { ObjectSchemas } from '../events/resource-types/schemas/object-schemas.js';
import { EdgeBehaviour } from './building-blocks/edge-modules/edge-behaviour.js';
import { ServiceNames } from './building-blocks/names/service-names.js';
import { LabelMatches } from './building-blocks/tunnels/label-matches.js';
import { AgentIngressBehaviour } from './families/agent-ingresses/agent-ingress-behaviour.js';
import { agentIngress } from './families/agent-ingresses/agent-ingress.js';
import { ApiKeyBehaviour } from './families/api-keys/api-key-behaviour.js';
import { apiKey } from './families/api-keys/api-key.js';
import { BotUserBehaviour } from './families/bot-users/bot-user-behaviour.js';
import { botUser } from './families/bot-users/bot-user.js';
import { CertificateAuthorityBehaviour } from './families/certificate-authorities/certificate-authority-behaviour.js';
import { certificateAuthority } from './families/certificate-authorities/certificate-authority.js';
import { endpointConfiguration } from './families/endpoint-configurations/endpoint-configuration.js';
import { CloudEndpointBehaviour } from './families/endpoints/endpoint-behaviour.js';
import { endpoint } from './families/endpoints/endpoint.js';
import { EventDestinationBehaviour } from './families/event-destinations/event-destination-behaviour.js';
import { eventDestination } from './families/event-destinations/event-destination.js';
import { EventSnapshotsController } from './families/event-subscriptions/event-snapshots.controller.js';
import { EventSourcesController } from './families/event-subscriptions/event-sources.controller.js';
import { EventSubscriptionBehaviour } from './families/event-subscriptions/event-subscription-behaviour.js';
import { eventSubscription } from './families/event-subscriptions/event-subscription.js';
import { FailoverBackendBehaviour } from './families/failover-backends/failover-backend-behaviour.js';
import { failoverBackend } from './families/failover-backends/failover-backend.js';
import { httpResponseBackend } from './families/http-response-backends/http-response-backend.js';
import { HttpsEdgeRouteBehaviour } from './families/https-edge-routes/https-edge-route-behaviour.js';
import { httpsEdgeRoute } from './families/https-edge-routes/https-edge-route.js';
import { httpsEdge } from './families/https-edges/https-edge.js';
import { ipPolicy } from './families/ip-policies/ip-policy.js';
import { ipPolicyRule } from './families/ip-policy-rules/ip-policy-rule.js';
import { ReservedAddrBehaviour } from './families/reserved-addrs/reserved-addr-behaviour.js';
import { reservedAddr } from './families/reserved-addrs/reserved-addr.js';
import { ReservedDomainBehaviour } from './families/reserved-domains/reserved-domain-behaviour.js';
import { reservedDomain } from './families/reserved-domains/reserved-domain.js';
import { ResourceTypeBehaviour } from './families/resource-types/resource-type-behaviour.js';
import { resourceType } from './families/resource-types/resource-type.js';
import { tcpEdge } from './families/tcp-edges/tcp-edge.js';
import { TlsCertificateBehaviour } from './families/tls-certificates/tls-certificate-behaviour.js';
import { tlsCertificate } from './families/tls-certificates/tls-certificate.js';
import { tunnelGroupBackend } from './families/tunnel-group-backends/tunnel-group-backend.js';
import { tunnelSession } from './families/tunnel-sessions/tunnel-session.js';
import { tunnel } from './families/tunnels/tunnel.js';
import { user } from './families/users/user.js';
import { defineFamily, type Family } from './framework/definition/family.js';

/**
 * The families with events: the definition of each, the behaviour that has its special rules, and the controllers of
 * its further operations. Routes, OpenAPI and the event catalogue derive from this list.
 */
export const families: readonly Family[] = [
  defineFamily({
    definition: apiKey,
    behaviour: { inject: [CONFIG], create: (config) => new ApiKeyBehaviour(config.API_KEYS_PER_PRINCIPAL) },
  }),
  defineFamily({
    definition: botUser,
    behaviour: { create: () => new BotUserBehaviour() },
  }),
  defineFamily({ definition: ipPolicy }),
  defineFamily({ definition: ipPolicyRule }),
  defineFamily({
    definition: tunnelGroupBackend,
    behaviour: { create: () => new LabelMatches('tunnels') },
  }),
  defineFamily({ definition: httpResponseBackend }),
  defineFamily({
    definition: failoverBackend,
    behaviour: { create: () => new FailoverBackendBehaviour() },
  }),
  defineFamily({
    definition: tcpEdge,
    behaviour: { create: () => new EdgeBehaviour('tcp') },
  }),
  defineFamily({
    definition: tlsCertificate,
    behaviour: { inject: [CertificateReader], create: (reader) => new TlsCertificateBehaviour(reader) },
  }),
  defineFamily({
    definition: certificateAuthority,
    behaviour: { inject: [CertificateReader], create: (reader) => new CertificateAuthorityBehaviour(reader) },
  }),
  defineFamily({
    definition: reservedDomain,
    behaviour: { inject: [ServiceNames], create: (names) => new ReservedDomainBehaviour(names) },
  }),
  defineFamily({ definition: endpointConfiguration }),
  defineFamily({
    definition: reservedAddr,
    behaviour: { inject: [ServiceNames], create: (names) => new ReservedAddrBehaviour(names) },
  }),
  defineFamily({
    definition: agentIngress,
    behaviour: { inject: [ServiceNames], create: (names) => new AgentIngressBehaviour(names) },
  }),
  // With sources and snapshots below `/event_subscriptions/{subscription_id}`.
  defineFamily({
    definition: eventSubscription,
    behaviour: {
      inject: [EventCatalogue],
      create: (catalogue) => new EventSubscriptionBehaviour(catalogue),
    },
    controllers: [EventSourcesController, EventSnapshotsController],
  }),
  defineFamily({
    definition: eventDestination,
    behaviour: {
      inject: [LaneStore, Dispatcher, TargetClients],
      create: (lanes, dispatcher, clients) => new EventDestinationBehaviour(lanes, dispatcher, clients),
    },
  }),
  defineFamily({
    definition: endpoint,
    behaviour: { create: () => new CloudEndpointBehaviour() },
  }),
  defineFamily({
    definition: tunnel,
    behaviour: { create: () => new LabelMatches('backends') },
  }),
  defineFamily({ definition: tunnelSession }),
  defineFamily({
    definition: httpsEdge,
    behaviour: { create: () => new EdgeBehaviour('https') },
  }),
  defineFamily({
    definition: httpsEdgeRoute,
    behaviour: { create: () => new HttpsEdgeRouteBehaviour() },
  }),
  defineFamily({
    definition: resourceType,
    behaviour: {
      inject: [EventCatalogue, ObjectSchemas],
      create: (catalogue, schemas) => new ResourceTypeBehaviour(catalogue, schemas),
    },
  }),
];

/** The families whose resources never change: they have routes but no events. */
export const familiesWithoutEvents: readonly Family[] = [defineFamily({ definition: user })];
