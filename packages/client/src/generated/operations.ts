// Generated from docs/openapi.json by "npm run generate".

import type * as types from './types.js';

/**
 * Every operation, by namespace and method of the client. `takes`: its argument besides the path parameters. `items`: the
 * member of a list that has its items.
 */
export const operations = {
  agentIngresses: {
    /**
     * Create an agent ingress.
     *
     * A domain of the account through which agents connect to the service in each region. Its NS records must
     * delegate the domain to the service. Roles: `admin`.
     */
    create: { id: 'createAgentIngress', method: 'POST', path: '/agent_ingresses', takes: 'body' },
    /**
     * List agent ingresses.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listAgentIngresses', method: 'GET', path: '/agent_ingresses', takes: 'query', items: 'ingresses' },
    /**
     * Get an agent ingress.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getAgentIngress', method: 'GET', path: '/agent_ingresses/{id}' },
    /**
     * Update an agent ingress.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateAgentIngress', method: 'PATCH', path: '/agent_ingresses/{id}', takes: 'body' },
    /**
     * Delete an agent ingress.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteAgentIngress', method: 'DELETE', path: '/agent_ingresses/{id}' },
    /**
     * List the events of an agent ingress.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listAgentIngressEvents', method: 'GET', path: '/agent_ingresses/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to an agent ingress.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listAgentIngressReferences', method: 'GET', path: '/agent_ingresses/{id}/references', takes: 'query', items: 'references' },
  },
  apiKeys: {
    /**
     * Create an API key.
     *
     * Keys that authenticate requests. An admin sees all keys of the account; other principals see only their
     * own. Roles: `admin`.
     */
    create: { id: 'createApiKey', method: 'POST', path: '/api_keys', takes: 'body' },
    /**
     * List API keys.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listApiKeys', method: 'GET', path: '/api_keys', takes: 'query', items: 'keys' },
    /**
     * Get an API key.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getApiKey', method: 'GET', path: '/api_keys/{id}' },
    /**
     * Update an API key.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateApiKey', method: 'PATCH', path: '/api_keys/{id}', takes: 'body' },
    /**
     * Delete an API key.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteApiKey', method: 'DELETE', path: '/api_keys/{id}', takes: 'query' },
    /**
     * List the events of an API key.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listApiKeyEvents', method: 'GET', path: '/api_keys/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to an API key.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listApiKeyReferences', method: 'GET', path: '/api_keys/{id}/references', takes: 'query', items: 'references' },
  },
  backfills: {
    /**
     * Send earlier events to an event destination.
     *
     * Counts the matching events, and then sends those that the destination has no delivery of, oldest first,
     * behind live events and at a limited rate. Each has its own `sequence`, and `backfill: true` in its
     * payload: newer events of its resource may have arrived before. After the response to a subscription, a
     * backfill and the live events together miss no event. A destination has one unfinished backfill at a time.
     * Roles: `admin`, `operator`.
     */
    create: { id: 'createBackfill', method: 'POST', path: '/event_destinations/{id}/backfills', takes: 'body' },
    /**
     * List the backfills of an event destination.
     *
     * Ended backfills are listed for `RETENTION_DELIVERED_DAYS`. Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listBackfills', method: 'GET', path: '/event_destinations/{id}/backfills', takes: 'query', items: 'backfills' },
    /**
     * Get a backfill.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getBackfill', method: 'GET', path: '/event_destinations/{id}/backfills/{backfill_id}' },
    /**
     * Cancel a backfill.
     *
     * No more events are queued; what is queued is sent. A backfill that has ended stays as it is, and is
     * returned. Roles: `admin`, `operator`.
     */
    cancel: { id: 'cancelBackfill', method: 'POST', path: '/event_destinations/{id}/backfills/{backfill_id}/cancel' },
  },
  botUsers: {
    /**
     * Create a bot user.
     *
     * Non-human principals that own API keys, so that a key does not depend on a person. Only an admin may
     * create, change or delete them. Roles: `admin`.
     */
    create: { id: 'createBotUser', method: 'POST', path: '/bot_users', takes: 'body' },
    /**
     * List bot users.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listBotUsers', method: 'GET', path: '/bot_users', takes: 'query', items: 'bot_users' },
    /**
     * Get a bot user.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getBotUser', method: 'GET', path: '/bot_users/{id}' },
    /**
     * Update a bot user.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateBotUser', method: 'PATCH', path: '/bot_users/{id}', takes: 'body' },
    /**
     * Delete a bot user.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteBotUser', method: 'DELETE', path: '/bot_users/{id}' },
    /**
     * List the events of a bot user.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listBotUserEvents', method: 'GET', path: '/bot_users/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to a bot user.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listBotUserReferences', method: 'GET', path: '/bot_users/{id}/references', takes: 'query', items: 'references' },
  },
  certificateAuthorities: {
    /**
     * Create a certificate authority.
     *
     * Certificate of a certificate authority for mutual TLS. Client certificates that the authority signed are
     * trusted. Roles: `admin`.
     */
    create: { id: 'createCertificateAuthority', method: 'POST', path: '/certificate_authorities', takes: 'body' },
    /**
     * List certificate authorities.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listCertificateAuthorities', method: 'GET', path: '/certificate_authorities', takes: 'query', items: 'certificate_authorities' },
    /**
     * Get a certificate authority.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getCertificateAuthority', method: 'GET', path: '/certificate_authorities/{id}' },
    /**
     * Update a certificate authority.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateCertificateAuthority', method: 'PATCH', path: '/certificate_authorities/{id}', takes: 'body' },
    /**
     * Delete a certificate authority.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteCertificateAuthority', method: 'DELETE', path: '/certificate_authorities/{id}' },
    /**
     * List the events of a certificate authority.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listCertificateAuthorityEvents', method: 'GET', path: '/certificate_authorities/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to a certificate authority.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listCertificateAuthorityReferences', method: 'GET', path: '/certificate_authorities/{id}/references', takes: 'query', items: 'references' },
  },
  endpointConfigurations: {
    /**
     * Create an endpoint configuration.
     *
     * A named configuration for one kind of traffic. Reserved addresses refer to endpoint configurations. Roles:
     * `admin`.
     */
    create: { id: 'createEndpointConfiguration', method: 'POST', path: '/endpoint_configurations', takes: 'body' },
    /**
     * List endpoint configurations.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listEndpointConfigurations', method: 'GET', path: '/endpoint_configurations', takes: 'query', items: 'endpoint_configurations' },
    /**
     * Get an endpoint configuration.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getEndpointConfiguration', method: 'GET', path: '/endpoint_configurations/{id}' },
    /**
     * Update an endpoint configuration.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateEndpointConfiguration', method: 'PATCH', path: '/endpoint_configurations/{id}', takes: 'body' },
    /**
     * Delete an endpoint configuration.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteEndpointConfiguration', method: 'DELETE', path: '/endpoint_configurations/{id}' },
    /**
     * List the events of an endpoint configuration.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listEndpointConfigurationEvents', method: 'GET', path: '/endpoint_configurations/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to an endpoint configuration.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listEndpointConfigurationReferences', method: 'GET', path: '/endpoint_configurations/{id}/references', takes: 'query', items: 'references' },
  },
  endpoints: {
    /**
     * Create an endpoint.
     *
     * An address at which traffic enters. Clients create cloud endpoints; an ephemeral endpoint exists while its
     * tunnel is online, and an edge has one endpoint for each of its hostports. A hostport belongs to one edge
     * or endpoint. Endpoints of one account can share a URL if all of them have `pooling_enabled`. Roles:
     * `admin`.
     */
    create: { id: 'createEndpoint', method: 'POST', path: '/endpoints', takes: 'body' },
    /**
     * List endpoints.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listEndpoints', method: 'GET', path: '/endpoints', takes: 'query', items: 'endpoints' },
    /**
     * Get an endpoint.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getEndpoint', method: 'GET', path: '/endpoints/{id}' },
    /**
     * Update an endpoint.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateEndpoint', method: 'PATCH', path: '/endpoints/{id}', takes: 'body' },
    /**
     * Delete an endpoint.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteEndpoint', method: 'DELETE', path: '/endpoints/{id}' },
    /**
     * List the events of an endpoint.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listEndpointEvents', method: 'GET', path: '/endpoints/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to an endpoint.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listEndpointReferences', method: 'GET', path: '/endpoints/{id}/references', takes: 'query', items: 'references' },
  },
  erasures: {
    /**
     * Erase events.
     *
     * Removes payloads, salts and search keys of events, and what else Waybill stores of them, in the background
     * and for good. Ids, types, times, numbers and commitments stay, so that the logs prove all other events. An
     * event that waits for a delivery is erased when the delivery has ended. Events that are recorded later are
     * not erased, and neither is what targets have received. Roles: `admin`.
     */
    create: { id: 'createErasure', method: 'POST', path: '/erasures', takes: 'body' },
    /**
     * List the erasures.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listErasures', method: 'GET', path: '/erasures', takes: 'query', items: 'erasures' },
    /**
     * Get an erasure.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getErasure', method: 'GET', path: '/erasures/{erasure_id}' },
  },
  eventDestinations: {
    /**
     * Create an event destination.
     *
     * One target that events are delivered to, in order. A destination receives no events until a subscription
     * refers to it. Roles: `admin`.
     */
    create: { id: 'createEventDestination', method: 'POST', path: '/event_destinations', takes: 'body' },
    /**
     * List event destinations.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listEventDestinations', method: 'GET', path: '/event_destinations', takes: 'query', items: 'event_destinations' },
    /**
     * List the deliveries that ended without being delivered.
     *
     * The `rejected` and `expired` deliveries to every destination, newest first. One that is redelivered leaves
     * the list while it is pending, and returns if it fails again. Deliveries that ended before their
     * destination was deleted remain in the list until their retention has passed. Those that waited then are
     * `cancelled`, and not in the list: `GET /events/{id}/deliveries` has them. Waiting deliveries are not in it
     * either: `GET /event_destinations/status` counts them. Roles: `admin`, `operator`, `auditor`.
     */
    listUndeliveredDeliveries: { id: 'listUndeliveredDeliveries', method: 'GET', path: '/event_destinations/deliveries', takes: 'query', items: 'deliveries' },
    /**
     * Count the deliveries that ended without being delivered.
     *
     * For each destination with `rejected` or `expired` deliveries: how many, and why. A destination without any
     * is not in the list. With `from`, its numbers may be 0. Roles: `admin`, `operator`, `auditor`.
     */
    countUndeliveredDeliveries: { id: 'countUndeliveredDeliveries', method: 'GET', path: '/event_destinations/deliveries/counts', takes: 'query' },
    /**
     * List the metrics of event destinations.
     *
     * How much each destination delivered, and how much failed, in steps of a minute to a day, for the last 30
     * days. `GET /event_destinations/{id}/metrics` has more of one destination. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listMetrics: { id: 'listEventDestinationMetrics', method: 'GET', path: '/event_destinations/metrics', takes: 'query' },
    /**
     * List the status of all event destinations.
     *
     * To see what is wrong, list `state=misconfigured&state=retrying`. The status of a destination may change
     * between two pages. Roles: `admin`, `operator`, `auditor`.
     */
    listStatuses: { id: 'listEventDestinationStatuses', method: 'GET', path: '/event_destinations/status', takes: 'query', items: 'statuses' },
    /**
     * Get an event destination.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getEventDestination', method: 'GET', path: '/event_destinations/{id}' },
    /**
     * Update an event destination.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. With the role `operator`, only
     * `paused`, `muted` may be sent. Roles: `admin`, `operator`.
     */
    update: { id: 'updateEventDestination', method: 'PATCH', path: '/event_destinations/{id}', takes: 'body' },
    /**
     * Delete an event destination.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteEventDestination', method: 'DELETE', path: '/event_destinations/{id}' },
    /**
     * Search the deliveries to an event destination.
     *
     * Filters combine. Those of `GET /events` select the events. A page reads a bounded number of rows, so a
     * page of a rare combination may not be full, or be empty: the list ends where `next_page_uri` is null.
     * Roles: `admin`, `operator`, `auditor`.
     */
    listDeliveries: { id: 'listEventDestinationDeliveries', method: 'GET', path: '/event_destinations/{id}/deliveries', takes: 'query', items: 'deliveries' },
    /**
     * List the events of an event destination.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listEventDestinationEvents', method: 'GET', path: '/event_destinations/{id}/events', takes: 'query', items: 'events' },
    /**
     * Get the metrics of an event destination.
     *
     * Counts of deliveries, latencies and batch sizes in steps of a minute to a day, for the last 30 days. An
     * attempt counts in the step in which it was recorded. Roles: `admin`, `operator`, `auditor`.
     */
    getMetrics: { id: 'getEventDestinationMetrics', method: 'GET', path: '/event_destinations/{id}/metrics', takes: 'query' },
    /**
     * Redeliver events.
     *
     * Makes finished deliveries pending again. Each keeps its `event_id` and `sequence`, is sent before waiting
     * events, and gets a new deadline. Roles: `admin`, `operator`.
     */
    redeliverEvents: { id: 'redeliverEvents', method: 'POST', path: '/event_destinations/{id}/redeliveries', takes: 'body' },
    /**
     * List the resources that refer to an event destination.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listEventDestinationReferences', method: 'GET', path: '/event_destinations/{id}/references', takes: 'query', items: 'references' },
    /**
     * Get the status of an event destination.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getStatus: { id: 'getEventDestinationStatus', method: 'GET', path: '/event_destinations/{id}/status' },
    /**
     * Test an event destination.
     *
     * Sends one `event_destination_test.v0` event to this destination through the normal pipeline: the event has
     * a `sequence` and is queued after waiting events. Ends the backoff of the destination. A paused destination
     * cannot be tested. Waits at most 15 seconds and returns the outcome. Roles: `admin`, `operator`.
     */
    test: { id: 'testEventDestination', method: 'POST', path: '/event_destinations/{id}/test' },
  },
  eventSources: {
    /**
     * Preview a source of an event subscription.
     *
     * Runs a source over the newest events of its type, and shows which of them match and what would be sent.
     * Nothing is stored or sent, so an `Idempotency-Key` has no effect. Before the account has hashes, each
     * preview shows other ones. Roles: `admin`, `operator`, `auditor`.
     */
    preview: { id: 'previewEventSource', method: 'POST', path: '/event_subscriptions/preview', takes: 'body' },
    /**
     * List the snapshots of an event subscription.
     *
     * A source `<resource>_snapshot.v0` asks for the present state. Each new route of such a source starts one
     * snapshot: one event for each existing resource, with a lower `sequence` than the first change of the
     * resource. Snapshots are written in the background. Finished snapshots are listed for
     * `RETENTION_DELIVERED_DAYS`. Roles: `admin`, `operator`, `auditor`.
     */
    listEventSnapshots: { id: 'listEventSnapshots', method: 'GET', path: '/event_subscriptions/{subscription_id}/snapshots', takes: 'query', items: 'snapshots' },
    /**
     * Add a source to an event subscription.
     *
     * The response waits for the changes in progress. So a list that is read after the response, together with
     * the delivered events, misses no change. Roles: `admin`.
     */
    create: { id: 'createEventSource', method: 'POST', path: '/event_subscriptions/{subscription_id}/sources', takes: 'body' },
    /**
     * List the sources of an event subscription.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listEventSources', method: 'GET', path: '/event_subscriptions/{subscription_id}/sources', items: 'sources' },
    /**
     * Get a source of an event subscription.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getEventSource', method: 'GET', path: '/event_subscriptions/{subscription_id}/sources/{type}' },
    /**
     * Update a source of an event subscription.
     *
     * Changes the filter or the fields. Null removes them; an absent one is kept. Events that were recorded
     * before are sent as they were. Roles: `admin`.
     */
    update: { id: 'updateEventSource', method: 'PATCH', path: '/event_subscriptions/{subscription_id}/sources/{type}', takes: 'body' },
    /**
     * Remove a source from an event subscription.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteEventSource', method: 'DELETE', path: '/event_subscriptions/{subscription_id}/sources/{type}' },
  },
  eventSubscriptions: {
    /**
     * Create an event subscription.
     *
     * Links event types to the destinations that receive them. The response to a create or update waits for the
     * changes in progress. So a list that is read after the response, together with the delivered events, misses
     * no change. Roles: `admin`.
     */
    create: { id: 'createEventSubscription', method: 'POST', path: '/event_subscriptions', takes: 'body' },
    /**
     * List event subscriptions.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listEventSubscriptions', method: 'GET', path: '/event_subscriptions', takes: 'query', items: 'event_subscriptions' },
    /**
     * Get an event subscription.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getEventSubscription', method: 'GET', path: '/event_subscriptions/{id}' },
    /**
     * Update an event subscription.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateEventSubscription', method: 'PATCH', path: '/event_subscriptions/{id}', takes: 'body' },
    /**
     * Delete an event subscription.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteEventSubscription', method: 'DELETE', path: '/event_subscriptions/{id}' },
    /**
     * List the events of an event subscription.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listEventSubscriptionEvents', method: 'GET', path: '/event_subscriptions/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to an event subscription.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listEventSubscriptionReferences', method: 'GET', path: '/event_subscriptions/{id}/references', takes: 'query', items: 'references' },
  },
  eventTypes: {
    /**
     * List event types.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listEventTypes', method: 'GET', path: '/event_types', takes: 'query', items: 'event_types' },
    /**
     * Get an event type with its schema.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getEventType', method: 'GET', path: '/event_types/{type}' },
  },
  events: {
    /**
     * Search events.
     *
     * Filters combine. A page reads a bounded number of events, so a page of a rare combination may not be full,
     * or be empty: the list ends where `next_page_uri` is null. Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listEvents', method: 'GET', path: '/events', takes: 'query', items: 'events' },
    /**
     * Publish events.
     *
     * Accepts events of resources whose types the account has registered: all of them, or none. Events of one
     * resource reach each destination in the order of their acceptance. The body may have 2 MiB. Roles: `admin`,
     * `publisher`.
     */
    publish: { id: 'publishEvents', method: 'POST', path: '/events', takes: 'body' },
    /**
     * Count events over time.
     *
     * Counts the events of a search in 60 steps of time, and the deliveries of the newest ones by state. Reads
     * the newest 10,000 events of the index that the filters use, and 2,000 payloads for `ip` and `text`:
     * `reached` says how far. Roles: `admin`, `operator`, `auditor`.
     */
    count: { id: 'countEvents', method: 'GET', path: '/events/counts', takes: 'query' },
    /**
     * Export a few events in one response.
     *
     * At most 10000 events, oldest first; the header `Event-Count` says how many. Where more match, the response
     * is a 413 without any of them: create an export. The filters are those of the search. Roles: `admin`,
     * `operator`, `auditor`.
     */
    export: { id: 'exportEvents', method: 'GET', path: '/events/export', takes: 'query' },
    /**
     * Get an event.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getEvent', method: 'GET', path: '/events/{id}' },
    /**
     * List the deliveries of an event.
     *
     * One delivery for each destination that was subscribed when the event occurred. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listDeliveries: { id: 'listEventDeliveries', method: 'GET', path: '/events/{id}/deliveries', takes: 'query', items: 'deliveries' },
    /**
     * Get an event as it is delivered.
     *
     * The bytes of the event in the record of the target: the payload that `fields` leave, with `epoch`,
     * `sequence` and `integrity`. What the target adds around it, such as a batch or its compression, is not
     * kept. Roles: `admin`, `operator`, `auditor`.
     */
    getDeliveredPayload: { id: 'getDeliveredPayload', method: 'GET', path: '/events/{id}/deliveries/{delivery_id}/payload' },
  },
  exports: {
    /**
     * Export events to a file.
     *
     * Every event that was committed before the response and matches is in the file, oldest first. A worker
     * writes it. Roles: `admin`, `operator`, `auditor`.
     */
    create: { id: 'createExport', method: 'POST', path: '/exports', takes: 'body' },
    /**
     * List exports.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listExports', method: 'GET', path: '/exports', takes: 'query', items: 'exports' },
    /**
     * Get an export.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getExport', method: 'GET', path: '/exports/{id}' },
    /**
     * Delete an export.
     *
     * Cancels an export that is under way. The file is removed within a minute. Roles: `admin`, `operator`,
     * `auditor`.
     */
    delete: { id: 'deleteExport', method: 'DELETE', path: '/exports/{id}' },
    /**
     * Cancel an export.
     *
     * Ends an export that is under way within seconds, and removes what was written. Roles: `admin`, `operator`,
     * `auditor`.
     */
    cancel: { id: 'cancelExport', method: 'POST', path: '/exports/{id}/cancel' },
    /**
     * Download the file of an export.
     *
     * The ETag is the SHA-256 of the file, as in the manifest. With `Range`, a download that broke is resumed.
     * Roles: `admin`, `operator`, `auditor`.
     */
    download: { id: 'downloadExport', method: 'GET', path: '/exports/{id}/download' },
  },
  failoverBackends: {
    /**
     * Create a failover backend.
     *
     * Sends traffic to the first child backend that is available. Roles: `admin`.
     */
    create: { id: 'createFailoverBackend', method: 'POST', path: '/backends/failover', takes: 'body' },
    /**
     * List failover backends.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listFailoverBackends', method: 'GET', path: '/backends/failover', takes: 'query', items: 'backends' },
    /**
     * Get a failover backend.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getFailoverBackend', method: 'GET', path: '/backends/failover/{id}' },
    /**
     * Update a failover backend.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateFailoverBackend', method: 'PATCH', path: '/backends/failover/{id}', takes: 'body' },
    /**
     * Delete a failover backend.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteFailoverBackend', method: 'DELETE', path: '/backends/failover/{id}' },
    /**
     * List the events of a failover backend.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listFailoverBackendEvents', method: 'GET', path: '/backends/failover/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to a failover backend.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listFailoverBackendReferences', method: 'GET', path: '/backends/failover/{id}/references', takes: 'query', items: 'references' },
  },
  health: {
    /**
     * Check that the process makes progress.
     */
    isAlive: { id: 'isAlive', method: 'GET', path: '/livez' },
    /**
     * Check that the process takes requests and the stores that it needs are usable.
     */
    isReady: { id: 'isReady', method: 'GET', path: '/readyz' },
  },
  httpResponseBackends: {
    /**
     * Create an HTTP-response backend.
     *
     * Returns a fixed response with the same status, headers and body to every request. Roles: `admin`.
     */
    create: { id: 'createHttpResponseBackend', method: 'POST', path: '/backends/http_response', takes: 'body' },
    /**
     * List HTTP-response backends.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listHttpResponseBackends', method: 'GET', path: '/backends/http_response', takes: 'query', items: 'backends' },
    /**
     * Get an HTTP-response backend.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getHttpResponseBackend', method: 'GET', path: '/backends/http_response/{id}' },
    /**
     * Update an HTTP-response backend.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateHttpResponseBackend', method: 'PATCH', path: '/backends/http_response/{id}', takes: 'body' },
    /**
     * Delete an HTTP-response backend.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteHttpResponseBackend', method: 'DELETE', path: '/backends/http_response/{id}' },
    /**
     * List the events of an HTTP-response backend.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listHttpResponseBackendEvents', method: 'GET', path: '/backends/http_response/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to an HTTP-response backend.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listHttpResponseBackendReferences', method: 'GET', path: '/backends/http_response/{id}/references', takes: 'query', items: 'references' },
  },
  httpsEdgeRoutes: {
    /**
     * Create an HTTPS edge route.
     *
     * Applies its modules to the matching requests of an edge and forwards the requests to its backend. Roles:
     * `admin`.
     */
    create: { id: 'createHttpsEdgeRoute', method: 'POST', path: '/edges/https/{edge_id}/routes', takes: 'body' },
    /**
     * List HTTPS edge routes.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listHttpsEdgeRoutes', method: 'GET', path: '/edges/https/{edge_id}/routes', takes: 'query', items: 'routes' },
    /**
     * Get an HTTPS edge route.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getHttpsEdgeRoute', method: 'GET', path: '/edges/https/{edge_id}/routes/{id}' },
    /**
     * Update an HTTPS edge route.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateHttpsEdgeRoute', method: 'PATCH', path: '/edges/https/{edge_id}/routes/{id}', takes: 'body' },
    /**
     * Delete an HTTPS edge route.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteHttpsEdgeRoute', method: 'DELETE', path: '/edges/https/{edge_id}/routes/{id}' },
    /**
     * Replace the backend module of an HTTPS edge route.
     *
     * Fields that are left out take their defaults. Secrets that are left out stay unchanged. Roles: `admin`.
     */
    replaceBackend: { id: 'replaceHttpsEdgeRouteBackend', method: 'PUT', path: '/edges/https/{edge_id}/routes/{id}/backend', takes: 'body' },
    /**
     * Get the backend module of an HTTPS edge route.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getBackend: { id: 'getHttpsEdgeRouteBackend', method: 'GET', path: '/edges/https/{edge_id}/routes/{id}/backend' },
    /**
     * Remove the backend module of an HTTPS edge route.
     *
     * Roles: `admin`.
     */
    deleteBackend: { id: 'deleteHttpsEdgeRouteBackend', method: 'DELETE', path: '/edges/https/{edge_id}/routes/{id}/backend' },
    /**
     * Replace the circuit breaker module of an HTTPS edge route.
     *
     * Fields that are left out take their defaults. Secrets that are left out stay unchanged. Roles: `admin`.
     */
    replaceCircuitBreaker: { id: 'replaceHttpsEdgeRouteCircuitBreaker', method: 'PUT', path: '/edges/https/{edge_id}/routes/{id}/circuit_breaker', takes: 'body' },
    /**
     * Get the circuit breaker module of an HTTPS edge route.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getCircuitBreaker: { id: 'getHttpsEdgeRouteCircuitBreaker', method: 'GET', path: '/edges/https/{edge_id}/routes/{id}/circuit_breaker' },
    /**
     * Remove the circuit breaker module of an HTTPS edge route.
     *
     * Roles: `admin`.
     */
    deleteCircuitBreaker: { id: 'deleteHttpsEdgeRouteCircuitBreaker', method: 'DELETE', path: '/edges/https/{edge_id}/routes/{id}/circuit_breaker' },
    /**
     * Replace the compression module of an HTTPS edge route.
     *
     * Fields that are left out take their defaults. Secrets that are left out stay unchanged. Roles: `admin`.
     */
    replaceCompression: { id: 'replaceHttpsEdgeRouteCompression', method: 'PUT', path: '/edges/https/{edge_id}/routes/{id}/compression', takes: 'body' },
    /**
     * Get the compression module of an HTTPS edge route.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getCompression: { id: 'getHttpsEdgeRouteCompression', method: 'GET', path: '/edges/https/{edge_id}/routes/{id}/compression' },
    /**
     * Remove the compression module of an HTTPS edge route.
     *
     * Roles: `admin`.
     */
    deleteCompression: { id: 'deleteHttpsEdgeRouteCompression', method: 'DELETE', path: '/edges/https/{edge_id}/routes/{id}/compression' },
    /**
     * List the events of an HTTPS edge route.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listHttpsEdgeRouteEvents', method: 'GET', path: '/edges/https/{edge_id}/routes/{id}/events', takes: 'query', items: 'events' },
    /**
     * Replace the IP restriction module of an HTTPS edge route.
     *
     * Fields that are left out take their defaults. Secrets that are left out stay unchanged. Roles: `admin`.
     */
    replaceIpRestriction: { id: 'replaceHttpsEdgeRouteIpRestriction', method: 'PUT', path: '/edges/https/{edge_id}/routes/{id}/ip_restriction', takes: 'body' },
    /**
     * Get the IP restriction module of an HTTPS edge route.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getIpRestriction: { id: 'getHttpsEdgeRouteIpRestriction', method: 'GET', path: '/edges/https/{edge_id}/routes/{id}/ip_restriction' },
    /**
     * Remove the IP restriction module of an HTTPS edge route.
     *
     * Roles: `admin`.
     */
    deleteIpRestriction: { id: 'deleteHttpsEdgeRouteIpRestriction', method: 'DELETE', path: '/edges/https/{edge_id}/routes/{id}/ip_restriction' },
    /**
     * Replace the OAuth module of an HTTPS edge route.
     *
     * Fields that are left out take their defaults. Secrets that are left out stay unchanged. Roles: `admin`.
     */
    replaceOauth: { id: 'replaceHttpsEdgeRouteOauth', method: 'PUT', path: '/edges/https/{edge_id}/routes/{id}/oauth', takes: 'body' },
    /**
     * Get the OAuth module of an HTTPS edge route.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getOauth: { id: 'getHttpsEdgeRouteOauth', method: 'GET', path: '/edges/https/{edge_id}/routes/{id}/oauth' },
    /**
     * Remove the OAuth module of an HTTPS edge route.
     *
     * Roles: `admin`.
     */
    deleteOauth: { id: 'deleteHttpsEdgeRouteOauth', method: 'DELETE', path: '/edges/https/{edge_id}/routes/{id}/oauth' },
    /**
     * Replace the OpenID Connect module of an HTTPS edge route.
     *
     * Fields that are left out take their defaults. Secrets that are left out stay unchanged. Roles: `admin`.
     */
    replaceOidc: { id: 'replaceHttpsEdgeRouteOidc', method: 'PUT', path: '/edges/https/{edge_id}/routes/{id}/oidc', takes: 'body' },
    /**
     * Get the OpenID Connect module of an HTTPS edge route.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getOidc: { id: 'getHttpsEdgeRouteOidc', method: 'GET', path: '/edges/https/{edge_id}/routes/{id}/oidc' },
    /**
     * Remove the OpenID Connect module of an HTTPS edge route.
     *
     * Roles: `admin`.
     */
    deleteOidc: { id: 'deleteHttpsEdgeRouteOidc', method: 'DELETE', path: '/edges/https/{edge_id}/routes/{id}/oidc' },
    /**
     * List the resources that refer to an HTTPS edge route.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listHttpsEdgeRouteReferences', method: 'GET', path: '/edges/https/{edge_id}/routes/{id}/references', takes: 'query', items: 'references' },
    /**
     * Replace the request headers module of an HTTPS edge route.
     *
     * Fields that are left out take their defaults. Secrets that are left out stay unchanged. Roles: `admin`.
     */
    replaceRequestHeaders: { id: 'replaceHttpsEdgeRouteRequestHeaders', method: 'PUT', path: '/edges/https/{edge_id}/routes/{id}/request_headers', takes: 'body' },
    /**
     * Get the request headers module of an HTTPS edge route.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getRequestHeaders: { id: 'getHttpsEdgeRouteRequestHeaders', method: 'GET', path: '/edges/https/{edge_id}/routes/{id}/request_headers' },
    /**
     * Remove the request headers module of an HTTPS edge route.
     *
     * Roles: `admin`.
     */
    deleteRequestHeaders: { id: 'deleteHttpsEdgeRouteRequestHeaders', method: 'DELETE', path: '/edges/https/{edge_id}/routes/{id}/request_headers' },
    /**
     * Replace the response headers module of an HTTPS edge route.
     *
     * Fields that are left out take their defaults. Secrets that are left out stay unchanged. Roles: `admin`.
     */
    replaceResponseHeaders: { id: 'replaceHttpsEdgeRouteResponseHeaders', method: 'PUT', path: '/edges/https/{edge_id}/routes/{id}/response_headers', takes: 'body' },
    /**
     * Get the response headers module of an HTTPS edge route.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getResponseHeaders: { id: 'getHttpsEdgeRouteResponseHeaders', method: 'GET', path: '/edges/https/{edge_id}/routes/{id}/response_headers' },
    /**
     * Remove the response headers module of an HTTPS edge route.
     *
     * Roles: `admin`.
     */
    deleteResponseHeaders: { id: 'deleteHttpsEdgeRouteResponseHeaders', method: 'DELETE', path: '/edges/https/{edge_id}/routes/{id}/response_headers' },
    /**
     * Replace the SAML module of an HTTPS edge route.
     *
     * Fields that are left out take their defaults. Secrets that are left out stay unchanged. Roles: `admin`.
     */
    replaceSaml: { id: 'replaceHttpsEdgeRouteSaml', method: 'PUT', path: '/edges/https/{edge_id}/routes/{id}/saml', takes: 'body' },
    /**
     * Get the SAML module of an HTTPS edge route.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getSaml: { id: 'getHttpsEdgeRouteSaml', method: 'GET', path: '/edges/https/{edge_id}/routes/{id}/saml' },
    /**
     * Remove the SAML module of an HTTPS edge route.
     *
     * Roles: `admin`.
     */
    deleteSaml: { id: 'deleteHttpsEdgeRouteSaml', method: 'DELETE', path: '/edges/https/{edge_id}/routes/{id}/saml' },
    /**
     * Replace the traffic policy module of an HTTPS edge route.
     *
     * Fields that are left out take their defaults. Secrets that are left out stay unchanged. Roles: `admin`.
     */
    replaceTrafficPolicy: { id: 'replaceHttpsEdgeRouteTrafficPolicy', method: 'PUT', path: '/edges/https/{edge_id}/routes/{id}/traffic_policy', takes: 'body' },
    /**
     * Get the traffic policy module of an HTTPS edge route.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getTrafficPolicy: { id: 'getHttpsEdgeRouteTrafficPolicy', method: 'GET', path: '/edges/https/{edge_id}/routes/{id}/traffic_policy' },
    /**
     * Remove the traffic policy module of an HTTPS edge route.
     *
     * Roles: `admin`.
     */
    deleteTrafficPolicy: { id: 'deleteHttpsEdgeRouteTrafficPolicy', method: 'DELETE', path: '/edges/https/{edge_id}/routes/{id}/traffic_policy' },
    /**
     * Replace the user agent filter module of an HTTPS edge route.
     *
     * Fields that are left out take their defaults. Secrets that are left out stay unchanged. Roles: `admin`.
     */
    replaceUserAgentFilter: { id: 'replaceHttpsEdgeRouteUserAgentFilter', method: 'PUT', path: '/edges/https/{edge_id}/routes/{id}/user_agent_filter', takes: 'body' },
    /**
     * Get the user agent filter module of an HTTPS edge route.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getUserAgentFilter: { id: 'getHttpsEdgeRouteUserAgentFilter', method: 'GET', path: '/edges/https/{edge_id}/routes/{id}/user_agent_filter' },
    /**
     * Remove the user agent filter module of an HTTPS edge route.
     *
     * Roles: `admin`.
     */
    deleteUserAgentFilter: { id: 'deleteHttpsEdgeRouteUserAgentFilter', method: 'DELETE', path: '/edges/https/{edge_id}/routes/{id}/user_agent_filter' },
    /**
     * Replace the webhook verification module of an HTTPS edge route.
     *
     * Fields that are left out take their defaults. Secrets that are left out stay unchanged. Roles: `admin`.
     */
    replaceWebhookVerification: { id: 'replaceHttpsEdgeRouteWebhookVerification', method: 'PUT', path: '/edges/https/{edge_id}/routes/{id}/webhook_verification', takes: 'body' },
    /**
     * Get the webhook verification module of an HTTPS edge route.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getWebhookVerification: { id: 'getHttpsEdgeRouteWebhookVerification', method: 'GET', path: '/edges/https/{edge_id}/routes/{id}/webhook_verification' },
    /**
     * Remove the webhook verification module of an HTTPS edge route.
     *
     * Roles: `admin`.
     */
    deleteWebhookVerification: { id: 'deleteHttpsEdgeRouteWebhookVerification', method: 'DELETE', path: '/edges/https/{edge_id}/routes/{id}/webhook_verification' },
    /**
     * Replace the WebSocket to TCP converter module of an HTTPS edge route.
     *
     * Fields that are left out take their defaults. Secrets that are left out stay unchanged. Roles: `admin`.
     */
    replaceWebsocketTcpConverter: { id: 'replaceHttpsEdgeRouteWebsocketTcpConverter', method: 'PUT', path: '/edges/https/{edge_id}/routes/{id}/websocket_tcp_converter', takes: 'body' },
    /**
     * Get the WebSocket to TCP converter module of an HTTPS edge route.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getWebsocketTcpConverter: { id: 'getHttpsEdgeRouteWebsocketTcpConverter', method: 'GET', path: '/edges/https/{edge_id}/routes/{id}/websocket_tcp_converter' },
    /**
     * Remove the WebSocket to TCP converter module of an HTTPS edge route.
     *
     * Roles: `admin`.
     */
    deleteWebsocketTcpConverter: { id: 'deleteHttpsEdgeRouteWebsocketTcpConverter', method: 'DELETE', path: '/edges/https/{edge_id}/routes/{id}/websocket_tcp_converter' },
  },
  httpsEdges: {
    /**
     * Create an HTTPS edge.
     *
     * Receives HTTPS traffic at its hostports and passes each request to the matching route. Roles: `admin`.
     */
    create: { id: 'createHttpsEdge', method: 'POST', path: '/edges/https', takes: 'body' },
    /**
     * List HTTPS edges.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listHttpsEdges', method: 'GET', path: '/edges/https', takes: 'query', items: 'https_edges' },
    /**
     * Get an HTTPS edge.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getHttpsEdge', method: 'GET', path: '/edges/https/{id}' },
    /**
     * Update an HTTPS edge.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateHttpsEdge', method: 'PATCH', path: '/edges/https/{id}', takes: 'body' },
    /**
     * Delete an HTTPS edge.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteHttpsEdge', method: 'DELETE', path: '/edges/https/{id}' },
    /**
     * List the events of an HTTPS edge.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listHttpsEdgeEvents', method: 'GET', path: '/edges/https/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to an HTTPS edge.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listHttpsEdgeReferences', method: 'GET', path: '/edges/https/{id}/references', takes: 'query', items: 'references' },
  },
  ipPolicies: {
    /**
     * Create an IP policy.
     *
     * Sets of rules that allow or deny source addresses. Edges and routes refer to IP policies. Roles: `admin`.
     */
    create: { id: 'createIpPolicy', method: 'POST', path: '/ip_policies', takes: 'body' },
    /**
     * List IP policies.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listIpPolicies', method: 'GET', path: '/ip_policies', takes: 'query', items: 'ip_policies' },
    /**
     * Get an IP policy.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getIpPolicy', method: 'GET', path: '/ip_policies/{id}' },
    /**
     * Update an IP policy.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateIpPolicy', method: 'PATCH', path: '/ip_policies/{id}', takes: 'body' },
    /**
     * Delete an IP policy.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteIpPolicy', method: 'DELETE', path: '/ip_policies/{id}' },
    /**
     * List the events of an IP policy.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listIpPolicyEvents', method: 'GET', path: '/ip_policies/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to an IP policy.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listIpPolicyReferences', method: 'GET', path: '/ip_policies/{id}/references', takes: 'query', items: 'references' },
  },
  ipPolicyRules: {
    /**
     * Create an IP policy rule.
     *
     * One range of source addresses that an IP policy allows or denies. Roles: `admin`.
     */
    create: { id: 'createIpPolicyRule', method: 'POST', path: '/ip_policy_rules', takes: 'body' },
    /**
     * List IP policy rules.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listIpPolicyRules', method: 'GET', path: '/ip_policy_rules', takes: 'query', items: 'ip_policy_rules' },
    /**
     * Get an IP policy rule.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getIpPolicyRule', method: 'GET', path: '/ip_policy_rules/{id}' },
    /**
     * Update an IP policy rule.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateIpPolicyRule', method: 'PATCH', path: '/ip_policy_rules/{id}', takes: 'body' },
    /**
     * Delete an IP policy rule.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteIpPolicyRule', method: 'DELETE', path: '/ip_policy_rules/{id}' },
    /**
     * List the events of an IP policy rule.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listIpPolicyRuleEvents', method: 'GET', path: '/ip_policy_rules/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to an IP policy rule.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listIpPolicyRuleReferences', method: 'GET', path: '/ip_policy_rules/{id}/references', takes: 'query', items: 'references' },
  },
  recoveries: {
    /**
     * Redeliver what event destinations did not receive.
     *
     * Redelivers the `rejected` and `expired` deliveries to several destinations, one destination after the
     * other, as `POST /event_destinations/{id}/redeliveries` does for one. It continues when the client is gone.
     * An account has one unfinished recovery at a time. Roles: `admin`, `operator`.
     */
    create: { id: 'createRecovery', method: 'POST', path: '/event_destinations/recoveries', takes: 'body' },
    /**
     * List the recoveries.
     *
     * Ended recoveries are listed for `RETENTION_DELIVERED_DAYS`. Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listRecoveries', method: 'GET', path: '/event_destinations/recoveries', takes: 'query', items: 'recoveries' },
    /**
     * Get a recovery.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getRecovery', method: 'GET', path: '/event_destinations/recoveries/{recovery_id}' },
    /**
     * Cancel a recovery.
     *
     * No more events are queued, except up to about 1,000 by a step that is under way; what is queued is sent. A
     * recovery that has ended stays as it is, and is returned. Roles: `admin`, `operator`.
     */
    cancel: { id: 'cancelRecovery', method: 'POST', path: '/event_destinations/recoveries/{recovery_id}/cancel' },
  },
  reservedAddresses: {
    /**
     * Create a reserved address.
     *
     * A host and port for TCP traffic, assigned at creation. An address is never assigned again, even after its
     * deletion. Roles: `admin`.
     */
    create: { id: 'createReservedAddr', method: 'POST', path: '/reserved_addrs', takes: 'body' },
    /**
     * List reserved addresses.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listReservedAddresses', method: 'GET', path: '/reserved_addrs', takes: 'query', items: 'reserved_addrs' },
    /**
     * Get a reserved address.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getReservedAddr', method: 'GET', path: '/reserved_addrs/{id}' },
    /**
     * Update a reserved address.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateReservedAddr', method: 'PATCH', path: '/reserved_addrs/{id}', takes: 'body' },
    /**
     * Delete a reserved address.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteReservedAddr', method: 'DELETE', path: '/reserved_addrs/{id}' },
    /**
     * List the events of a reserved address.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listReservedAddrEvents', method: 'GET', path: '/reserved_addrs/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to a reserved address.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listReservedAddrReferences', method: 'GET', path: '/reserved_addrs/{id}/references', takes: 'query', items: 'references' },
  },
  reservedDomains: {
    /**
     * Create a reserved domain.
     *
     * A host name, or a wildcard, that belongs to one account. A subdomain of a service-owned domain works at
     * once. Any other name needs the DNS records in the response. Roles: `admin`.
     */
    create: { id: 'createReservedDomain', method: 'POST', path: '/reserved_domains', takes: 'body' },
    /**
     * List reserved domains.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listReservedDomains', method: 'GET', path: '/reserved_domains', takes: 'query', items: 'reserved_domains' },
    /**
     * Get a reserved domain.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getReservedDomain', method: 'GET', path: '/reserved_domains/{id}' },
    /**
     * Update a reserved domain.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateReservedDomain', method: 'PATCH', path: '/reserved_domains/{id}', takes: 'body' },
    /**
     * Delete a reserved domain.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteReservedDomain', method: 'DELETE', path: '/reserved_domains/{id}' },
    /**
     * List the events of a reserved domain.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listReservedDomainEvents', method: 'GET', path: '/reserved_domains/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to a reserved domain.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listReservedDomainReferences', method: 'GET', path: '/reserved_domains/{id}/references', takes: 'query', items: 'references' },
  },
  resourceTypes: {
    /**
     * Create a resource type.
     *
     * A kind of resource of your own API. Its event types `<name>_<action>.v<version>` are listed beside the
     * built-in ones, and subscriptions can have them as sources. Roles: `admin`.
     */
    create: { id: 'createResourceType', method: 'POST', path: '/resource_types', takes: 'body' },
    /**
     * List resource types.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listResourceTypes', method: 'GET', path: '/resource_types', takes: 'query', items: 'resource_types' },
    /**
     * Get a resource type.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getResourceType', method: 'GET', path: '/resource_types/{id}' },
    /**
     * Update a resource type.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateResourceType', method: 'PATCH', path: '/resource_types/{id}', takes: 'body' },
    /**
     * Delete a resource type.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteResourceType', method: 'DELETE', path: '/resource_types/{id}' },
    /**
     * List the events of a resource type.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listResourceTypeEvents', method: 'GET', path: '/resource_types/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to a resource type.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listResourceTypeReferences', method: 'GET', path: '/resource_types/{id}/references', takes: 'query', items: 'references' },
  },
  retention: {
    /**
     * Get what is kept until when.
     *
     * Lists that miss removed items say so with `complete_since`. Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getRetention', method: 'GET', path: '/retention' },
  },
  service: {
    /**
     * Get what runs here.
     *
     * The release, the queue backend, and which workers are alive. The same for every account. Roles: `admin`,
     * `operator`, `auditor`, `publisher`.
     */
    get: { id: 'getService', method: 'GET', path: '/service' },
  },
  session: {
    /**
     * Sign in.
     *
     * Begins a session of an API key, and sets its cookie: `waybill_session`, or `__Host-waybill_session` over
     * HTTPS. It lasts eight hours, or as long as the key exists. For pages of this origin only. Unknown keys and
     * codes count by address.
     */
    create: { id: 'createSession', method: 'POST', path: '/session', takes: 'body' },
    /**
     * Get the caller.
     *
     * Says who the request comes from, with a session or an API key. Roles: `admin`, `operator`, `auditor`,
     * `publisher`.
     */
    get: { id: 'getSession', method: 'GET', path: '/session' },
    /**
     * Sign out.
     *
     * Ends the session of the cookie on the server, and removes the cookie. Without a session it changes
     * nothing.
     */
    delete: { id: 'deleteSession', method: 'DELETE', path: '/session' },
    /**
     * Create a sign-in code.
     *
     * Makes an address that signs a browser in to the console once, with the API key of this request. The
     * session of a code that a session made ends no later than that one, and the code is void after it. Roles:
     * `admin`, `operator`, `auditor`, `publisher`.
     */
    createCode: { id: 'createSessionCode', method: 'POST', path: '/session_codes' },
  },
  targetKinds: {
    /**
     * List the kinds of target.
     *
     * What a form for a destination needs: labels, limits, examples, and which fields are secrets. Roles:
     * `admin`, `operator`, `auditor`.
     */
    list: { id: 'listTargetKinds', method: 'GET', path: '/target_kinds', items: 'target_kinds' },
  },
  tcpEdges: {
    /**
     * Create a TCP edge.
     *
     * Accepts TCP connections at its hostports, applies its modules and forwards the connections to its backend.
     * Roles: `admin`.
     */
    create: { id: 'createTcpEdge', method: 'POST', path: '/edges/tcp', takes: 'body' },
    /**
     * List TCP edges.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listTcpEdges', method: 'GET', path: '/edges/tcp', takes: 'query', items: 'tcp_edges' },
    /**
     * Get a TCP edge.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getTcpEdge', method: 'GET', path: '/edges/tcp/{id}' },
    /**
     * Update a TCP edge.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateTcpEdge', method: 'PATCH', path: '/edges/tcp/{id}', takes: 'body' },
    /**
     * Delete a TCP edge.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteTcpEdge', method: 'DELETE', path: '/edges/tcp/{id}' },
    /**
     * Replace the backend module of a TCP edge.
     *
     * Fields that are left out take their defaults. Secrets that are left out stay unchanged. Roles: `admin`.
     */
    replaceBackend: { id: 'replaceTcpEdgeBackend', method: 'PUT', path: '/edges/tcp/{id}/backend', takes: 'body' },
    /**
     * Get the backend module of a TCP edge.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getBackend: { id: 'getTcpEdgeBackend', method: 'GET', path: '/edges/tcp/{id}/backend' },
    /**
     * Remove the backend module of a TCP edge.
     *
     * Roles: `admin`.
     */
    deleteBackend: { id: 'deleteTcpEdgeBackend', method: 'DELETE', path: '/edges/tcp/{id}/backend' },
    /**
     * List the events of a TCP edge.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listTcpEdgeEvents', method: 'GET', path: '/edges/tcp/{id}/events', takes: 'query', items: 'events' },
    /**
     * Replace the IP restriction module of a TCP edge.
     *
     * Fields that are left out take their defaults. Secrets that are left out stay unchanged. Roles: `admin`.
     */
    replaceIpRestriction: { id: 'replaceTcpEdgeIpRestriction', method: 'PUT', path: '/edges/tcp/{id}/ip_restriction', takes: 'body' },
    /**
     * Get the IP restriction module of a TCP edge.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getIpRestriction: { id: 'getTcpEdgeIpRestriction', method: 'GET', path: '/edges/tcp/{id}/ip_restriction' },
    /**
     * Remove the IP restriction module of a TCP edge.
     *
     * Roles: `admin`.
     */
    deleteIpRestriction: { id: 'deleteTcpEdgeIpRestriction', method: 'DELETE', path: '/edges/tcp/{id}/ip_restriction' },
    /**
     * List the resources that refer to a TCP edge.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listTcpEdgeReferences', method: 'GET', path: '/edges/tcp/{id}/references', takes: 'query', items: 'references' },
    /**
     * Replace the traffic policy module of a TCP edge.
     *
     * Fields that are left out take their defaults. Secrets that are left out stay unchanged. Roles: `admin`.
     */
    replaceTrafficPolicy: { id: 'replaceTcpEdgeTrafficPolicy', method: 'PUT', path: '/edges/tcp/{id}/traffic_policy', takes: 'body' },
    /**
     * Get the traffic policy module of a TCP edge.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    getTrafficPolicy: { id: 'getTcpEdgeTrafficPolicy', method: 'GET', path: '/edges/tcp/{id}/traffic_policy' },
    /**
     * Remove the traffic policy module of a TCP edge.
     *
     * Roles: `admin`.
     */
    deleteTrafficPolicy: { id: 'deleteTcpEdgeTrafficPolicy', method: 'DELETE', path: '/edges/tcp/{id}/traffic_policy' },
  },
  tlsCertificates: {
    /**
     * Create a TLS certificate.
     *
     * A certificate with its private key. Reserved domains refer to the certificate for their TLS traffic.
     * Roles: `admin`.
     */
    create: { id: 'createTlsCertificate', method: 'POST', path: '/tls_certificates', takes: 'body' },
    /**
     * List TLS certificates.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listTlsCertificates', method: 'GET', path: '/tls_certificates', takes: 'query', items: 'tls_certificates' },
    /**
     * Get a TLS certificate.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getTlsCertificate', method: 'GET', path: '/tls_certificates/{id}' },
    /**
     * Update a TLS certificate.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateTlsCertificate', method: 'PATCH', path: '/tls_certificates/{id}', takes: 'body' },
    /**
     * Delete a TLS certificate.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteTlsCertificate', method: 'DELETE', path: '/tls_certificates/{id}' },
    /**
     * List the events of a TLS certificate.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listTlsCertificateEvents', method: 'GET', path: '/tls_certificates/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to a TLS certificate.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listTlsCertificateReferences', method: 'GET', path: '/tls_certificates/{id}/references', takes: 'query', items: 'references' },
  },
  tunnelGroupBackends: {
    /**
     * Create a tunnel-group backend.
     *
     * Sends traffic to the online tunnels that have all its labels. Roles: `admin`.
     */
    create: { id: 'createTunnelGroupBackend', method: 'POST', path: '/backends/tunnel_group', takes: 'body' },
    /**
     * List tunnel-group backends.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listTunnelGroupBackends', method: 'GET', path: '/backends/tunnel_group', takes: 'query', items: 'backends' },
    /**
     * Get a tunnel-group backend.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getTunnelGroupBackend', method: 'GET', path: '/backends/tunnel_group/{id}' },
    /**
     * Update a tunnel-group backend.
     *
     * Fields that are left out stay as they are. Null clears a nullable field. Roles: `admin`.
     */
    update: { id: 'updateTunnelGroupBackend', method: 'PATCH', path: '/backends/tunnel_group/{id}', takes: 'body' },
    /**
     * Delete a tunnel-group backend.
     *
     * Roles: `admin`.
     */
    delete: { id: 'deleteTunnelGroupBackend', method: 'DELETE', path: '/backends/tunnel_group/{id}' },
    /**
     * List the events of a tunnel-group backend.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listTunnelGroupBackendEvents', method: 'GET', path: '/backends/tunnel_group/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to a tunnel-group backend.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listTunnelGroupBackendReferences', method: 'GET', path: '/backends/tunnel_group/{id}/references', takes: 'query', items: 'references' },
  },
  tunnelSessions: {
    /**
     * List tunnel sessions.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listTunnelSessions', method: 'GET', path: '/tunnel_sessions', takes: 'query', items: 'tunnel_sessions' },
    /**
     * Get a tunnel session.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getTunnelSession', method: 'GET', path: '/tunnel_sessions/{id}' },
    /**
     * List the events of a tunnel session.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listTunnelSessionEvents', method: 'GET', path: '/tunnel_sessions/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to a tunnel session.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listTunnelSessionReferences', method: 'GET', path: '/tunnel_sessions/{id}/references', takes: 'query', items: 'references' },
  },
  tunnels: {
    /**
     * List tunnels.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    list: { id: 'listTunnels', method: 'GET', path: '/tunnels', takes: 'query', items: 'tunnels' },
    /**
     * Get a tunnel.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getTunnel', method: 'GET', path: '/tunnels/{id}' },
    /**
     * List the events of a tunnel.
     *
     * The history of the resource. It remains after the deletion of the resource, as long as its events.
     * Published events are no part of it, whatever their `resource_id` is. Roles: `admin`, `operator`,
     * `auditor`.
     */
    listEvents: { id: 'listTunnelEvents', method: 'GET', path: '/tunnels/{id}/events', takes: 'query', items: 'events' },
    /**
     * List the resources that refer to a tunnel.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listTunnelReferences', method: 'GET', path: '/tunnels/{id}/references', takes: 'query', items: 'references' },
  },
  users: {
    /**
     * Get a user.
     *
     * Roles: `admin`, `operator`, `auditor`.
     */
    get: { id: 'getUser', method: 'GET', path: '/users/{id}' },
    /**
     * List the resources that refer to a user.
     *
     * A resource that is a part of another one refers to it. The list has each resource once, with all members
     * that hold the id. Roles: `admin`, `operator`, `auditor`.
     */
    listReferences: { id: 'listUserReferences', method: 'GET', path: '/users/{id}/references', takes: 'query', items: 'references' },
  },
} as const;

/** The input and output of every operation. */
export interface OperationTypes {
  cancelBackfill: { input: types.CancelBackfillData; output: types.CancelBackfillResponse };
  cancelExport: { input: types.CancelExportData; output: types.CancelExportResponse };
  cancelRecovery: { input: types.CancelRecoveryData; output: types.CancelRecoveryResponse };
  countEvents: { input: types.CountEventsData; output: types.CountEventsResponse };
  countUndeliveredDeliveries: { input: types.CountUndeliveredDeliveriesData; output: types.CountUndeliveredDeliveriesResponse };
  createAgentIngress: { input: types.CreateAgentIngressData; output: types.CreateAgentIngressResponse };
  createApiKey: { input: types.CreateApiKeyData; output: types.CreateApiKeyResponse };
  createBackfill: { input: types.CreateBackfillData; output: types.CreateBackfillResponse };
  createBotUser: { input: types.CreateBotUserData; output: types.CreateBotUserResponse };
  createCertificateAuthority: { input: types.CreateCertificateAuthorityData; output: types.CreateCertificateAuthorityResponse };
  createEndpoint: { input: types.CreateEndpointData; output: types.CreateEndpointResponse };
  createEndpointConfiguration: { input: types.CreateEndpointConfigurationData; output: types.CreateEndpointConfigurationResponse };
  createErasure: { input: types.CreateErasureData; output: types.CreateErasureResponse };
  createEventDestination: { input: types.CreateEventDestinationData; output: types.CreateEventDestinationResponse };
  createEventSource: { input: types.CreateEventSourceData; output: types.CreateEventSourceResponse };
  createEventSubscription: { input: types.CreateEventSubscriptionData; output: types.CreateEventSubscriptionResponse };
  createExport: { input: types.CreateExportData; output: types.CreateExportResponse };
  createFailoverBackend: { input: types.CreateFailoverBackendData; output: types.CreateFailoverBackendResponse };
  createHttpResponseBackend: { input: types.CreateHttpResponseBackendData; output: types.CreateHttpResponseBackendResponse };
  createHttpsEdge: { input: types.CreateHttpsEdgeData; output: types.CreateHttpsEdgeResponse };
  createHttpsEdgeRoute: { input: types.CreateHttpsEdgeRouteData; output: types.CreateHttpsEdgeRouteResponse };
  createIpPolicy: { input: types.CreateIpPolicyData; output: types.CreateIpPolicyResponse };
  createIpPolicyRule: { input: types.CreateIpPolicyRuleData; output: types.CreateIpPolicyRuleResponse };
  createRecovery: { input: types.CreateRecoveryData; output: types.CreateRecoveryResponse };
  createReservedAddr: { input: types.CreateReservedAddrData; output: types.CreateReservedAddrResponse };
  createReservedDomain: { input: types.CreateReservedDomainData; output: types.CreateReservedDomainResponse };
  createResourceType: { input: types.CreateResourceTypeData; output: types.CreateResourceTypeResponse };
  createSession: { input: types.CreateSessionData; output: types.CreateSessionResponse };
  createSessionCode: { input: types.CreateSessionCodeData; output: types.CreateSessionCodeResponse };
  createTcpEdge: { input: types.CreateTcpEdgeData; output: types.CreateTcpEdgeResponse };
  createTlsCertificate: { input: types.CreateTlsCertificateData; output: types.CreateTlsCertificateResponse };
  createTunnelGroupBackend: { input: types.CreateTunnelGroupBackendData; output: types.CreateTunnelGroupBackendResponse };
  deleteAgentIngress: { input: types.DeleteAgentIngressData; output: types.DeleteAgentIngressResponse };
  deleteApiKey: { input: types.DeleteApiKeyData; output: types.DeleteApiKeyResponse };
  deleteBotUser: { input: types.DeleteBotUserData; output: types.DeleteBotUserResponse };
  deleteCertificateAuthority: { input: types.DeleteCertificateAuthorityData; output: types.DeleteCertificateAuthorityResponse };
  deleteEndpoint: { input: types.DeleteEndpointData; output: types.DeleteEndpointResponse };
  deleteEndpointConfiguration: { input: types.DeleteEndpointConfigurationData; output: types.DeleteEndpointConfigurationResponse };
  deleteEventDestination: { input: types.DeleteEventDestinationData; output: types.DeleteEventDestinationResponse };
  deleteEventSource: { input: types.DeleteEventSourceData; output: types.DeleteEventSourceResponse };
  deleteEventSubscription: { input: types.DeleteEventSubscriptionData; output: types.DeleteEventSubscriptionResponse };
  deleteExport: { input: types.DeleteExportData; output: types.DeleteExportResponse };
  deleteFailoverBackend: { input: types.DeleteFailoverBackendData; output: types.DeleteFailoverBackendResponse };
  deleteHttpResponseBackend: { input: types.DeleteHttpResponseBackendData; output: types.DeleteHttpResponseBackendResponse };
  deleteHttpsEdge: { input: types.DeleteHttpsEdgeData; output: types.DeleteHttpsEdgeResponse };
  deleteHttpsEdgeRoute: { input: types.DeleteHttpsEdgeRouteData; output: types.DeleteHttpsEdgeRouteResponse };
  deleteHttpsEdgeRouteBackend: { input: types.DeleteHttpsEdgeRouteBackendData; output: types.DeleteHttpsEdgeRouteBackendResponse };
  deleteHttpsEdgeRouteCircuitBreaker: { input: types.DeleteHttpsEdgeRouteCircuitBreakerData; output: types.DeleteHttpsEdgeRouteCircuitBreakerResponse };
  deleteHttpsEdgeRouteCompression: { input: types.DeleteHttpsEdgeRouteCompressionData; output: types.DeleteHttpsEdgeRouteCompressionResponse };
  deleteHttpsEdgeRouteIpRestriction: { input: types.DeleteHttpsEdgeRouteIpRestrictionData; output: types.DeleteHttpsEdgeRouteIpRestrictionResponse };
  deleteHttpsEdgeRouteOauth: { input: types.DeleteHttpsEdgeRouteOauthData; output: types.DeleteHttpsEdgeRouteOauthResponse };
  deleteHttpsEdgeRouteOidc: { input: types.DeleteHttpsEdgeRouteOidcData; output: types.DeleteHttpsEdgeRouteOidcResponse };
  deleteHttpsEdgeRouteRequestHeaders: { input: types.DeleteHttpsEdgeRouteRequestHeadersData; output: types.DeleteHttpsEdgeRouteRequestHeadersResponse };
  deleteHttpsEdgeRouteResponseHeaders: { input: types.DeleteHttpsEdgeRouteResponseHeadersData; output: types.DeleteHttpsEdgeRouteResponseHeadersResponse };
  deleteHttpsEdgeRouteSaml: { input: types.DeleteHttpsEdgeRouteSamlData; output: types.DeleteHttpsEdgeRouteSamlResponse };
  deleteHttpsEdgeRouteTrafficPolicy: { input: types.DeleteHttpsEdgeRouteTrafficPolicyData; output: types.DeleteHttpsEdgeRouteTrafficPolicyResponse };
  deleteHttpsEdgeRouteUserAgentFilter: { input: types.DeleteHttpsEdgeRouteUserAgentFilterData; output: types.DeleteHttpsEdgeRouteUserAgentFilterResponse };
  deleteHttpsEdgeRouteWebhookVerification: { input: types.DeleteHttpsEdgeRouteWebhookVerificationData; output: types.DeleteHttpsEdgeRouteWebhookVerificationResponse };
  deleteHttpsEdgeRouteWebsocketTcpConverter: { input: types.DeleteHttpsEdgeRouteWebsocketTcpConverterData; output: types.DeleteHttpsEdgeRouteWebsocketTcpConverterResponse };
  deleteIpPolicy: { input: types.DeleteIpPolicyData; output: types.DeleteIpPolicyResponse };
  deleteIpPolicyRule: { input: types.DeleteIpPolicyRuleData; output: types.DeleteIpPolicyRuleResponse };
  deleteReservedAddr: { input: types.DeleteReservedAddrData; output: types.DeleteReservedAddrResponse };
  deleteReservedDomain: { input: types.DeleteReservedDomainData; output: types.DeleteReservedDomainResponse };
  deleteResourceType: { input: types.DeleteResourceTypeData; output: types.DeleteResourceTypeResponse };
  deleteSession: { input: types.DeleteSessionData; output: types.DeleteSessionResponse };
  deleteTcpEdge: { input: types.DeleteTcpEdgeData; output: types.DeleteTcpEdgeResponse };
  deleteTcpEdgeBackend: { input: types.DeleteTcpEdgeBackendData; output: types.DeleteTcpEdgeBackendResponse };
  deleteTcpEdgeIpRestriction: { input: types.DeleteTcpEdgeIpRestrictionData; output: types.DeleteTcpEdgeIpRestrictionResponse };
  deleteTcpEdgeTrafficPolicy: { input: types.DeleteTcpEdgeTrafficPolicyData; output: types.DeleteTcpEdgeTrafficPolicyResponse };
  deleteTlsCertificate: { input: types.DeleteTlsCertificateData; output: types.DeleteTlsCertificateResponse };
  deleteTunnelGroupBackend: { input: types.DeleteTunnelGroupBackendData; output: types.DeleteTunnelGroupBackendResponse };
  downloadExport: { input: types.DownloadExportData; output: types.DownloadExportResponse };
  exportEvents: { input: types.ExportEventsData; output: types.ExportEventsResponse };
  getAgentIngress: { input: types.GetAgentIngressData; output: types.GetAgentIngressResponse };
  getApiKey: { input: types.GetApiKeyData; output: types.GetApiKeyResponse };
  getBackfill: { input: types.GetBackfillData; output: types.GetBackfillResponse };
  getBotUser: { input: types.GetBotUserData; output: types.GetBotUserResponse };
  getCertificateAuthority: { input: types.GetCertificateAuthorityData; output: types.GetCertificateAuthorityResponse };
  getDeliveredPayload: { input: types.GetDeliveredPayloadData; output: types.GetDeliveredPayloadResponse };
  getEndpoint: { input: types.GetEndpointData; output: types.GetEndpointResponse };
  getEndpointConfiguration: { input: types.GetEndpointConfigurationData; output: types.GetEndpointConfigurationResponse };
  getErasure: { input: types.GetErasureData; output: types.GetErasureResponse };
  getEvent: { input: types.GetEventData; output: types.GetEventResponse };
  getEventDestination: { input: types.GetEventDestinationData; output: types.GetEventDestinationResponse };
  getEventDestinationMetrics: { input: types.GetEventDestinationMetricsData; output: types.GetEventDestinationMetricsResponse };
  getEventDestinationStatus: { input: types.GetEventDestinationStatusData; output: types.GetEventDestinationStatusResponse };
  getEventSource: { input: types.GetEventSourceData; output: types.GetEventSourceResponse };
  getEventSubscription: { input: types.GetEventSubscriptionData; output: types.GetEventSubscriptionResponse };
  getEventType: { input: types.GetEventTypeData; output: types.GetEventTypeResponse };
  getExport: { input: types.GetExportData; output: types.GetExportResponse };
  getFailoverBackend: { input: types.GetFailoverBackendData; output: types.GetFailoverBackendResponse };
  getHttpResponseBackend: { input: types.GetHttpResponseBackendData; output: types.GetHttpResponseBackendResponse };
  getHttpsEdge: { input: types.GetHttpsEdgeData; output: types.GetHttpsEdgeResponse };
  getHttpsEdgeRoute: { input: types.GetHttpsEdgeRouteData; output: types.GetHttpsEdgeRouteResponse };
  getHttpsEdgeRouteBackend: { input: types.GetHttpsEdgeRouteBackendData; output: types.GetHttpsEdgeRouteBackendResponse };
  getHttpsEdgeRouteCircuitBreaker: { input: types.GetHttpsEdgeRouteCircuitBreakerData; output: types.GetHttpsEdgeRouteCircuitBreakerResponse };
  getHttpsEdgeRouteCompression: { input: types.GetHttpsEdgeRouteCompressionData; output: types.GetHttpsEdgeRouteCompressionResponse };
  getHttpsEdgeRouteIpRestriction: { input: types.GetHttpsEdgeRouteIpRestrictionData; output: types.GetHttpsEdgeRouteIpRestrictionResponse };
  getHttpsEdgeRouteOauth: { input: types.GetHttpsEdgeRouteOauthData; output: types.GetHttpsEdgeRouteOauthResponse };
  getHttpsEdgeRouteOidc: { input: types.GetHttpsEdgeRouteOidcData; output: types.GetHttpsEdgeRouteOidcResponse };
  getHttpsEdgeRouteRequestHeaders: { input: types.GetHttpsEdgeRouteRequestHeadersData; output: types.GetHttpsEdgeRouteRequestHeadersResponse };
  getHttpsEdgeRouteResponseHeaders: { input: types.GetHttpsEdgeRouteResponseHeadersData; output: types.GetHttpsEdgeRouteResponseHeadersResponse };
  getHttpsEdgeRouteSaml: { input: types.GetHttpsEdgeRouteSamlData; output: types.GetHttpsEdgeRouteSamlResponse };
  getHttpsEdgeRouteTrafficPolicy: { input: types.GetHttpsEdgeRouteTrafficPolicyData; output: types.GetHttpsEdgeRouteTrafficPolicyResponse };
  getHttpsEdgeRouteUserAgentFilter: { input: types.GetHttpsEdgeRouteUserAgentFilterData; output: types.GetHttpsEdgeRouteUserAgentFilterResponse };
  getHttpsEdgeRouteWebhookVerification: { input: types.GetHttpsEdgeRouteWebhookVerificationData; output: types.GetHttpsEdgeRouteWebhookVerificationResponse };
  getHttpsEdgeRouteWebsocketTcpConverter: { input: types.GetHttpsEdgeRouteWebsocketTcpConverterData; output: types.GetHttpsEdgeRouteWebsocketTcpConverterResponse };
  getIpPolicy: { input: types.GetIpPolicyData; output: types.GetIpPolicyResponse };
  getIpPolicyRule: { input: types.GetIpPolicyRuleData; output: types.GetIpPolicyRuleResponse };
  getRecovery: { input: types.GetRecoveryData; output: types.GetRecoveryResponse };
  getReservedAddr: { input: types.GetReservedAddrData; output: types.GetReservedAddrResponse };
  getReservedDomain: { input: types.GetReservedDomainData; output: types.GetReservedDomainResponse };
  getResourceType: { input: types.GetResourceTypeData; output: types.GetResourceTypeResponse };
  getRetention: { input: types.GetRetentionData; output: types.GetRetentionResponse };
  getService: { input: types.GetServiceData; output: types.GetServiceResponse };
  getSession: { input: types.GetSessionData; output: types.GetSessionResponse };
  getTcpEdge: { input: types.GetTcpEdgeData; output: types.GetTcpEdgeResponse };
  getTcpEdgeBackend: { input: types.GetTcpEdgeBackendData; output: types.GetTcpEdgeBackendResponse };
  getTcpEdgeIpRestriction: { input: types.GetTcpEdgeIpRestrictionData; output: types.GetTcpEdgeIpRestrictionResponse };
  getTcpEdgeTrafficPolicy: { input: types.GetTcpEdgeTrafficPolicyData; output: types.GetTcpEdgeTrafficPolicyResponse };
  getTlsCertificate: { input: types.GetTlsCertificateData; output: types.GetTlsCertificateResponse };
  getTunnel: { input: types.GetTunnelData; output: types.GetTunnelResponse };
  getTunnelGroupBackend: { input: types.GetTunnelGroupBackendData; output: types.GetTunnelGroupBackendResponse };
  getTunnelSession: { input: types.GetTunnelSessionData; output: types.GetTunnelSessionResponse };
  getUser: { input: types.GetUserData; output: types.GetUserResponse };
  isAlive: { input: types.IsAliveData; output: types.IsAliveResponse };
  isReady: { input: types.IsReadyData; output: types.IsReadyResponse };
  listAgentIngressEvents: { input: types.ListAgentIngressEventsData; output: types.ListAgentIngressEventsResponse };
  listAgentIngressReferences: { input: types.ListAgentIngressReferencesData; output: types.ListAgentIngressReferencesResponse };
  listAgentIngresses: { input: types.ListAgentIngressesData; output: types.ListAgentIngressesResponse };
  listApiKeyEvents: { input: types.ListApiKeyEventsData; output: types.ListApiKeyEventsResponse };
  listApiKeyReferences: { input: types.ListApiKeyReferencesData; output: types.ListApiKeyReferencesResponse };
  listApiKeys: { input: types.ListApiKeysData; output: types.ListApiKeysResponse };
  listBackfills: { input: types.ListBackfillsData; output: types.ListBackfillsResponse };
  listBotUserEvents: { input: types.ListBotUserEventsData; output: types.ListBotUserEventsResponse };
  listBotUserReferences: { input: types.ListBotUserReferencesData; output: types.ListBotUserReferencesResponse };
  listBotUsers: { input: types.ListBotUsersData; output: types.ListBotUsersResponse };
  listCertificateAuthorities: { input: types.ListCertificateAuthoritiesData; output: types.ListCertificateAuthoritiesResponse };
  listCertificateAuthorityEvents: { input: types.ListCertificateAuthorityEventsData; output: types.ListCertificateAuthorityEventsResponse };
  listCertificateAuthorityReferences: { input: types.ListCertificateAuthorityReferencesData; output: types.ListCertificateAuthorityReferencesResponse };
  listEndpointConfigurationEvents: { input: types.ListEndpointConfigurationEventsData; output: types.ListEndpointConfigurationEventsResponse };
  listEndpointConfigurationReferences: { input: types.ListEndpointConfigurationReferencesData; output: types.ListEndpointConfigurationReferencesResponse };
  listEndpointConfigurations: { input: types.ListEndpointConfigurationsData; output: types.ListEndpointConfigurationsResponse };
  listEndpointEvents: { input: types.ListEndpointEventsData; output: types.ListEndpointEventsResponse };
  listEndpointReferences: { input: types.ListEndpointReferencesData; output: types.ListEndpointReferencesResponse };
  listEndpoints: { input: types.ListEndpointsData; output: types.ListEndpointsResponse };
  listErasures: { input: types.ListErasuresData; output: types.ListErasuresResponse };
  listEventDeliveries: { input: types.ListEventDeliveriesData; output: types.ListEventDeliveriesResponse };
  listEventDestinationDeliveries: { input: types.ListEventDestinationDeliveriesData; output: types.ListEventDestinationDeliveriesResponse };
  listEventDestinationEvents: { input: types.ListEventDestinationEventsData; output: types.ListEventDestinationEventsResponse };
  listEventDestinationMetrics: { input: types.ListEventDestinationMetricsData; output: types.ListEventDestinationMetricsResponse };
  listEventDestinationReferences: { input: types.ListEventDestinationReferencesData; output: types.ListEventDestinationReferencesResponse };
  listEventDestinationStatuses: { input: types.ListEventDestinationStatusesData; output: types.ListEventDestinationStatusesResponse };
  listEventDestinations: { input: types.ListEventDestinationsData; output: types.ListEventDestinationsResponse };
  listEventSnapshots: { input: types.ListEventSnapshotsData; output: types.ListEventSnapshotsResponse };
  listEventSources: { input: types.ListEventSourcesData; output: types.ListEventSourcesResponse };
  listEventSubscriptionEvents: { input: types.ListEventSubscriptionEventsData; output: types.ListEventSubscriptionEventsResponse };
  listEventSubscriptionReferences: { input: types.ListEventSubscriptionReferencesData; output: types.ListEventSubscriptionReferencesResponse };
  listEventSubscriptions: { input: types.ListEventSubscriptionsData; output: types.ListEventSubscriptionsResponse };
  listEventTypes: { input: types.ListEventTypesData; output: types.ListEventTypesResponse };
  listEvents: { input: types.ListEventsData; output: types.ListEventsResponse };
  listExports: { input: types.ListExportsData; output: types.ListExportsResponse };
  listFailoverBackendEvents: { input: types.ListFailoverBackendEventsData; output: types.ListFailoverBackendEventsResponse };
  listFailoverBackendReferences: { input: types.ListFailoverBackendReferencesData; output: types.ListFailoverBackendReferencesResponse };
  listFailoverBackends: { input: types.ListFailoverBackendsData; output: types.ListFailoverBackendsResponse };
  listHttpResponseBackendEvents: { input: types.ListHttpResponseBackendEventsData; output: types.ListHttpResponseBackendEventsResponse };
  listHttpResponseBackendReferences: { input: types.ListHttpResponseBackendReferencesData; output: types.ListHttpResponseBackendReferencesResponse };
  listHttpResponseBackends: { input: types.ListHttpResponseBackendsData; output: types.ListHttpResponseBackendsResponse };
  listHttpsEdgeEvents: { input: types.ListHttpsEdgeEventsData; output: types.ListHttpsEdgeEventsResponse };
  listHttpsEdgeReferences: { input: types.ListHttpsEdgeReferencesData; output: types.ListHttpsEdgeReferencesResponse };
  listHttpsEdgeRouteEvents: { input: types.ListHttpsEdgeRouteEventsData; output: types.ListHttpsEdgeRouteEventsResponse };
  listHttpsEdgeRouteReferences: { input: types.ListHttpsEdgeRouteReferencesData; output: types.ListHttpsEdgeRouteReferencesResponse };
  listHttpsEdgeRoutes: { input: types.ListHttpsEdgeRoutesData; output: types.ListHttpsEdgeRoutesResponse };
  listHttpsEdges: { input: types.ListHttpsEdgesData; output: types.ListHttpsEdgesResponse };
  listIpPolicies: { input: types.ListIpPoliciesData; output: types.ListIpPoliciesResponse };
  listIpPolicyEvents: { input: types.ListIpPolicyEventsData; output: types.ListIpPolicyEventsResponse };
  listIpPolicyReferences: { input: types.ListIpPolicyReferencesData; output: types.ListIpPolicyReferencesResponse };
  listIpPolicyRuleEvents: { input: types.ListIpPolicyRuleEventsData; output: types.ListIpPolicyRuleEventsResponse };
  listIpPolicyRuleReferences: { input: types.ListIpPolicyRuleReferencesData; output: types.ListIpPolicyRuleReferencesResponse };
  listIpPolicyRules: { input: types.ListIpPolicyRulesData; output: types.ListIpPolicyRulesResponse };
  listRecoveries: { input: types.ListRecoveriesData; output: types.ListRecoveriesResponse };
  listReservedAddrEvents: { input: types.ListReservedAddrEventsData; output: types.ListReservedAddrEventsResponse };
  listReservedAddrReferences: { input: types.ListReservedAddrReferencesData; output: types.ListReservedAddrReferencesResponse };
  listReservedAddresses: { input: types.ListReservedAddressesData; output: types.ListReservedAddressesResponse };
  listReservedDomainEvents: { input: types.ListReservedDomainEventsData; output: types.ListReservedDomainEventsResponse };
  listReservedDomainReferences: { input: types.ListReservedDomainReferencesData; output: types.ListReservedDomainReferencesResponse };
  listReservedDomains: { input: types.ListReservedDomainsData; output: types.ListReservedDomainsResponse };
  listResourceTypeEvents: { input: types.ListResourceTypeEventsData; output: types.ListResourceTypeEventsResponse };
  listResourceTypeReferences: { input: types.ListResourceTypeReferencesData; output: types.ListResourceTypeReferencesResponse };
  listResourceTypes: { input: types.ListResourceTypesData; output: types.ListResourceTypesResponse };
  listTargetKinds: { input: types.ListTargetKindsData; output: types.ListTargetKindsResponse };
  listTcpEdgeEvents: { input: types.ListTcpEdgeEventsData; output: types.ListTcpEdgeEventsResponse };
  listTcpEdgeReferences: { input: types.ListTcpEdgeReferencesData; output: types.ListTcpEdgeReferencesResponse };
  listTcpEdges: { input: types.ListTcpEdgesData; output: types.ListTcpEdgesResponse };
  listTlsCertificateEvents: { input: types.ListTlsCertificateEventsData; output: types.ListTlsCertificateEventsResponse };
  listTlsCertificateReferences: { input: types.ListTlsCertificateReferencesData; output: types.ListTlsCertificateReferencesResponse };
  listTlsCertificates: { input: types.ListTlsCertificatesData; output: types.ListTlsCertificatesResponse };
  listTunnelEvents: { input: types.ListTunnelEventsData; output: types.ListTunnelEventsResponse };
  listTunnelGroupBackendEvents: { input: types.ListTunnelGroupBackendEventsData; output: types.ListTunnelGroupBackendEventsResponse };
  listTunnelGroupBackendReferences: { input: types.ListTunnelGroupBackendReferencesData; output: types.ListTunnelGroupBackendReferencesResponse };
  listTunnelGroupBackends: { input: types.ListTunnelGroupBackendsData; output: types.ListTunnelGroupBackendsResponse };
  listTunnelReferences: { input: types.ListTunnelReferencesData; output: types.ListTunnelReferencesResponse };
  listTunnelSessionEvents: { input: types.ListTunnelSessionEventsData; output: types.ListTunnelSessionEventsResponse };
  listTunnelSessionReferences: { input: types.ListTunnelSessionReferencesData; output: types.ListTunnelSessionReferencesResponse };
  listTunnelSessions: { input: types.ListTunnelSessionsData; output: types.ListTunnelSessionsResponse };
  listTunnels: { input: types.ListTunnelsData; output: types.ListTunnelsResponse };
  listUndeliveredDeliveries: { input: types.ListUndeliveredDeliveriesData; output: types.ListUndeliveredDeliveriesResponse };
  listUserReferences: { input: types.ListUserReferencesData; output: types.ListUserReferencesResponse };
  previewEventSource: { input: types.PreviewEventSourceData; output: types.PreviewEventSourceResponse };
  publishEvents: { input: types.PublishEventsData; output: types.PublishEventsResponse };
  redeliverEvents: { input: types.RedeliverEventsData; output: types.RedeliverEventsResponse };
  replaceHttpsEdgeRouteBackend: { input: types.ReplaceHttpsEdgeRouteBackendData; output: types.ReplaceHttpsEdgeRouteBackendResponse };
  replaceHttpsEdgeRouteCircuitBreaker: { input: types.ReplaceHttpsEdgeRouteCircuitBreakerData; output: types.ReplaceHttpsEdgeRouteCircuitBreakerResponse };
  replaceHttpsEdgeRouteCompression: { input: types.ReplaceHttpsEdgeRouteCompressionData; output: types.ReplaceHttpsEdgeRouteCompressionResponse };
  replaceHttpsEdgeRouteIpRestriction: { input: types.ReplaceHttpsEdgeRouteIpRestrictionData; output: types.ReplaceHttpsEdgeRouteIpRestrictionResponse };
  replaceHttpsEdgeRouteOauth: { input: types.ReplaceHttpsEdgeRouteOauthData; output: types.ReplaceHttpsEdgeRouteOauthResponse };
  replaceHttpsEdgeRouteOidc: { input: types.ReplaceHttpsEdgeRouteOidcData; output: types.ReplaceHttpsEdgeRouteOidcResponse };
  replaceHttpsEdgeRouteRequestHeaders: { input: types.ReplaceHttpsEdgeRouteRequestHeadersData; output: types.ReplaceHttpsEdgeRouteRequestHeadersResponse };
  replaceHttpsEdgeRouteResponseHeaders: { input: types.ReplaceHttpsEdgeRouteResponseHeadersData; output: types.ReplaceHttpsEdgeRouteResponseHeadersResponse };
  replaceHttpsEdgeRouteSaml: { input: types.ReplaceHttpsEdgeRouteSamlData; output: types.ReplaceHttpsEdgeRouteSamlResponse };
  replaceHttpsEdgeRouteTrafficPolicy: { input: types.ReplaceHttpsEdgeRouteTrafficPolicyData; output: types.ReplaceHttpsEdgeRouteTrafficPolicyResponse };
  replaceHttpsEdgeRouteUserAgentFilter: { input: types.ReplaceHttpsEdgeRouteUserAgentFilterData; output: types.ReplaceHttpsEdgeRouteUserAgentFilterResponse };
  replaceHttpsEdgeRouteWebhookVerification: { input: types.ReplaceHttpsEdgeRouteWebhookVerificationData; output: types.ReplaceHttpsEdgeRouteWebhookVerificationResponse };
  replaceHttpsEdgeRouteWebsocketTcpConverter: { input: types.ReplaceHttpsEdgeRouteWebsocketTcpConverterData; output: types.ReplaceHttpsEdgeRouteWebsocketTcpConverterResponse };
  replaceTcpEdgeBackend: { input: types.ReplaceTcpEdgeBackendData; output: types.ReplaceTcpEdgeBackendResponse };
  replaceTcpEdgeIpRestriction: { input: types.ReplaceTcpEdgeIpRestrictionData; output: types.ReplaceTcpEdgeIpRestrictionResponse };
  replaceTcpEdgeTrafficPolicy: { input: types.ReplaceTcpEdgeTrafficPolicyData; output: types.ReplaceTcpEdgeTrafficPolicyResponse };
  testEventDestination: { input: types.TestEventDestinationData; output: types.TestEventDestinationResponse };
  updateAgentIngress: { input: types.UpdateAgentIngressData; output: types.UpdateAgentIngressResponse };
  updateApiKey: { input: types.UpdateApiKeyData; output: types.UpdateApiKeyResponse };
  updateBotUser: { input: types.UpdateBotUserData; output: types.UpdateBotUserResponse };
  updateCertificateAuthority: { input: types.UpdateCertificateAuthorityData; output: types.UpdateCertificateAuthorityResponse };
  updateEndpoint: { input: types.UpdateEndpointData; output: types.UpdateEndpointResponse };
  updateEndpointConfiguration: { input: types.UpdateEndpointConfigurationData; output: types.UpdateEndpointConfigurationResponse };
  updateEventDestination: { input: types.UpdateEventDestinationData; output: types.UpdateEventDestinationResponse };
  updateEventSource: { input: types.UpdateEventSourceData; output: types.UpdateEventSourceResponse };
  updateEventSubscription: { input: types.UpdateEventSubscriptionData; output: types.UpdateEventSubscriptionResponse };
  updateFailoverBackend: { input: types.UpdateFailoverBackendData; output: types.UpdateFailoverBackendResponse };
  updateHttpResponseBackend: { input: types.UpdateHttpResponseBackendData; output: types.UpdateHttpResponseBackendResponse };
  updateHttpsEdge: { input: types.UpdateHttpsEdgeData; output: types.UpdateHttpsEdgeResponse };
  updateHttpsEdgeRoute: { input: types.UpdateHttpsEdgeRouteData; output: types.UpdateHttpsEdgeRouteResponse };
  updateIpPolicy: { input: types.UpdateIpPolicyData; output: types.UpdateIpPolicyResponse };
  updateIpPolicyRule: { input: types.UpdateIpPolicyRuleData; output: types.UpdateIpPolicyRuleResponse };
  updateReservedAddr: { input: types.UpdateReservedAddrData; output: types.UpdateReservedAddrResponse };
  updateReservedDomain: { input: types.UpdateReservedDomainData; output: types.UpdateReservedDomainResponse };
  updateResourceType: { input: types.UpdateResourceTypeData; output: types.UpdateResourceTypeResponse };
  updateTcpEdge: { input: types.UpdateTcpEdgeData; output: types.UpdateTcpEdgeResponse };
  updateTlsCertificate: { input: types.UpdateTlsCertificateData; output: types.UpdateTlsCertificateResponse };
  updateTunnelGroupBackend: { input: types.UpdateTunnelGroupBackendData; output: types.UpdateTunnelGroupBackendResponse };
}
