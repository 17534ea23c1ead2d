// Generated from docs/openapi.json by "npm run generate".

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

export type AgentIngress = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Path of this resource, relative to the base URL. */
    uri: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
    /** Domain, in lower-case ASCII. */
    domain: string;
    /** Values for the NS records that delegate the domain to the service. */
    ns_targets: Array<string>;
    /** Ingress domain of each region, a subdomain of `domain`. The list may grow over time. */
    region_domains: Array<string>;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    certificate_management_policy: CertificateManagementPolicy | null;
    certificate_management_status: CertificateManagementStatus | null;
};

/** Sent when an agent ingress was created. */
export type AgentIngressCreatedPayload = EventPayloadBase & {
    event_type: 'agent_ingress_created.v0';
    object: AgentIngress;
};

/** Sent when an agent ingress was deleted. */
export type AgentIngressDeletedPayload = EventPayloadBase & {
    event_type: 'agent_ingress_deleted.v0';
    object: AgentIngress;
};

/** Sent for each agent ingress that exists when this type is added to a subscription, before its first change. */
export type AgentIngressSnapshotPayload = EventPayloadBase & {
    event_type: 'agent_ingress_snapshot.v0';
    object: AgentIngress;
};

/** Sent when an agent ingress was changed. */
export type AgentIngressUpdatedPayload = EventPayloadBase & {
    event_type: 'agent_ingress_updated.v0';
    object: AgentIngress;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialAgentIngress;
        /** The same members after the update. */
        after: PartialAgentIngress;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

export type ApiKey = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Bearer token. Returned only in the create response; null in every other response, also in a replay of the create. */
    token: string | null;
    /** Id of the user or bot that owns the key. */
    owner_id: string;
    /** What the key may be used for. `admin`: everything that its owner may do. `operator`: reads, exports, tests, pauses and mutes of destinations, redeliveries and backfills; changes nothing else. `auditor`: reads, exports what it reads, and deletes exports of its own principal; changes nothing else. `publisher`: `POST /events`; reads nothing of the account. */
    role: 'admin' | 'operator' | 'auditor' | 'publisher';
    /** Id of the API key that made this key, also after its deletion. Null for a key of the operator. */
    created_by_key_id: string | null;
};

/** Sent when an API key was created. */
export type ApiKeyCreatedPayload = EventPayloadBase & {
    event_type: 'api_key_created.v0';
    object: ApiKey;
};

/** Sent when an API key was deleted. */
export type ApiKeyDeletedPayload = EventPayloadBase & {
    event_type: 'api_key_deleted.v0';
    object: ApiKey;
};

/** Sent for each API key that exists when this type is added to a subscription, before its first change. */
export type ApiKeySnapshotPayload = EventPayloadBase & {
    event_type: 'api_key_snapshot.v0';
    object: ApiKey;
};

/** Sent when an API key was changed. */
export type ApiKeyUpdatedPayload = EventPayloadBase & {
    event_type: 'api_key_updated.v0';
    object: ApiKey;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialApiKey;
        /** The same members after the update. */
        after: PartialApiKey;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

/** Backend that receives the traffic. */
export type BackendModule = {
    /** Whether the module is applied to traffic. */
    enabled: boolean;
    backend: Ref;
};

/** Earlier events for one destination, with the progress. */
export type Backfill = {
    /** Id of the backfill. */
    id: string;
    /** Address of the backfill. */
    uri: string;
    destination: Ref;
    /** `counting`: the matching events are counted, and none is sent. `running`: events are sent, while few others wait and the destination is healthy. `finished`: every event is queued or skipped, or counted with `dry_run`. `cancelled`: what was queued before is sent. */
    state: 'counting' | 'running' | 'finished' | 'cancelled';
    /** Events recorded at or after this time. */
    from: string;
    /** Events recorded before this time. */
    to: string;
    /** Events of these types. */
    types: Array<string>;
    /** Events that match this expression. Null: every event. */
    filter: string | null;
    /** Most events that are sent in a second. */
    events_per_second: number;
    /** Whether the events are only counted. */
    dry_run: boolean;
    /** Since when the backfill has every event: the retention has removed earlier ones, or is about to. Null when the range is kept as a whole. */
    complete_since: string | null;
    /** The backfill may send events before this time again, with a new number, although the destination has them: the retention has removed the records of their deliveries. Null when it repeats none. */
    repeats_before: string | null;
    /** Number of events that match the range, the types and `filter`, with those that the destination has. The filters of its sources apply later: what they leave out is in `events_skipped`. Null while they are counted. */
    events_total: number | null;
    /** Number of these events that were found so far. It grows while they are counted. */
    events_counted: number;
    /** How far a backfill is that is counting or running: the time of the last event that was looked at. Null before the first one, and at the end. */
    reached_at: string | null;
    /** What a running backfill waits for. `pause`: the end of the pause of the destination. `destination`: the destination, since what is pending there fails. Null: its rate, and the delivery of what was queued before. */
    waiting_for: 'pause' | 'destination' | null;
    /** Number of events that were queued for the destination, behind those that waited. */
    events_queued: number;
    /** Number of events that were not: the destination has a delivery of them, in any state, no subscription sends them to it, or the filters of its sources leave them out. */
    events_skipped: number;
    /** When the backfill was requested. */
    created_at: string;
    /** When the events were counted. Null before. */
    counted_at: string | null;
    /** When it ended. Null before. */
    finished_at: string | null;
};

export type BotUser = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** Human-readable name. */
    name: string;
    /** Whether the bot is active. Requests with a key of an inactive bot are refused with 403. */
    active: boolean;
    /** When the resource was created, RFC 3339. */
    created_at: string;
};

/** Sent when a bot user was created. */
export type BotUserCreatedPayload = EventPayloadBase & {
    event_type: 'bot_user_created.v0';
    object: BotUser;
};

/** Sent when a bot user was deleted. */
export type BotUserDeletedPayload = EventPayloadBase & {
    event_type: 'bot_user_deleted.v0';
    object: BotUser;
};

/** Sent for each bot user that exists when this type is added to a subscription, before its first change. */
export type BotUserSnapshotPayload = EventPayloadBase & {
    event_type: 'bot_user_snapshot.v0';
    object: BotUser;
};

/** Sent when a bot user was changed. */
export type BotUserUpdatedPayload = EventPayloadBase & {
    event_type: 'bot_user_updated.v0';
    object: BotUser;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialBotUser;
        /** The same members after the update. */
        after: PartialBotUser;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

/** Payload of an event of a built-in resource. */
export type BuiltInEventPayload = ({
    event_type: 'api_key_created.v0';
} & ApiKeyCreatedPayload) | ({
    event_type: 'api_key_updated.v0';
} & ApiKeyUpdatedPayload) | ({
    event_type: 'api_key_deleted.v0';
} & ApiKeyDeletedPayload) | ({
    event_type: 'api_key_snapshot.v0';
} & ApiKeySnapshotPayload) | ({
    event_type: 'bot_user_created.v0';
} & BotUserCreatedPayload) | ({
    event_type: 'bot_user_updated.v0';
} & BotUserUpdatedPayload) | ({
    event_type: 'bot_user_deleted.v0';
} & BotUserDeletedPayload) | ({
    event_type: 'bot_user_snapshot.v0';
} & BotUserSnapshotPayload) | ({
    event_type: 'ip_policy_created.v0';
} & IpPolicyCreatedPayload) | ({
    event_type: 'ip_policy_updated.v0';
} & IpPolicyUpdatedPayload) | ({
    event_type: 'ip_policy_deleted.v0';
} & IpPolicyDeletedPayload) | ({
    event_type: 'ip_policy_snapshot.v0';
} & IpPolicySnapshotPayload) | ({
    event_type: 'ip_policy_rule_created.v0';
} & IpPolicyRuleCreatedPayload) | ({
    event_type: 'ip_policy_rule_updated.v0';
} & IpPolicyRuleUpdatedPayload) | ({
    event_type: 'ip_policy_rule_deleted.v0';
} & IpPolicyRuleDeletedPayload) | ({
    event_type: 'ip_policy_rule_snapshot.v0';
} & IpPolicyRuleSnapshotPayload) | ({
    event_type: 'tunnel_group_backend_created.v0';
} & TunnelGroupBackendCreatedPayload) | ({
    event_type: 'tunnel_group_backend_updated.v0';
} & TunnelGroupBackendUpdatedPayload) | ({
    event_type: 'tunnel_group_backend_deleted.v0';
} & TunnelGroupBackendDeletedPayload) | ({
    event_type: 'tunnel_group_backend_snapshot.v0';
} & TunnelGroupBackendSnapshotPayload) | ({
    event_type: 'http_response_backend_created.v0';
} & HttpResponseBackendCreatedPayload) | ({
    event_type: 'http_response_backend_updated.v0';
} & HttpResponseBackendUpdatedPayload) | ({
    event_type: 'http_response_backend_deleted.v0';
} & HttpResponseBackendDeletedPayload) | ({
    event_type: 'http_response_backend_snapshot.v0';
} & HttpResponseBackendSnapshotPayload) | ({
    event_type: 'failover_backend_created.v0';
} & FailoverBackendCreatedPayload) | ({
    event_type: 'failover_backend_updated.v0';
} & FailoverBackendUpdatedPayload) | ({
    event_type: 'failover_backend_deleted.v0';
} & FailoverBackendDeletedPayload) | ({
    event_type: 'failover_backend_snapshot.v0';
} & FailoverBackendSnapshotPayload) | ({
    event_type: 'tcp_edge_created.v0';
} & TcpEdgeCreatedPayload) | ({
    event_type: 'tcp_edge_updated.v0';
} & TcpEdgeUpdatedPayload) | ({
    event_type: 'tcp_edge_deleted.v0';
} & TcpEdgeDeletedPayload) | ({
    event_type: 'tcp_edge_snapshot.v0';
} & TcpEdgeSnapshotPayload) | ({
    event_type: 'tls_certificate_created.v0';
} & TlsCertificateCreatedPayload) | ({
    event_type: 'tls_certificate_updated.v0';
} & TlsCertificateUpdatedPayload) | ({
    event_type: 'tls_certificate_deleted.v0';
} & TlsCertificateDeletedPayload) | ({
    event_type: 'tls_certificate_snapshot.v0';
} & TlsCertificateSnapshotPayload) | ({
    event_type: 'certificate_authority_created.v0';
} & CertificateAuthorityCreatedPayload) | ({
    event_type: 'certificate_authority_updated.v0';
} & CertificateAuthorityUpdatedPayload) | ({
    event_type: 'certificate_authority_deleted.v0';
} & CertificateAuthorityDeletedPayload) | ({
    event_type: 'certificate_authority_snapshot.v0';
} & CertificateAuthoritySnapshotPayload) | ({
    event_type: 'reserved_domain_created.v0';
} & ReservedDomainCreatedPayload) | ({
    event_type: 'reserved_domain_updated.v0';
} & ReservedDomainUpdatedPayload) | ({
    event_type: 'reserved_domain_deleted.v0';
} & ReservedDomainDeletedPayload) | ({
    event_type: 'reserved_domain_snapshot.v0';
} & ReservedDomainSnapshotPayload) | ({
    event_type: 'endpoint_configuration_created.v0';
} & EndpointConfigurationCreatedPayload) | ({
    event_type: 'endpoint_configuration_updated.v0';
} & EndpointConfigurationUpdatedPayload) | ({
    event_type: 'endpoint_configuration_deleted.v0';
} & EndpointConfigurationDeletedPayload) | ({
    event_type: 'endpoint_configuration_snapshot.v0';
} & EndpointConfigurationSnapshotPayload) | ({
    event_type: 'reserved_addr_created.v0';
} & ReservedAddrCreatedPayload) | ({
    event_type: 'reserved_addr_updated.v0';
} & ReservedAddrUpdatedPayload) | ({
    event_type: 'reserved_addr_deleted.v0';
} & ReservedAddrDeletedPayload) | ({
    event_type: 'reserved_addr_snapshot.v0';
} & ReservedAddrSnapshotPayload) | ({
    event_type: 'agent_ingress_created.v0';
} & AgentIngressCreatedPayload) | ({
    event_type: 'agent_ingress_updated.v0';
} & AgentIngressUpdatedPayload) | ({
    event_type: 'agent_ingress_deleted.v0';
} & AgentIngressDeletedPayload) | ({
    event_type: 'agent_ingress_snapshot.v0';
} & AgentIngressSnapshotPayload) | ({
    event_type: 'event_subscription_created.v0';
} & EventSubscriptionCreatedPayload) | ({
    event_type: 'event_subscription_updated.v0';
} & EventSubscriptionUpdatedPayload) | ({
    event_type: 'event_subscription_deleted.v0';
} & EventSubscriptionDeletedPayload) | ({
    event_type: 'event_subscription_snapshot.v0';
} & EventSubscriptionSnapshotPayload) | ({
    event_type: 'event_destination_created.v0';
} & EventDestinationCreatedPayload) | ({
    event_type: 'event_destination_updated.v0';
} & EventDestinationUpdatedPayload) | ({
    event_type: 'event_destination_deleted.v0';
} & EventDestinationDeletedPayload) | ({
    event_type: 'event_destination_snapshot.v0';
} & EventDestinationSnapshotPayload) | ({
    event_type: 'endpoint_created.v0';
} & EndpointCreatedPayload) | ({
    event_type: 'endpoint_updated.v0';
} & EndpointUpdatedPayload) | ({
    event_type: 'endpoint_deleted.v0';
} & EndpointDeletedPayload) | ({
    event_type: 'endpoint_snapshot.v0';
} & EndpointSnapshotPayload) | ({
    event_type: 'tunnel_created.v0';
} & TunnelCreatedPayload) | ({
    event_type: 'tunnel_updated.v0';
} & TunnelUpdatedPayload) | ({
    event_type: 'tunnel_deleted.v0';
} & TunnelDeletedPayload) | ({
    event_type: 'tunnel_snapshot.v0';
} & TunnelSnapshotPayload) | ({
    event_type: 'tunnel_session_created.v0';
} & TunnelSessionCreatedPayload) | ({
    event_type: 'tunnel_session_updated.v0';
} & TunnelSessionUpdatedPayload) | ({
    event_type: 'tunnel_session_deleted.v0';
} & TunnelSessionDeletedPayload) | ({
    event_type: 'tunnel_session_snapshot.v0';
} & TunnelSessionSnapshotPayload) | ({
    event_type: 'https_edge_created.v0';
} & HttpsEdgeCreatedPayload) | ({
    event_type: 'https_edge_updated.v0';
} & HttpsEdgeUpdatedPayload) | ({
    event_type: 'https_edge_deleted.v0';
} & HttpsEdgeDeletedPayload) | ({
    event_type: 'https_edge_snapshot.v0';
} & HttpsEdgeSnapshotPayload) | ({
    event_type: 'https_edge_route_created.v0';
} & HttpsEdgeRouteCreatedPayload) | ({
    event_type: 'https_edge_route_updated.v0';
} & HttpsEdgeRouteUpdatedPayload) | ({
    event_type: 'https_edge_route_deleted.v0';
} & HttpsEdgeRouteDeletedPayload) | ({
    event_type: 'https_edge_route_snapshot.v0';
} & HttpsEdgeRouteSnapshotPayload) | ({
    event_type: 'resource_type_created.v0';
} & ResourceTypeCreatedPayload) | ({
    event_type: 'resource_type_updated.v0';
} & ResourceTypeUpdatedPayload) | ({
    event_type: 'resource_type_deleted.v0';
} & ResourceTypeDeletedPayload) | ({
    event_type: 'resource_type_snapshot.v0';
} & ResourceTypeSnapshotPayload) | ({
    event_type: 'event_destination_status_changed.v0';
} & EventDestinationStatusChangedPayload) | ({
    event_type: 'event_delivery_rejected.v0';
} & EventDeliveryRejectedPayload) | ({
    event_type: 'event_delivery_recovery_started.v0';
} & EventDeliveryRecoveryStartedPayload) | ({
    event_type: 'event_delivery_recovery_ended.v0';
} & EventDeliveryRecoveryEndedPayload) | ({
    event_type: 'event_destination_test.v0';
} & EventDestinationTestPayload) | ({
    event_type: 'event_destination_epoch_started.v0';
} & EventDestinationEpochStartedPayload) | ({
    event_type: 'event_destination_checkpoint_signed.v0';
} & EventDestinationCheckpointSignedPayload) | ({
    event_type: 'event_erasure_recorded.v0';
} & EventErasureRecordedPayload);

export type CertificateAuthority = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
    /** Certificate of the authority in PEM, as given. */
    ca_pem: string;
    /** Common name of the subject. Null when absent. */
    subject_common_name: string | null;
    /** Start of the validity period, RFC 3339. */
    not_before: string;
    /** End of the validity period, RFC 3339. */
    not_after: string;
    /** Key usages, with the names of RFC 5280 section 4.2.1.3. */
    key_usages: Array<string>;
    /** Extended key usages, with the names of RFC 5280 section 4.2.1.12. Others are object identifiers. */
    extended_key_usages: Array<string>;
};

/** Sent when a certificate authority was created. */
export type CertificateAuthorityCreatedPayload = EventPayloadBase & {
    event_type: 'certificate_authority_created.v0';
    object: CertificateAuthority;
};

/** Sent when a certificate authority was deleted. */
export type CertificateAuthorityDeletedPayload = EventPayloadBase & {
    event_type: 'certificate_authority_deleted.v0';
    object: CertificateAuthority;
};

/** Sent for each certificate authority that exists when this type is added to a subscription, before its first change. */
export type CertificateAuthoritySnapshotPayload = EventPayloadBase & {
    event_type: 'certificate_authority_snapshot.v0';
    object: CertificateAuthority;
};

/** Sent when a certificate authority was changed. */
export type CertificateAuthorityUpdatedPayload = EventPayloadBase & {
    event_type: 'certificate_authority_updated.v0';
    object: CertificateAuthority;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialCertificateAuthority;
        /** The same members after the update. */
        after: PartialCertificateAuthority;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

/** Policy of automatic certificate management. Null when disabled. */
export type CertificateManagementPolicy = {
    /** Authority that issues the certificates. */
    authority: 'letsencrypt';
    /** Type of the private keys. */
    private_key_type: 'rsa' | 'ecdsa';
};

/** Status of automatic certificate management. Null without a policy. */
export type CertificateManagementStatus = {
    /** When the certificate is renewed, RFC 3339. Null before the first certificate. */
    renews_at: string | null;
    /** Provisioning of the next certificate. Null when none is in progress. */
    provisioning_job: {
        /** Null unless provisioning is failing. `DNS_ERROR`: permanent condition that the user must correct. `INTERNAL_ERROR`: temporary condition. */
        error_code: 'DNS_ERROR' | 'INTERNAL_ERROR' | null;
        /** Description of the current status. */
        msg: string;
        /** When provisioning started, RFC 3339. */
        started_at: string;
        /** When provisioning is retried, RFC 3339. Null unless provisioning is failing. */
        retries_at: string | null;
    } | null;
};

/** Rejects requests without contacting the upstream while too many requests fail. */
export type CircuitBreakerModule = {
    /** Whether the module is applied to traffic. */
    enabled: boolean;
    /** Seconds to wait after the circuit trips before the health of the upstream is evaluated again. */
    tripped_duration: number;
    /** Length of the rolling window in which requests are counted, in seconds. */
    rolling_window: number;
    /** Number of buckets in the rolling window, 1 to 128. */
    num_buckets: number;
    /** Number of requests in a rolling window that can trip the circuit. */
    volume_threshold: number;
    /** Share of failed requests that trips the circuit: between 0 and 1.0, not 0 to 100. */
    error_threshold_percentage: number;
};

/** Cloud credentials: exactly one of role and creds. */
export type CloudAuth = {
    /** A role that Waybill assumes. Preferred: no key leaves your account. */
    role: CloudRole | null;
    /** A long-term access key. */
    creds: CloudCredentials | null;
};

export type CloudCredentials = {
    /** Id of a long-term access key. A temporary one (`ASIA…`) soon expires. */
    cloud_access_key_id: string;
    /** Always null. Secrets are never returned. */
    cloud_secret_access_key: string | null;
};

export type CloudRole = {
    /** Role that Waybill assumes to write to the target. */
    role_arn: string;
    /** External id that Waybill sends with every AssumeRole. It is generated for each destination: add it to the trust policy of the role. Read-only: ignored in requests. */
    external_id?: string | null;
};

export type CloudRoleInput = {
    /** Role that Waybill assumes to write to the target. */
    role_arn: string;
    /** External id that Waybill sends with every AssumeRole. It is generated for each destination: add it to the trust policy of the role. Read-only: ignored in requests. */
    external_id?: string | null;
};

/** Compresses responses for clients that accept it. */
export type CompressionModule = {
    /** Whether the module is applied to traffic. */
    enabled: boolean;
};

export type CreateAgentIngress = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** A domain that the account owns. Internationalized names are stored as ASCII. */
    domain: string;
    certificate_management_policy?: {
        /** Authority that issues the certificates. Default: `"letsencrypt"`. */
        authority?: 'letsencrypt';
        /** Type of the private keys. Default: `"rsa"`. */
        private_key_type?: 'rsa' | 'ecdsa';
    } | null;
};

export type CreateApiKey = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Id of the user or bot that owns the key. Default: the caller. Only an admin may name another owner. */
    owner_id?: string | null;
    /** What the key may be used for. `admin`: everything that its owner may do. `operator`: reads, exports, tests, pauses and mutes of destinations, redeliveries and backfills; changes nothing else. `auditor`: reads, exports what it reads, and deletes exports of its own principal; changes nothing else. `publisher`: `POST /events`; reads nothing of the account. It cannot be changed. A key cannot create a key with a higher role than its own. Default: `"admin"`. */
    role?: 'admin' | 'operator' | 'auditor' | 'publisher';
};

export type CreateBackfill = {
    /** Only events that were recorded at or after this time. */
    from: string;
    /** Only events that were recorded before this time. Default, and latest: behind the newest event at the request. */
    to?: string;
    /** Only events of these types, at most 200. Each must be one that a subscription sends to the destination. Default: all of those, without snapshots. */
    types?: Array<string>;
    /** Only events that match this expression in CEL over the payload. It must fit the schema of each type. An event for which it cannot be evaluated matches. */
    filter?: string | null;
    /** Most events that are sent in a second. Default and most: `BACKFILL_EVENTS_PER_SECOND`. */
    events_per_second?: number;
    /** Whether the backfill ends when its events are counted, and sends nothing. Default: `false`. */
    dry_run?: boolean;
};

export type CreateBotUser = {
    /** Human-readable name. */
    name: string;
    /** Whether the bot is active. Requests with a key of an inactive bot are refused with 403. Default: `true`. */
    active?: boolean;
};

export type CreateCertificateAuthority = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Certificate of the authority in PEM. Exactly one certificate. At most 32768 bytes. */
    ca_pem: string;
};

/** Cloud credentials: exactly one of role and creds. */
export type CreateCloudAuth = {
    /** A role that Waybill assumes. Preferred: no key leaves your account. */
    role?: CloudRoleInput | null;
    /** A long-term access key. */
    creds?: CreateCloudCredentials | null;
};

export type CreateCloudCredentials = {
    /** Id of a long-term access key. A temporary one (`ASIA…`) soon expires. */
    cloud_access_key_id: string;
    /** Secret of that access key. Never returned. */
    cloud_secret_access_key: string;
};

/** Amazon Kinesis Data Streams: events as JSON. The partition key of a record is the id of the resource that changed. */
export type CreateDataStreamTarget = {
    auth: CreateCloudAuth;
    /** ARN of the data stream, which must exist. */
    stream_arn: string;
    /** What a record of the stream holds. `one_event`: the JSON of one event. `packed`: events of one resource in the aggregation format of the Kinesis Producer Library (KPL), where several are sent together. Consumers have to deaggregate packed records; the Kinesis Client Library (KCL) does it by itself. Default: `"one_event"`. */
    records?: 'one_event' | 'packed';
};

/** Amazon Data Firehose: each event is a line of JSON. */
export type CreateDeliveryStreamTarget = {
    auth: CreateCloudAuth;
    /** ARN of the delivery stream. Its source must be direct put, without decompression of the source. */
    delivery_stream_arn: string;
    /** What a record of the stream holds. `one_event`: one line of JSON. `packed`: up to 500 lines, 512,000 bytes. Firehose bills each record rounded up to 5 KB, so packed records cost less, and a burst of changes takes fewer calls. Streams to Amazon S3 or Redshift take packed records; most others need one event in each. Default: `"one_event"`. */
    records?: 'one_event' | 'packed';
};

export type CreateEndpoint = {
    /** URL that the endpoint serves: `https://`, `http://`, `tls://` or `tcp://`, a host name and an optional port. A wildcard host is allowed except for `tcp://`. A port is required for `tcp://`. No path, query or fragment. */
    url: string;
    /** Only cloud endpoints can be created. Default: `"cloud"`. */
    type?: 'cloud';
    /** Traffic policy: a JSON or YAML document in a string, returned as given. The protocol of the URL decides which phases are allowed. Null when unset. */
    traffic_policy?: string | null;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    bindings?: Array<'public' | 'internal' | 'kubernetes'> | null;
    /** Whether endpoints of the account may share the URL. All of them must have `pooling_enabled`. Default: false. */
    pooling_enabled?: boolean | null;
};

export type CreateEndpointConfiguration = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Kind of traffic that the configuration applies to. Cannot be changed. */
    type: 'http' | 'https' | 'tcp' | 'tls';
};

export type CreateErasure = {
    /** Erases the events of this resource. */
    object_id?: string;
    /** With `object_id`: only events of these types, where other resources have the id. */
    type?: Array<string>;
    /** Erases the events of changes by this user, bot or principal of a publisher. */
    principal_id?: string;
    /** Erases the events of the whole account. Default: `false`. */
    account?: boolean;
    /** Only events that were recorded before this time. Default, and latest: behind the newest event at the request, and at most two seconds after the request. */
    to?: string;
    /** Why. It is in the events about the erasure, which are never erased: name no person. */
    reason: string;
};

export type CreateEventDestination = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Serialization of the events. `json` is the only format. */
    format?: 'json';
    target: CreateEventDestinationTarget;
    /** Creates the destination paused: its events wait in order. Null: it is not paused. */
    paused?: {
        /** Why the destination is paused. At most 500 characters. */
        reason: string;
    } | null;
    /** Creates the destination muted: its failures need nobody. Null: it is not muted. */
    muted?: {
        /** Why the destination is muted. At most 500 characters. */
        reason: string;
        /** When the mute ends by itself. In the past: the destination is not muted. */
        until: string;
    } | null;
};

/** Target of the events: exactly one member is set. The configuration can be changed, but not the kind of target. */
export type CreateEventDestinationTarget = {
    delivery_stream?: CreateDeliveryStreamTarget | null;
    data_stream?: CreateDataStreamTarget | null;
    log_group?: CreateLogGroupTarget | null;
    monitoring?: CreateMonitoringTarget | null;
    log_ingestion?: CreateLogIngestionTarget | null;
};

export type CreateEventSource = {
    /** An event type, built-in or registered: `<resource>_<action>.v<version>`. `<resource>_snapshot.v0` of a built-in resource asks for the present state: one event for each existing resource, before its first change. */
    type: string;
    /** A condition in CEL over the payload of an event. Only events that match are sent. An event for which it cannot be evaluated matches. */
    filter?: string | null;
    fields?: EventFieldsInput | null;
    /** Accepted as in responses, and ignored. */
    uri?: string;
};

export type CreateEventSubscription = {
    /** Free-form text for people. At most 255 characters. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 characters. Null when unset. */
    metadata?: string | null;
    /** Event types that trigger the subscription, each once. Default: `[]`. */
    sources?: Array<{
        /** An event type, built-in or registered: `<resource>_<action>.v<version>`. `<resource>_snapshot.v0` of a built-in resource asks for the present state: one event for each existing resource, before its first change. */
        type: string;
        /** A condition in CEL over the payload of an event. Only events that match are sent. An event for which it cannot be evaluated matches. */
        filter?: string | null;
        fields?: EventFieldsInput | null;
        /** Accepted as in responses, and ignored. */
        uri?: string;
    }>;
    /** Ids of the destinations that receive the events. Default: `[]`. */
    destination_ids?: Array<string>;
};

export type CreateExport = {
    /** `ndjson`: one event a line, byte for byte as it is stored or, with `destination_id`, as the destination receives it. `csv`: a table with the columns of RFC 4180, for spreadsheets. */
    format: 'ndjson' | 'csv';
    filter?: EventFilterInput;
    /** Exports only events with a delivery to this destination, each as `fields` of its sources leave it, with the state, `sequence` and `epoch` of the delivery. */
    destination_id?: string | null;
};

export type CreateFailoverBackend = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Ids of the child backends, in the order in which they are tried. Any kind of backend. Default: `[]`. */
    backends?: Array<string>;
};

export type CreateHttpResponseBackend = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Response body. At most 24576 bytes of UTF-8. Null when unset. */
    body?: string | null;
    headers?: {
        [key: string]: string;
    } | null;
    /** Response status code. Default: `200`. */
    status_code?: number;
};

export type CreateHttpsEdge = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    hostports?: Array<string> | null;
};

export type CreateHttpsEdgeRoute = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Whether `match` is compared with the whole path or with its beginning. */
    match_type: 'exact_path' | 'path_prefix';
    /** Requests that the route matches: a path, a host, or a host and a path. The host is stored in lower-case ASCII. At most 2048 bytes of UTF-8. Unique within the edge for each match_type. */
    match: string;
    backend?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Id of the backend. Any kind of backend. */
        backend_id: string;
    } | null;
    ip_restriction?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Ids of the IP policies that source addresses are checked against. */
        ip_policy_ids: Array<string>;
    } | null;
    circuit_breaker?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Seconds to wait after the circuit trips before the health of the upstream is evaluated again. Default: `10`. */
        tripped_duration?: number;
        /** Length of the rolling window in which requests are counted, in seconds. Default: `10`. */
        rolling_window?: number;
        /** Number of buckets in the rolling window, 1 to 128. Default: `10`. */
        num_buckets?: number;
        /** Number of requests in a rolling window that can trip the circuit. Default: `10`. */
        volume_threshold?: number;
        /** Share of failed requests that trips the circuit: between 0 and 1.0, not 0 to 100. Default: `0.5`. */
        error_threshold_percentage?: number;
    } | null;
    compression?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
    } | null;
    request_headers?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Map of header name to value, added to the request sent upstream. At most 50. No control characters. Default: `{}`. */
        add?: {
            [key: string]: string;
        };
        /** Names of headers removed from the request sent upstream. At most 50. Default: `[]`. */
        remove?: Array<string>;
    } | null;
    response_headers?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Map of header name to value, added to the response returned to the client. At most 50. No control characters. Default: `{}`. */
        add?: {
            [key: string]: string;
        };
        /** Names of headers removed from the response returned to the client. At most 50. Default: `[]`. */
        remove?: Array<string>;
    } | null;
    webhook_verification?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Provider that sends the webhooks. */
        provider: 'adobesign' | 'aftership' | 'airship' | 'alchemy' | 'autodesk' | 'bitbucket' | 'bolt' | 'box' | 'brex' | 'buildkite' | 'calendly' | 'castle' | 'chargify' | 'circleci' | 'clearbit' | 'clerk' | 'coinbase' | 'contentful' | 'docusign' | 'dropbox' | 'facebook_graph_api' | 'facebook_messenger' | 'frameio' | 'github' | 'gitlab' | 'go1' | 'heroku' | 'hosted_hooks' | 'hubspot' | 'hygraph' | 'instagram' | 'intercom' | 'jira' | 'launch_darkly' | 'lemonsqueezy' | 'linear' | 'mailchimp' | 'mailgun' | 'microsoft_teams' | 'modern_treasury' | 'mongodb' | 'mux' | 'nylas' | 'orb' | 'orbit' | 'pagerduty' | 'pinwheel' | 'plivo' | 'pusher' | 'sendgrid' | 'sentry' | 'shopify' | 'signal_sciences' | 'slack' | 'sns' | 'sonatype' | 'square' | 'stripe' | 'svix' | 'terraform' | 'tiktok' | 'trendmicro' | 'twilio' | 'twitter' | 'typeform' | 'vmware' | 'webex' | 'whatsapp' | 'worldline' | 'xero' | 'zendesk' | 'zoom';
        /** Secret that validates requests from the provider. Required for every provider except sns. At most 4096 bytes of UTF-8. */
        secret?: string | null;
    } | null;
    oauth?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        provider: OauthProviderInput;
        /** Allows HTTP OPTIONS requests without authentication, as CORS requires. Default: `false`. */
        options_passthrough?: boolean;
        /** Prefix of the name of the session cookie. Default: `"waybill."`. */
        cookie_prefix?: string;
        /** Seconds of inactivity after which a session ends. 0: no limit. Default: `0`. */
        inactivity_timeout?: number;
        /** Seconds after which a session ends. 0: no limit. Default: `0`. */
        maximum_duration?: number;
        /** Seconds after which the state of a user is refreshed from the identity provider and authorization is rechecked. 0: only at login. Default: `0`. */
        auth_check_interval?: number;
    } | null;
    saml?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Allows HTTP OPTIONS requests without authentication, as CORS requires. Default: `false`. */
        options_passthrough?: boolean;
        /** Prefix of the name of the session cookie. Default: `"waybill."`. */
        cookie_prefix?: string;
        /** Seconds of inactivity after which a session ends. 0: no limit. Default: `0`. */
        inactivity_timeout?: number;
        /** Seconds after which a session ends. 0: no limit. Default: `0`. */
        maximum_duration?: number;
        /** Full XML entity descriptor of the identity provider: an EntityDescriptor with an IDPSSODescriptor and a SingleSignOnService. No document type. At most 32768 bytes, counted as JSON text. */
        idp_metadata: string;
        /** Forces the identity provider to prompt for credentials on every redirect. Default: `false`. */
        force_authn?: boolean;
        /** Allows the identity provider to start a login. The provider sets RelayState to the target URL. Default: `false`. */
        allow_idp_initiated?: boolean;
        /** Only members of a listed group may access. Empty: every user that the identity provider authenticates. Default: `[]`. */
        authorized_groups?: Array<string>;
        /** Name identifier format expected in assertions. Default: `"urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"`. */
        nameid_format?: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' | 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' | 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' | 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
        /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
        entity_id?: string | null;
        /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
        assertion_consumer_service_url?: string | null;
        /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
        single_logout_url?: string | null;
        /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
        request_signing_certificate_pem?: string | null;
        /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
        metadata_url?: string | null;
        /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
        idp_metadata_url?: string | null;
    } | null;
    oidc?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Allows HTTP OPTIONS requests without authentication, as CORS requires. Default: `false`. */
        options_passthrough?: boolean;
        /** Prefix of the name of the session cookie. Default: `"waybill."`. */
        cookie_prefix?: string;
        /** Seconds of inactivity after which a session ends. 0: no limit. Default: `0`. */
        inactivity_timeout?: number;
        /** Seconds after which a session ends. 0: no limit. Default: `0`. */
        maximum_duration?: number;
        /** URL of the issuer. The provider serves its configuration at /.well-known/openid-configuration below the URL. */
        issuer_url: string;
        /** Client id of the route at the provider. */
        client_id: string;
        /** Client secret. Required. Left out of a replacement: unchanged, unless issuer_url or client_id changes. */
        client_secret: string;
        /** Requested scopes in addition to `openid`. Default: `[]`. */
        scopes?: Array<string>;
    } | null;
    websocket_tcp_converter?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
    } | null;
    user_agent_filter?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Regular expressions (RE2) of allowed user agents, even if `deny` matches too. At most 32, each of at most 256 characters. Default: `[]`. */
        allow?: Array<string>;
        /** Regular expressions (RE2) of denied user agents. At most 32, each of at most 256 characters. Default: `[]`. */
        deny?: Array<string>;
    } | null;
    traffic_policy?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Traffic policy: a JSON or YAML document in a string, with lists of rules under on_http_request and on_http_response. Returned as given. At most 24576 bytes of UTF-8. */
        value: string;
    } | null;
};

export type CreateIpPolicy = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
};

export type CreateIpPolicyRule = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** An IP address or a range in CIDR notation, IPv4 or IPv6. */
    cidr: string;
    /** Id of the policy that the rule belongs to. */
    ip_policy_id: string;
    /** Whether a matching source address is allowed or denied. */
    action: 'allow' | 'deny';
};

/** Amazon CloudWatch Logs: each event is one log event of JSON. */
export type CreateLogGroupTarget = {
    auth: CreateCloudAuth;
    /** ARN of the log group, which must exist. Events go to its log stream `waybill/<destination id>`, or to the one that the ARN names; it is created when it is missing. */
    log_group_arn: string;
};

/** Azure Monitor Logs Ingestion. */
export type CreateLogIngestionTarget = {
    /** Directory (tenant) id of the Entra application, a GUID. */
    tenant_id: string;
    /** Application (client) id of the Entra application, a GUID. */
    client_id: string;
    /** Value (not id) of a client secret of the application. Never returned. */
    client_secret: string;
    /** Logs ingestion address of the data collection rule or endpoint. Its ending (.com, .us, .cn) selects the cloud to sign in to. */
    logs_ingestion_uri: string;
    /** Immutable id of the data collection rule. The application needs the role Monitoring Metrics Publisher on it. */
    data_collection_rule_id: string;
    /** Stream of the rule that takes the events, such as "Custom-Waybill_CL". */
    data_collection_stream_name: string;
};

export type CreateLogLink = {
    /** When the link ends: a week from now by default, and 90 days at most. Default: `168`. */
    expires_in_hours?: number;
};

/** Datadog Logs. */
export type CreateMonitoringTarget = {
    /** Datadog API key (not an application key). Never returned. */
    api_key: string;
    /** Tags of every log entry, by convention "key:value" pairs with commas between them. Datadog normalizes them. At most 1024 bytes as JSON text. */
    tags?: string | null;
    /** Service of every log entry. Null or empty: "waybill". At most 300 bytes as JSON text. */
    service?: string | null;
    /** Datadog site to send to, as in the address of its web application. Null: datadoghq.com. Default: `"datadoghq.com"`. */
    site?: 'datadoghq.com' | 'us3.datadoghq.com' | 'us5.datadoghq.com' | 'datadoghq.eu' | 'ap1.datadoghq.com' | 'ap2.datadoghq.com' | 'uk1.datadoghq.com' | 'ddog-gov.com' | 'us2.ddog-gov.com' | null;
};

export type CreateRecovery = {
    /** Only events that were recorded, or queued by a backfill, at or after this time. */
    from: string;
    /** Only events that were recorded, or queued by a backfill, before this time. Default: now. */
    to?: string;
    /** States of the deliveries. Default: both. Default: `["rejected","expired"]`. */
    states?: Array<'rejected' | 'expired'>;
    /** Ids of the destinations, at most 1000. Unknown ones are passed over. Default: every destination. */
    destination_ids?: Array<string>;
};

export type CreateReservedAddr = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Region of the address. Cannot be changed. Null and an empty string mean the default, us. */
    region?: 'au' | 'eu' | 'ap' | 'us' | 'jp' | 'in' | 'sa' | '' | null;
};

export type CreateReservedDomain = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Host name, or a wildcard such as *.example.com. Internationalized names are stored as ASCII. Only one account can reserve a name. A wildcard and the names that it covers belong to the same account. */
    domain: string;
    /**
     * Deprecated: traffic is handled globally. Returned as given. An empty string means null.
     *
     * @deprecated
     */
    region?: 'au' | 'eu' | 'ap' | 'us' | 'jp' | 'in' | 'sa' | '' | null;
    /** Id of an uploaded TLS certificate that covers the domain. Mutually exclusive with certificate_management_policy. */
    certificate_id?: string | null;
    certificate_management_policy?: {
        /** Authority that issues the certificates. Default: `"letsencrypt"`. */
        authority?: 'letsencrypt';
        /** Type of the private keys. Default: `"ecdsa"`. */
        private_key_type?: 'rsa' | 'ecdsa';
    } | null;
};

export type CreateResourceType = {
    /** Name of the resource in the singular and in snake case: the first part of its event types. The name of a built-in resource is refused without a namespace before it: `shop.user`. It never changes. */
    name: string;
    /** Singular title for people. Default: the name with spaces. */
    title?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** What happens to such a resource. Each action is an event type `<name>_<action>.v<version>`. `snapshot` is reserved. Default: `["created","updated","deleted"]`. */
    actions?: Array<string>;
    /** Version in the event types. Within a version only compatible changes are possible. The event types of older versions remain. Default: `0`. */
    version?: number;
    /** JSON Schema (2020-12) of the resource as an event carries it. At most 16384 bytes and 24 levels. Null: any object. */
    schema?: {
        [key: string]: unknown;
    } | null;
    /** JSON pointers into the object. Their values are null in everything that is stored. `*` stands for every item of a list or every member of an object. Default: `[]`. */
    redact?: Array<string>;
    /** Changed members of an update. `given`: the publisher sends them. `computed`: Waybill compares the object with the last one, where the publisher sends none. Default: `"given"`. */
    changes?: 'given' | 'computed';
};

export type CreateSession = CreateSessionWithToken | CreateSessionWithCode;

export type CreateSessionWithCode = {
    /** A code of `POST /session_codes`. */
    code: string;
    /** Whether to return whose session the code begins, and begin none. The code stays valid. */
    preview?: boolean;
};

export type CreateSessionWithToken = {
    /** The token of an API key. */
    token: string;
};

export type CreateTcpEdge = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    hostports?: Array<string> | null;
    backend?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Id of the backend. Any kind of backend. */
        backend_id: string;
    } | null;
    ip_restriction?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Ids of the IP policies that source addresses are checked against. */
        ip_policy_ids: Array<string>;
    } | null;
    traffic_policy?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Traffic policy: a JSON or YAML document in a string, with lists of rules under on_tcp_connect. Returned as given. At most 24576 bytes of UTF-8. */
        value: string;
    } | null;
};

export type CreateTlsCertificate = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Certificate in PEM, followed by the rest of its chain, if any. At most 32768 bytes. */
    certificate_pem: string;
    /** Private key of the certificate in PEM, without a passphrase. Never returned. At most 32768 bytes. */
    private_key_pem: string;
};

export type CreateTunnelGroupBackend = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Labels that a tunnel must have to belong to the group, 1 to 50. */
    labels: {
        [key: string]: string;
    };
};

/** Amazon Kinesis Data Streams: events as JSON. The partition key of a record is the id of the resource that changed. */
export type DataStreamTarget = {
    auth: CloudAuth;
    /** ARN of the data stream, which must exist. */
    stream_arn: string;
    /** What a record of the stream holds. `one_event`: the JSON of one event. `packed`: events of one resource in the aggregation format of the Kinesis Producer Library (KPL), where several are sent together. Consumers have to deaggregate packed records; the Kinesis Client Library (KCL) does it by itself. */
    records: 'one_event' | 'packed';
};

/** An event as it arrives at a destination, of any event type: one JSON object. `EventPayload` has the types of `object` and `changes`. */
export type DeliveredEvent = {
    /** Id of the event, the same on every delivery. Use it to detect duplicates. */
    event_id: string;
    event_type: string;
    event_timestamp: string;
    account_id: string;
    /** The resource that changed. Of a published event: its id at the publisher, as it was given. */
    resource_id: string;
    principal: {
        /** Id of the principal at the publisher. `unknown`: the publisher named none. */
        id: string;
        subject: string;
        /** Null: `via` names the API key. */
        credential: {
            id: string;
            uri: string;
        } | null;
        /** The key that published it. */
        via?: {
            id: string;
            uri: string;
        };
    };
    version: number;
    object: {
        [key: string]: unknown;
    };
    request: {
        operation_id: string;
        ip: string | null;
        user_agent: string | null;
        /** Id of the request at the publisher. */
        id?: string;
    };
    /** Epoch of the number. It increases when the database was restored or failed over. Order is (epoch, sequence). */
    epoch: number;
    /** Gapless number of the event at its destination, the same on every redelivery. */
    sequence: number;
    integrity?: EventIntegrity;
    /** The event was sent by a backfill: newer events of its resource may have arrived before. Absent from every other event. */
    backfill?: boolean;
    /** Who changed the event after it was recorded, why and when. Absent from every other event. */
    repaired?: {
        by: string;
        reason: string;
        at: string;
    };
    /** When the change was made, by the clock of the publisher. */
    occurred_at?: string;
    /** The changed members, where the event has them. */
    changes?: {
        before: {
            [key: string]: unknown;
        };
        after: {
            [key: string]: unknown;
        };
        omitted?: Array<string>;
    };
};

/** The delivery of one event to one destination. */
export type Delivery = {
    id: string;
    event_id: string;
    event_type: string;
    destination_id: string;
    /** `pending`: waiting. `in_flight`: in the batch that is being sent or retried. `delivered`: accepted by the target. `rejected`: refused by the target for good. `expired`: not delivered before its deadline. `cancelled`: not finished when its destination was deleted. */
    state: 'pending' | 'in_flight' | 'delivered' | 'rejected' | 'expired' | 'cancelled';
    /** Number of the delivery at its destination, the same on every attempt and redelivery. A delivery gets it with its batch, before the call. Null before that. A delivery that the first attempt does not send is without a number again. */
    sequence: number | null;
    /** Epoch of the number. Null without a number, and when the destination was deleted. */
    epoch: number | null;
    /** The last 20 attempts, oldest first, including those before a redelivery. Attempts are retained as long as deliveries of their outcome. */
    attempts: Array<DeliveryAttempt>;
    /** Number of attempts. */
    attempt_count: number;
    /** The reason why it is not delivered. */
    error: {
        code: string;
        message: string;
    } | null;
    /** When the event was recorded, or queued by a backfill, by the database’s clock. */
    created_at: string;
    /** When the last redelivery was requested. */
    redelivered_at: string | null;
    /** When it was delivered, rejected, expired or cancelled. */
    finished_at: string | null;
    /** The backfill that created the delivery: its payload has `backfill: true`. Null for every other delivery. */
    backfill_id: string | null;
};

/** One attempt at the batch of a delivery. It may have ended before it sent this delivery. */
export type DeliveryAttempt = {
    started_at: string;
    /** `retry`: a temporary failure. `misconfigured`: the configuration of the destination is invalid. Both are retried. */
    outcome: 'delivered' | 'retry' | 'misconfigured' | 'rejected';
    /** Error code of the vendor, the HTTP status (`http_503`) or the socket. Null when delivered. */
    code: string | null;
    message: string | null;
    /** HTTP status of a failed attempt. Null when delivered, and when the target did not respond. */
    http_status: number | null;
    duration_ms: number;
};

/** Amazon Data Firehose: each event is a line of JSON. */
export type DeliveryStreamTarget = {
    auth: CloudAuth;
    /** ARN of the delivery stream. Its source must be direct put, without decompression of the source. */
    delivery_stream_arn: string;
    /** What a record of the stream holds. `one_event`: one line of JSON. `packed`: up to 500 lines, 512,000 bytes. Firehose bills each record rounded up to 5 KB, so packed records cost less, and a burst of changes takes fewer calls. Streams to Amazon S3 or Redshift take packed records; most others need one event in each. */
    records: 'one_event' | 'packed';
};

export type Endpoint = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** Region of the tunnel. Null when the endpoint is served in all regions. */
    region: string | null;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** When the resource was last changed, RFC 3339. */
    updated_at: string;
    /** Same as `url`. */
    public_url: string;
    /** Protocol of the URL. */
    proto: 'http' | 'https' | 'tcp' | 'tls';
    /** Scheme of the URL. Same as `proto`. */
    scheme: 'http' | 'https' | 'tcp' | 'tls';
    /** Host name of the URL, in lower-case ASCII. */
    host: string;
    /** Port of the URL, or the default port of its scheme. */
    port: number;
    /**
     * `host:port`.
     *
     * @deprecated
     */
    hostport: string;
    /** `cloud`: created by a client. `ephemeral`: served by an agent-initiated tunnel. `edge`: served by an edge. */
    type: 'ephemeral' | 'edge' | 'cloud';
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
    /** Reserved domain that matched the host when the URL was set. */
    domain: Ref | null;
    /** Reserved address that matched the URL when the URL was set. */
    tcp_addr: Ref | null;
    /** Tunnel of an ephemeral endpoint. */
    tunnel: Ref | null;
    /** Edge of an endpoint of type `edge`. */
    edge: Ref | null;
    /** Local address that the tunnel forwards to. */
    upstream_url: string | null;
    /** Protocol that the agent forwards with. */
    upstream_protocol: string | null;
    /** Normalized URL of the endpoint. */
    url: string;
    /** User or bot that owns the endpoint. */
    principal: Ref | null;
    /** Traffic policy: a JSON or YAML document in a string, returned as given. The protocol of the URL decides which phases are allowed. Null when unset. */
    traffic_policy: string | null;
    bindings: Array<'public' | 'internal' | 'kubernetes'> | null;
    /** Tunnel session of an ephemeral endpoint. */
    tunnel_session: Ref | null;
    /** User-supplied name of the tunnel. */
    name: string | null;
    /** Whether endpoints of the account may share the URL. All of them must have `pooling_enabled`. */
    pooling_enabled: boolean;
};

export type EndpointConfiguration = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Kind of traffic that the configuration applies to. Cannot be changed. */
    type: 'http' | 'https' | 'tcp' | 'tls';
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
};

/** Sent when an endpoint configuration was created. */
export type EndpointConfigurationCreatedPayload = EventPayloadBase & {
    event_type: 'endpoint_configuration_created.v0';
    object: EndpointConfiguration;
};

/** Sent when an endpoint configuration was deleted. */
export type EndpointConfigurationDeletedPayload = EventPayloadBase & {
    event_type: 'endpoint_configuration_deleted.v0';
    object: EndpointConfiguration;
};

/** Sent for each endpoint configuration that exists when this type is added to a subscription, before its first change. */
export type EndpointConfigurationSnapshotPayload = EventPayloadBase & {
    event_type: 'endpoint_configuration_snapshot.v0';
    object: EndpointConfiguration;
};

/** Sent when an endpoint configuration was changed. */
export type EndpointConfigurationUpdatedPayload = EventPayloadBase & {
    event_type: 'endpoint_configuration_updated.v0';
    object: EndpointConfiguration;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialEndpointConfiguration;
        /** The same members after the update. */
        after: PartialEndpointConfiguration;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

/** Sent when an endpoint was created. */
export type EndpointCreatedPayload = EventPayloadBase & {
    event_type: 'endpoint_created.v0';
    object: Endpoint;
};

/** Sent when an endpoint was deleted. */
export type EndpointDeletedPayload = EventPayloadBase & {
    event_type: 'endpoint_deleted.v0';
    object: Endpoint;
};

/** Sent for each endpoint that exists when this type is added to a subscription, before its first change. */
export type EndpointSnapshotPayload = EventPayloadBase & {
    event_type: 'endpoint_snapshot.v0';
    object: Endpoint;
};

/** Sent when an endpoint was changed. */
export type EndpointUpdatedPayload = EventPayloadBase & {
    event_type: 'endpoint_updated.v0';
    object: Endpoint;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialEndpoint;
        /** The same members after the update. */
        after: PartialEndpoint;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

/** The removal of what Waybill stores of events. */
export type Erasure = {
    /** Id of the erasure. */
    id: string;
    /** Address of the erasure. */
    uri: string;
    /** `finished`: every event that was named is erased. `failed`: the request or its numbers were changed in the database. An erasure cannot be cancelled. */
    state: 'running' | 'finished' | 'failed';
    /** What was named. */
    kind: 'object' | 'principal' | 'account';
    /** Id of the resource or the principal. Null when the erasure is finished: it is erased too. */
    subject_id: string | null;
    /** Types of the events. Empty: all. */
    type: Array<string>;
    /** Events recorded before this time. */
    to: string;
    reason: string;
    /** Number of events that are erased so far. */
    events_erased: number;
    /** Number of events that wait for a delivery, and are erased when it has ended. Null before all events were looked at. */
    events_waiting: number | null;
    /** The user or bot who requested it, and their name at that time. */
    requested_by: {
        id: string;
        subject: string;
    };
    /** When the erasure was requested. */
    created_at: string;
    /** When it was finished, or failed. Null before. */
    finished_at: string | null;
};

/** Stable code of the error. `docs/errors.md` lists all codes. Later releases may have more: treat an unknown code by the HTTP status. */
export type ErrorCode = 'invalid_input' | 'malformed_json' | 'malformed_request' | 'service_version_missing' | 'service_version_unsupported' | 'host_invalid' | 'forwarded_proto_invalid' | 'idempotency_key_invalid' | 'credentials_missing' | 'credentials_invalid' | 'session_ended' | 'sign_in_code_invalid' | 'principal_inactive' | 'forbidden' | 'cross_origin' | 'role_not_allowed' | 'not_found' | 'route_not_found' | 'method_not_allowed' | 'request_timeout' | 'conflict' | 'still_referenced' | 'quota_exceeded' | 'principal_keys_exceeded' | 'last_admin_key' | 'destination_paused' | 'event_id_reused' | 'exports_under_way' | 'exports_stored' | 'export_not_complete' | 'event_erased' | 'idempotency_response_erased' | 'idempotency_key_in_use' | 'idempotency_key_reused' | 'cursor_expired' | 'export_expired' | 'precondition_failed' | 'body_too_large' | 'event_too_large' | 'too_many_events' | 'uri_too_long' | 'unsupported_media_type' | 'range_not_satisfiable' | 'misdirected_request' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'addresses_exhausted' | 'changes_in_progress' | 'export_file_unavailable' | 'unavailable';

export type Event = {
    /** The `event_id` of the payload. */
    id: string;
    uri: string;
    created_at: string;
    type: string;
    /** The resource that changed. Empty for an event that was erased. */
    resource_id: string;
    /** Null: it was erased. */
    payload: EventPayload | null;
    /** The erasure that has removed the payload and what is searched. Absent from every other event. */
    erasure_id?: string;
};

/** How many events of a search there are over time, with the states of their deliveries. */
export type EventCounts = {
    /** When the first step begins. */
    from: string;
    /** When the last step ends: `to` of the search, or just after the newest event. */
    to: string;
    /** Number of events in each of 60 steps of the same length. */
    steps: Array<number>;
    /** Number of events in all steps. */
    events: number;
    /** Events before this time were not read. Null: all of the search were read. */
    reached: string | null;
    /** Number of deliveries of the newest `deliveries_of` events, by state: at most 100 of each event. `pending` includes those in flight. */
    deliveries: {
        pending: number;
        delivered: number;
        rejected: number;
        expired: number;
        cancelled: number;
    };
    /** Number of events whose deliveries were counted, at most 500. */
    deliveries_of: number;
};

/** Sent when such a redelivery has ended: every event is queued again, or `principal` has cancelled it. */
export type EventDeliveryRecoveryEndedPayload = {
    /** Id of the event, the same on every delivery. Use it to detect duplicates. */
    event_id: string;
    event_type: 'event_delivery_recovery_ended.v0';
    event_timestamp: string;
    account_id: string;
    /** The resource that changed. Of a published event: its id at the publisher, as it was given. */
    resource_id: string;
    principal: {
        id: string;
        subject: string;
        /** The API key. Null when the service itself made the change. */
        credential: {
            id: string;
            uri: string;
        } | null;
    };
    /** Always 0: the event reports an operation, and no state of a resource. */
    version: 0;
    object: {
        /** The recovery. */
        id: string;
        /** Its state at the time of the event. */
        state: 'running' | 'finished' | 'cancelled';
        /** Events recorded at or after this time. */
        from: string;
        /** Events recorded before this time. */
        to: string;
        /** States of the deliveries. */
        states: Array<'rejected' | 'expired'>;
        /** The destinations. Null: every one. */
        destination_ids: Array<string> | null;
        /** Number of events at the request. Null where there were too many to count them. */
        events_total: number | null;
        /** Number of events that were queued again so far. */
        events_redelivered: number;
    };
    request: {
        operation_id: string;
        ip: string | null;
        user_agent: string | null;
    };
    /** Epoch of the number. It increases when the database was restored or failed over. Order is (epoch, sequence). */
    epoch?: number;
    /** Gapless number of the event at its destination, the same on every redelivery. */
    sequence?: number;
    integrity?: EventIntegrity;
    /** The event was sent by a backfill: newer events of its resource may have arrived before. Absent from every other event. */
    backfill?: boolean;
};

/** Sent when the redelivery of rejected and expired events to several event destinations was requested. `principal` requested it. */
export type EventDeliveryRecoveryStartedPayload = {
    /** Id of the event, the same on every delivery. Use it to detect duplicates. */
    event_id: string;
    event_type: 'event_delivery_recovery_started.v0';
    event_timestamp: string;
    account_id: string;
    /** The resource that changed. Of a published event: its id at the publisher, as it was given. */
    resource_id: string;
    principal: {
        id: string;
        subject: string;
        /** The API key. Null when the service itself made the change. */
        credential: {
            id: string;
            uri: string;
        } | null;
    };
    /** Always 0: the event reports an operation, and no state of a resource. */
    version: 0;
    object: {
        /** The recovery. */
        id: string;
        /** Its state at the time of the event. */
        state: 'running' | 'finished' | 'cancelled';
        /** Events recorded at or after this time. */
        from: string;
        /** Events recorded before this time. */
        to: string;
        /** States of the deliveries. */
        states: Array<'rejected' | 'expired'>;
        /** The destinations. Null: every one. */
        destination_ids: Array<string> | null;
        /** Number of events at the request. Null where there were too many to count them. */
        events_total: number | null;
        /** Number of events that were queued again so far. */
        events_redelivered: number;
    };
    request: {
        operation_id: string;
        ip: string | null;
        user_agent: string | null;
    };
    /** Epoch of the number. It increases when the database was restored or failed over. Order is (epoch, sequence). */
    epoch?: number;
    /** Gapless number of the event at its destination, the same on every redelivery. */
    sequence?: number;
    integrity?: EventIntegrity;
    /** The event was sent by a backfill: newer events of its resource may have arrived before. Absent from every other event. */
    backfill?: boolean;
};

/** Sent when deliveries were rejected permanently: one event for all rejections of about a minute. Never sent to the destination itself. */
export type EventDeliveryRejectedPayload = {
    /** Id of the event, the same on every delivery. Use it to detect duplicates. */
    event_id: string;
    event_type: 'event_delivery_rejected.v0';
    event_timestamp: string;
    account_id: string;
    /** The resource that changed. Of a published event: its id at the publisher, as it was given. */
    resource_id: string;
    principal: {
        id: string;
        subject: string;
        /** The API key. Null when the service itself made the change. */
        credential: {
            id: string;
            uri: string;
        } | null;
    };
    /** Always 0: the event reports the health of an event destination, and no state of a resource. */
    version: 0;
    object: {
        /** The event destination. */
        id: string;
        /** Its `description`. */
        description: string;
        /** Its `metadata`. */
        metadata: string;
        /** Number of rejected deliveries. */
        count: number;
        /** Lowest `sequence` of them. */
        first_sequence: number;
        /** Highest `sequence` of them. */
        last_sequence: number;
        /** When the first of them was rejected. */
        first_at: string;
        /** When the last of them was rejected. */
        last_at: string;
        /** Why the first of them was rejected. `GET /event_destinations/{id}/deliveries?state=rejected` has all. */
        error_code: string;
    };
    request: {
        operation_id: string;
        ip: string | null;
        user_agent: string | null;
    };
    /** Epoch of the number. It increases when the database was restored or failed over. Order is (epoch, sequence). */
    epoch?: number;
    /** Gapless number of the event at its destination, the same on every redelivery. */
    sequence?: number;
    integrity?: EventIntegrity;
    /** The event was sent by a backfill: newer events of its resource may have arrived before. Absent from every other event. */
    backfill?: boolean;
};

export type EventDestination = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
    format: 'json';
    target: EventDestinationTarget;
    /** The pause; null while the destination is not paused. */
    paused: EventDestinationPause | null;
    /** The last mute, also after its end: see `until`. Null without one. */
    muted: EventDestinationMute | null;
};

/** Sent to an event destination when the log that proves its events was signed: at most once a minute, by default, while it receives other events. It cannot be a source of a subscription. Its `resource_id` is the origin of the log. */
export type EventDestinationCheckpointSignedPayload = {
    /** Id of the event, the same on every delivery. Use it to detect duplicates. */
    event_id: string;
    event_type: 'event_destination_checkpoint_signed.v0';
    event_timestamp: string;
    account_id: string;
    /** The resource that changed. Of a published event: its id at the publisher, as it was given. */
    resource_id: string;
    principal: {
        id: string;
        subject: string;
        /** The API key. Null when the service itself made the change. */
        credential: {
            id: string;
            uri: string;
        } | null;
    };
    /** Always 0: the event reports no state of a resource. */
    version: 0;
    object: {
        /** The event destination. */
        id: string;
        /** The epoch of the log. */
        epoch: number;
        /** Origin of the log. */
        log: string;
        /** Number of leaves. */
        size: number;
        /** Signed note (c2sp.org/tlog-checkpoint): origin, size and root of the log, with a signature. */
        checkpoint: string;
        /** The last checkpoint before it with cosignatures (c2sp.org/tlog-cosignature), which others make after it is signed. Null: there is none. */
        cosigned: string | null;
    };
    request: {
        operation_id: string;
        ip: string | null;
        user_agent: string | null;
    };
    /** Epoch of the number. It increases when the database was restored or failed over. Order is (epoch, sequence). */
    epoch?: number;
    /** Gapless number of the event at its destination, the same on every redelivery. */
    sequence?: number;
    integrity?: EventIntegrity;
    /** The event was sent by a backfill: newer events of its resource may have arrived before. Absent from every other event. */
    backfill?: boolean;
};

/** Sent when an event destination was created. */
export type EventDestinationCreatedPayload = EventPayloadBase & {
    event_type: 'event_destination_created.v0';
    object: EventDestination;
};

/** Sent when an event destination was deleted. */
export type EventDestinationDeletedPayload = EventPayloadBase & {
    event_type: 'event_destination_deleted.v0';
    object: EventDestination;
};

/** Sent to every event destination when an epoch began, because the database was restored or failed over. It cannot be a source of a subscription. */
export type EventDestinationEpochStartedPayload = {
    /** Id of the event, the same on every delivery. Use it to detect duplicates. */
    event_id: string;
    event_type: 'event_destination_epoch_started.v0';
    event_timestamp: string;
    account_id: string;
    /** The resource that changed. Of a published event: its id at the publisher, as it was given. */
    resource_id: string;
    principal: {
        id: string;
        subject: string;
        /** The API key. Null when the service itself made the change. */
        credential: {
            id: string;
            uri: string;
        } | null;
    };
    /** Always 0: the event reports no state of the event destination, and overtakes its waiting changes. */
    version: 0;
    object: {
        /** The event destination. */
        id: string;
        /** The epoch that began. */
        epoch: number;
        began_at: string;
        /** `database_copied`: the data was restored from a dump or replicated logically. `other_system`: another database server. `other_timeline`: a failover, or a recovery to a point in time. `numbers_lost`: a witness knows higher numbers than the database. `declared`: the operator declared a recovery. */
        reason: 'database_copied' | 'other_system' | 'other_timeline' | 'numbers_lost' | 'declared';
        /** The numbers, ordered by epoch and sequence, between which events may be undone: they were delivered before, and the database does not know them now. Neither does it have their changes. */
        undone: {
            /** The last number on record. Sequence 0: none. */
            after: {
                epoch: number;
                sequence: number;
            };
            /** The number of this event. */
            before: {
                epoch: number;
                sequence: number;
            };
            /** The highest number in the range that a witness outside the database knows. Higher ones are possible. Null when it knows none. */
            witnessed: {
                epoch: number;
                sequence: number;
            } | null;
        };
    };
    request: {
        operation_id: string;
        ip: string | null;
        user_agent: string | null;
    };
    /** Epoch of the number. It increases when the database was restored or failed over. Order is (epoch, sequence). */
    epoch?: number;
    /** Gapless number of the event at its destination, the same on every redelivery. */
    sequence?: number;
    integrity?: EventIntegrity;
    /** The event was sent by a backfill: newer events of its resource may have arrived before. Absent from every other event. */
    backfill?: boolean;
};

/** Metrics of an event destination over time. */
export type EventDestinationMetrics = {
    /** Address of the metrics, without the range. */
    uri: string;
    step: '1m' | '5m' | '1h' | '1d';
    /** Begin of the first step: the given time or earlier. */
    from: string;
    /** End of the last step: the given time or later. */
    to: string;
    /** Present when the range begins earlier than 30 days ago, unless the account is younger: what happened before this time is not counted. */
    complete_since?: string;
    /** What was recorded before this time is counted, usually until half a minute ago. */
    complete_until: string;
    /** The metrics of the whole range. */
    total: {
        /** Attempts: calls to the target with a batch of events. */
        attempts: number;
        /** Deliveries that the target accepted. */
        delivered: number;
        /** Deliveries that failed and were tried again: each attempt counts. */
        retried: number;
        /** Deliveries that the target rejected permanently. */
        rejected: number;
        /** Deliveries whose deadline passed. */
        expired: number;
        /** Time from a change, or from the request of its redelivery, until its event was delivered, which half of the delivered events did not exceed. At most 10 % off. Null where nothing was delivered. */
        latency_p50_ms: number | null;
        /** The same for 99 % of the delivered events. */
        latency_p99_ms: number | null;
        /** Events of an attempt. Null without an attempt. */
        batch_size_mean: number | null;
        /** Events of the largest attempt. Null without an attempt. */
        batch_size_max: number | null;
    };
    /** Every step of the range, oldest first, also those in which nothing happened. */
    steps: Array<{
        /** Begin of the step. */
        from: string;
        /** Attempts: calls to the target with a batch of events. */
        attempts: number;
        /** Deliveries that the target accepted. */
        delivered: number;
        /** Deliveries that failed and were tried again: each attempt counts. */
        retried: number;
        /** Deliveries that the target rejected permanently. */
        rejected: number;
        /** Deliveries whose deadline passed. */
        expired: number;
        /** Time from a change, or from the request of its redelivery, until its event was delivered, which half of the delivered events did not exceed. At most 10 % off. Null where nothing was delivered. */
        latency_p50_ms: number | null;
        /** The same for 99 % of the delivered events. */
        latency_p99_ms: number | null;
        /** Events of an attempt. Null without an attempt. */
        batch_size_mean: number | null;
        /** Events of the largest attempt. Null without an attempt. */
        batch_size_max: number | null;
    }>;
};

/** Why, until when and by whom a destination is muted. */
export type EventDestinationMute = {
    /** The reason that was given. */
    reason: string;
    /** When the mute ends. The member stays, without an effect. */
    until: string;
    /** When the destination was muted. */
    since: string;
    /** Who muted it. */
    principal: {
        /** Id of the user or bot. */
        id: string;
        /** Name of the user or bot at that time. */
        subject: string;
        /** Id of the API key of the request. Null where the service itself acted. */
        credential_id: string | null;
    };
};

/** Why, since when and by whom a destination is paused. */
export type EventDestinationPause = {
    /** The reason that was given. */
    reason: string;
    /** When the destination was paused. */
    since: string;
    /** Who paused it. */
    principal: {
        /** Id of the user or bot. */
        id: string;
        /** Name of the user or bot at that time. */
        subject: string;
        /** Id of the API key of the request. Null where the service itself acted. */
        credential_id: string | null;
    };
};

/** How much destinations delivered over time. */
export type EventDestinationRates = {
    /** Address of this list, without the query. */
    uri: string;
    step: '1m' | '5m' | '1h' | '1d';
    /** Begin of the first step: the given time or earlier. */
    from: string;
    /** End of the last step: the given time or later. */
    to: string;
    /** Present when the range begins earlier than 30 days ago, unless the account is younger: what happened before this time is not counted. */
    complete_since?: string;
    /** What was recorded before this time is counted, usually until half a minute ago. */
    complete_until: string;
    /** Newest first, each with every step of the range, oldest first. */
    destinations: Array<{
        /** Id of the destination. */
        id: string;
        /** Deliveries that the target accepted, for each step. */
        delivered: Array<number>;
        /** Deliveries that failed, for each step: those that were tried again, each time, rejected and expired ones. */
        failed: Array<number>;
    }>;
    /** Address of the next page; null on the last page. A page that is not full may have it. */
    next_page_uri: string | null;
};

/** Sent for each event destination that exists when this type is added to a subscription, before its first change. */
export type EventDestinationSnapshotPayload = EventPayloadBase & {
    event_type: 'event_destination_snapshot.v0';
    object: EventDestination;
};

/** Status of an event destination. */
export type EventDestinationStatus = {
    /** Id of the destination. */
    id: string;
    /** Address of this status. */
    uri: string;
    /** The description of the destination. Null when unset. */
    description: string | null;
    /** The kind of target: the member of `target` that is set. */
    target_kind: 'delivery_stream' | 'data_stream' | 'log_group' | 'monitoring' | 'log_ingestion';
    /** `retrying`: the last attempt failed for a temporary reason. `misconfigured`: the last attempt failed because of the configuration of the destination. No event is lost; an update or a test of the destination retries at once. `paused`: its events wait until the pause is ended, see `paused`. */
    status: 'healthy' | 'retrying' | 'misconfigured' | 'paused';
    /** When the destination entered this status. */
    since: string;
    /** The pause; null while the destination is not paused. */
    paused: EventDestinationPause | null;
    /** The mute; null while the destination is not muted. */
    muted: EventDestinationMute | null;
    /** The last error. It stays after the destination is healthy: `status` says whether something is wrong now. Null when there was none. */
    last_error: {
        code: string;
        message: string;
        at: string;
    } | null;
    /** Number of deliveries in the states `pending` and `in_flight`. Counted up to 10000; in the list of all destinations, up to 1000. */
    pending: number;
    /** Whether the real number is higher than `pending`. */
    pending_is_lower_bound: boolean;
    /** Number of deliveries in the state `in_flight`: the batch that is being sent or retried. A pause leaves it: the call under way ends, and what failed is retried after the pause. */
    in_flight: number;
    /** When the event of the oldest pending delivery happened. Null when nothing is pending. */
    oldest_pending_at: string | null;
    /** When the first of the oldest 1,000 pending deliveries becomes `expired`, if the destination still fails then. Null when nothing is pending, and while the destination is paused: a pause moves the deadline. */
    oldest_expires_at: string | null;
    /** When the next attempt is made after a failure. Null when the destination is not in backoff, and while it is paused. */
    next_attempt_at: string | null;
    /** Highest `sequence` that was assigned. 0 before the first event. */
    last_sequence: number;
    /** Current epoch. It increases when the database was restored or failed over. */
    epoch: number;
    /** Every epoch with its first `sequence`, oldest first. A number belongs to the last epoch that begins at it or before. */
    epochs: Array<{
        epoch: number;
        first_sequence: number;
    }>;
};

/** Sent when an event destination has had another status for a minute, or longer where it changes often. Never sent to the destination itself. */
export type EventDestinationStatusChangedPayload = {
    /** Id of the event, the same on every delivery. Use it to detect duplicates. */
    event_id: string;
    event_type: 'event_destination_status_changed.v0';
    event_timestamp: string;
    account_id: string;
    /** The resource that changed. Of a published event: its id at the publisher, as it was given. */
    resource_id: string;
    principal: {
        id: string;
        subject: string;
        /** The API key. Null when the service itself made the change. */
        credential: {
            id: string;
            uri: string;
        } | null;
    };
    /** Always 0: the event reports the health of an event destination, and no state of a resource. */
    version: 0;
    object: {
        /** The event destination. */
        id: string;
        /** Its `description`. */
        description: string;
        /** Its `metadata`. */
        metadata: string;
        /** The status now. `GET /event_destinations/{id}/status` says more. */
        status: 'healthy' | 'retrying' | 'misconfigured' | 'paused';
        /** When the destination entered this status. */
        since: string;
        /** The status that the last such event reported; at first `healthy`. */
        previous_status: 'healthy' | 'retrying' | 'misconfigured' | 'paused';
        /** Code of the last error. Null where the last attempt succeeded: always where it is healthy, and mostly where it is paused. */
        error_code: string | null;
        /** The pause, where the status is `paused`. Otherwise null. */
        paused: EventDestinationPause | null;
        /** The mute, while the destination is muted. Otherwise null. */
        muted: EventDestinationMute | null;
    };
    request: {
        operation_id: string;
        ip: string | null;
        user_agent: string | null;
    };
    /** Epoch of the number. It increases when the database was restored or failed over. Order is (epoch, sequence). */
    epoch?: number;
    /** Gapless number of the event at its destination, the same on every redelivery. */
    sequence?: number;
    integrity?: EventIntegrity;
    /** The event was sent by a backfill: newer events of its resource may have arrived before. Absent from every other event. */
    backfill?: boolean;
};

/** Target of the events: exactly one member is not null. Secrets are always null. */
export type EventDestinationTarget = {
    delivery_stream: DeliveryStreamTarget | null;
    data_stream: DataStreamTarget | null;
    log_group: LogGroupTarget | null;
    monitoring: MonitoringTarget | null;
    log_ingestion: LogIngestionTarget | null;
};

export type EventDestinationTest = {
    /** Outcome of the test event. `retry`: the attempt failed for a temporary reason. `misconfigured`: the attempt failed because of the configuration of the destination. Both are retried. Null: there is no outcome yet; `ahead` and `status` say why. */
    verdict: 'delivered' | 'retry' | 'misconfigured' | 'rejected' | null;
    /** The outcome in one sentence. */
    message: string;
    /** Number of events that are delivered before the test event. Counted up to 10000. */
    ahead: number;
    /** Whether the real number is higher than `ahead`. */
    ahead_is_lower_bound: boolean;
    delivery: Delivery;
    status: EventDestinationStatus;
};

/** Sent to an event destination when it is tested. It cannot be a source of a subscription. */
export type EventDestinationTestPayload = EventPayloadBase & {
    event_type: 'event_destination_test.v0';
    object: EventDestination;
};

/** Sent when an event destination was changed. */
export type EventDestinationUpdatedPayload = EventPayloadBase & {
    event_type: 'event_destination_updated.v0';
    object: EventDestination;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialEventDestination;
        /** The same members after the update. */
        after: PartialEventDestination;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

/** Sent to an event destination when events that it received were erased at Waybill: the log of the destination keeps their leaves. At the end of the erasure, the account gets one that is sent to no destination. It cannot be a source of a subscription. */
export type EventErasureRecordedPayload = {
    /** Id of the event, the same on every delivery. Use it to detect duplicates. */
    event_id: string;
    event_type: 'event_erasure_recorded.v0';
    event_timestamp: string;
    account_id: string;
    /** The resource that changed. Of a published event: its id at the publisher, as it was given. */
    resource_id: string;
    principal: {
        id: string;
        subject: string;
        /** The API key. Null when the service itself made the change. */
        credential: {
            id: string;
            uri: string;
        } | null;
    };
    /** Always 0: the event reports no state of a resource. */
    version: 0;
    object: {
        /** The erasure. Also the `resource_id`. */
        id: string;
        /** What was named: a resource, a principal or the account. Its id is erased as well. */
        kind: 'object' | 'principal' | 'account';
        /** Only events that were recorded before this time are erased. */
        to: string;
        /** The reason, as it was given. */
        reason: string;
        /** The user or bot who requested it, and their name at that time. */
        requested_by: {
            id: string;
            subject: string;
        };
        requested_at: string;
        /** Number of events in the record; at the end, of all erased events. */
        events: number;
        /** Origin of the log. Null at the end. */
        log: string | null;
        /** Signed note of the log: its origin, the erasure, the time, and the indexes of the events. Null at the end. */
        record: string | null;
    };
    request: {
        operation_id: string;
        ip: string | null;
        user_agent: string | null;
    };
    /** Epoch of the number. It increases when the database was restored or failed over. Order is (epoch, sequence). */
    epoch?: number;
    /** Gapless number of the event at its destination, the same on every redelivery. */
    sequence?: number;
    integrity?: EventIntegrity;
    /** The event was sent by a backfill: newer events of its resource may have arrived before. Absent from every other event. */
    backfill?: boolean;
};

/** What is sent of an event, as JSON pointers into its payload, such as `/object/description`. `*` stands for every item or member, and cannot be the first part. A pointer into `/object` applies to its old and new values in `/changes` too. */
export type EventFields = {
    /** Only these members are sent, and `event_id`, `event_type`, `event_timestamp`, `account_id`, `version`, `epoch` and `sequence`. */
    include?: Array<string>;
    /** These members are not sent. */
    exclude?: Array<string>;
    /** These values are replaced by their hashes with the salt of the subscription. */
    hash?: Array<string>;
};

/** What is sent of an event, as JSON pointers into its payload, such as `/object/description`. `*` stands for every item or member, and cannot be the first part. A pointer into `/object` applies to its old and new values in `/changes` too. */
export type EventFieldsInput = {
    /** Only these members are sent, and `event_id`, `event_type`, `event_timestamp`, `account_id`, `version`, `epoch` and `sequence`. */
    include?: Array<string>;
    /** These members are not sent. */
    exclude?: Array<string>;
    /** These values are replaced by their hashes with the salt of the subscription. */
    hash?: Array<string>;
};

/** The filters of `GET /events`. They combine; without any, all events pass. */
export type EventFilter = {
    /** Returns only events of these types, 1 to 20. */
    type?: Array<string>;
    /** Returns only events of changes by this user, bot or principal of a publisher. */
    principal_id?: string;
    /** Returns only events of changes that were made, or published, with this API key. */
    credential_id?: string;
    /** Returns only events of this request (`Operation-Id`). */
    operation_id?: string;
    /** Returns only events of updates that changed this top-level member. */
    changed?: string;
    /** Returns only events recorded at or after this time. */
    from?: string;
    /** Returns only events recorded before this time. */
    to?: string;
    /** Returns only events of this resource, also after its deletion. */
    object_id?: string;
    /** Returns only events of requests from this address: `payload.request.ip` is exactly this text. No index has it: see `text`. */
    ip?: string;
    /** Returns only events whose payload has this text: as compact JSON, or within a string. The case of the letters A to Z does not matter. No index has payloads: a page reads those of at most 2,000 events, and the next page continues. */
    text?: string;
};

/** The filters of `GET /events`. They combine; without any, all events pass. */
export type EventFilterInput = {
    /** Returns only events of these types, 1 to 20. */
    type?: Array<string>;
    /** Returns only events of changes by this user, bot or principal of a publisher. */
    principal_id?: string;
    /** Returns only events of changes that were made, or published, with this API key. */
    credential_id?: string;
    /** Returns only events of this request (`Operation-Id`). */
    operation_id?: string;
    /** Returns only events of updates that changed this top-level member. */
    changed?: string;
    /** Returns only events recorded at or after this time. */
    from?: string;
    /** Returns only events recorded before this time. */
    to?: string;
    /** Returns only events of this resource, also after its deletion. */
    object_id?: string;
    /** Returns only events of requests from this address: `payload.request.ip` is exactly this text. No index has it: see `text`. */
    ip?: string;
    /** Returns only events whose payload has this text: as compact JSON, or within a string. The case of the letters A to Z does not matter. No index has payloads: a page reads those of at most 2,000 events, and the next page continues. */
    text?: string;
};

/** Where a log proves the event. Absent only where an event was erased. */
export type EventIntegrity = {
    /** Origin of the log of the destination in the epoch. */
    log: string;
    /** Index of the leaf of the event in that log. */
    index: number;
    /** Salt of the commitment in the leaf. */
    salt: string;
};

/** A page of a search of events. */
export type EventList = {
    /** Newest first, unless `order` says otherwise. */
    events: Array<Event>;
    /** Address of this list. */
    uri: string;
    /** Address of the next page; null on the last page. A page that is not full, even an empty one, has it while there is more to search. */
    next_page_uri: string | null;
    /** Absent when the list misses nothing. Otherwise the list has every item that was recorded since this time. Earlier ones were removed after their retention (`GET /retention`). */
    complete_since?: string;
};

/** Payload of an event. Each delivery adds `epoch` and `sequence`, which each destination numbers by itself, and that of a backfill adds `backfill`. */
export type EventPayload = BuiltInEventPayload | PublishedEventPayload;

/** What the payloads of the events of all built-in resources have. */
export type EventPayloadBase = {
    /** Id of the event, the same on every delivery. Use it to detect duplicates. */
    event_id: string;
    event_timestamp: string;
    account_id: string;
    /** The resource that changed. Of a published event: its id at the publisher, as it was given. */
    resource_id: string;
    principal: {
        id: string;
        subject: string;
        /** The API key. Null when the service itself made the change. */
        credential: {
            id: string;
            uri: string;
        } | null;
    };
    /** Version of the resource: 1 when it was created, 1 more with each change, its deletion included. Of two events of a resource, the one with the higher version is the newer. */
    version: number;
    request: {
        operation_id: string;
        ip: string | null;
        user_agent: string | null;
    };
    /** Epoch of the number. It increases when the database was restored or failed over. Order is (epoch, sequence). */
    epoch?: number;
    /** Gapless number of the event at its destination, the same on every redelivery. */
    sequence?: number;
    integrity?: EventIntegrity;
    /** The event was sent by a backfill: newer events of its resource may have arrived before. Absent from every other event. */
    backfill?: boolean;
};

/** What a source would send of the newest events of its type. */
export type EventPreview = {
    type: string;
    /** Number of the events below. Fewer than `limit` where there are no more, or where they cost too much. */
    evaluated: number;
    /** How many of them match. */
    matched: number;
    /** How many of them match because of an error. */
    failed: number;
    /** Newest first. */
    events: Array<{
        id: string;
        uri: string;
        created_at: string;
        /** Whether the source would send the event. */
        matches: boolean;
        /** Why the filter could not be evaluated for the event, which matches then. Null otherwise. */
        error: string | null;
        /** What would be sent, without `epoch` and `sequence`. Null where the event does not match. */
        payload: {
            [key: string]: unknown;
        } | null;
    }>;
};

/** The progress of a snapshot: the present state of one family. */
export type EventSnapshot = {
    /** Id of the snapshot. */
    id: string;
    /** Type of its events. */
    type: string;
    /** Destinations that receive it. */
    destinations: Array<Ref>;
    /** `running`: resources are being written. `finished`: the events of all resources are recorded. */
    state: 'running' | 'finished';
    /** Number of resources that are done: written, or written before their first change. */
    resources_passed: number;
    /** Number of resources when the snapshot began. Null before. */
    resources_total: number | null;
    /** When the snapshot was requested. */
    created_at: string;
    /** Null while the snapshot is running. */
    finished_at: string | null;
};

/** An event type that triggers a subscription. */
export type EventSource = {
    /** An event type, built-in or registered: `<resource>_<action>.v<version>`. `<resource>_snapshot.v0` of a built-in resource asks for the present state: one event for each existing resource, before its first change. */
    type: string;
    /** A condition in CEL over the payload of an event. Only events that match are sent. An event for which it cannot be evaluated matches. */
    filter?: string;
    fields?: EventFields;
    /** Address of this source. */
    uri: string;
};

export type EventSubscription = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Free-form text for people. At most 255 characters. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 characters. Null when unset. */
    metadata: string | null;
    sources: Array<EventSource>;
    destinations: Array<Ref>;
};

/** Sent when an event subscription was created. */
export type EventSubscriptionCreatedPayload = EventPayloadBase & {
    event_type: 'event_subscription_created.v0';
    object: EventSubscription;
};

/** Sent when an event subscription was deleted. */
export type EventSubscriptionDeletedPayload = EventPayloadBase & {
    event_type: 'event_subscription_deleted.v0';
    object: EventSubscription;
};

/** Sent for each event subscription that exists when this type is added to a subscription, before its first change. */
export type EventSubscriptionSnapshotPayload = EventPayloadBase & {
    event_type: 'event_subscription_snapshot.v0';
    object: EventSubscription;
};

/** Sent when an event subscription was changed. */
export type EventSubscriptionUpdatedPayload = EventPayloadBase & {
    event_type: 'event_subscription_updated.v0';
    object: EventSubscription;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialEventSubscription;
        /** The same members after the update. */
        after: PartialEventSubscription;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

export type EventType = {
    type: string;
    uri: string;
    description: string;
    /** `built_in`: a resource of Waybill. `registered`: a resource type of the account. */
    origin: 'built_in' | 'registered';
};

export type EventTypeWithSchema = {
    type: string;
    uri: string;
    description: string;
    /** `built_in`: a resource of Waybill. `registered`: a resource type of the account. */
    origin: 'built_in' | 'registered';
    /** JSON Schema (2020-12) of the delivered payload. */
    schema: {
        [key: string]: unknown;
    };
};

/** Events in a file. */
export type Export = {
    id: string;
    uri: string;
    created_at: string;
    /** `ndjson`: one event a line, byte for byte as it is stored or, with `destination_id`, as the destination receives it. `csv`: a table with the columns of RFC 4180, for spreadsheets. */
    format: 'ndjson' | 'csv';
    filter: EventFilter;
    destination_id: string | null;
    /** The user or bot, and its API key. */
    requested_by: {
        principal_id: string;
        credential_id: string | null;
    };
    /** `pending`: waits for changes and fan-outs in progress, or for a worker. `running`: is being written. `completed`: can be downloaded. `failed`: see `error`. `expired`: the file is kept no longer. */
    state: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled' | 'expired';
    progress: {
        /** Events that are written. */
        events: number;
        bytes: number;
        /** Events up to this time are written. The last one is at the end of the filter, or at the creation of the export. */
        reached_at: string | null;
    };
    /** Why it failed. `storage_full`, `storage_refused` and `storage_unavailable` are for the operator. `nothing_to_export`: no event matches. `destination_deleted`: the destination was deleted before the file was complete. `interrupted`: its worker ended, or events were erased, too often. `events_erased`: the file was complete, and may have held events that were erased since. */
    error: {
        code: string;
        message: string;
    } | null;
    started_at: string | null;
    finished_at: string | null;
    /** When the file is removed. */
    expires_at: string | null;
    /** What the file holds. Null before it is complete. */
    manifest: ExportManifest | null;
    /** Address of the file. Null unless `completed`. */
    download_uri: string | null;
};

export type ExportManifest = {
    export_id: string;
    account_id: string;
    format: 'ndjson' | 'csv';
    filter: EventFilter;
    destination_id: string | null;
    /** Every event that was committed before this time is included, as far as it was kept (`complete_since`). */
    created_at: string;
    completed_at: string;
    /** Events recorded before this time may be missing: the retention removed them, or their deliveries where there is a `destination_id`, before they were read. Null: none is missing. */
    complete_since: string | null;
    file: {
        name: string;
        bytes: number;
        /** SHA-256 of the file, in hexadecimal. */
        sha256: string;
    };
    /** Number of events in the file. */
    count: number;
    /** When the first and the last event of the file were recorded. */
    time_range: {
        first: string;
        last: string;
    };
    /** The numbers at the destination, by epoch. Null without `destination_id`. */
    sequence_ranges: Array<ExportSequenceRange> | null;
    /** Number of deliveries in each state when they were read. Null without `destination_id`. */
    states: {
        [key: string]: number;
    } | null;
    /** Number of events that match and were erased: the file does not have them. */
    erased: number;
    /** Number of lines with what `fields` of sources leave of the event, as the destination receives it. Null without `destination_id`. */
    projected: number | null;
};

export type ExportSequenceRange = {
    epoch: number;
    first: number;
    last: number;
    /** Less than the range has numbers where events of some are not in the file: the filter leaves them out, they were recorded later, or their deliveries were removed. */
    count: number;
};

export type FailoverBackend = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
    /** Ids of the child backends, in the order in which they are tried. Any kind of backend. */
    backends: Array<string>;
};

/** Sent when a failover backend was created. */
export type FailoverBackendCreatedPayload = EventPayloadBase & {
    event_type: 'failover_backend_created.v0';
    object: FailoverBackend;
};

/** Sent when a failover backend was deleted. */
export type FailoverBackendDeletedPayload = EventPayloadBase & {
    event_type: 'failover_backend_deleted.v0';
    object: FailoverBackend;
};

/** Sent for each failover backend that exists when this type is added to a subscription, before its first change. */
export type FailoverBackendSnapshotPayload = EventPayloadBase & {
    event_type: 'failover_backend_snapshot.v0';
    object: FailoverBackend;
};

/** Sent when a failover backend was changed. */
export type FailoverBackendUpdatedPayload = EventPayloadBase & {
    event_type: 'failover_backend_updated.v0';
    object: FailoverBackend;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialFailoverBackend;
        /** The same members after the update. */
        after: PartialFailoverBackend;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

export type Health = {
    status: 'ok';
};

export type HttpResponseBackend = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
    /** Response body. At most 24576 bytes of UTF-8. Null when unset. */
    body: string | null;
    /** Response headers. Names are in lower case. */
    headers: {
        [key: string]: string;
    } | null;
    /** Response status code. */
    status_code: number;
};

/** Sent when an HTTP-response backend was created. */
export type HttpResponseBackendCreatedPayload = EventPayloadBase & {
    event_type: 'http_response_backend_created.v0';
    object: HttpResponseBackend;
};

/** Sent when an HTTP-response backend was deleted. */
export type HttpResponseBackendDeletedPayload = EventPayloadBase & {
    event_type: 'http_response_backend_deleted.v0';
    object: HttpResponseBackend;
};

/** Sent for each HTTP-response backend that exists when this type is added to a subscription, before its first change. */
export type HttpResponseBackendSnapshotPayload = EventPayloadBase & {
    event_type: 'http_response_backend_snapshot.v0';
    object: HttpResponseBackend;
};

/** Sent when an HTTP-response backend was changed. */
export type HttpResponseBackendUpdatedPayload = EventPayloadBase & {
    event_type: 'http_response_backend_updated.v0';
    object: HttpResponseBackend;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialHttpResponseBackend;
        /** The same members after the update. */
        after: PartialHttpResponseBackend;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

export type HttpsEdge = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
    hostports: Array<string> | null;
};

/** Sent when an HTTPS edge was created. */
export type HttpsEdgeCreatedPayload = EventPayloadBase & {
    event_type: 'https_edge_created.v0';
    object: HttpsEdge;
};

/** Sent when an HTTPS edge was deleted. */
export type HttpsEdgeDeletedPayload = EventPayloadBase & {
    event_type: 'https_edge_deleted.v0';
    object: HttpsEdge;
};

export type HttpsEdgeRoute = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Id of the edge that the route belongs to. */
    edge_id: string;
    /** Whether `match` is compared with the whole path or with its beginning. */
    match_type: 'exact_path' | 'path_prefix';
    /** Requests that the route matches: a path, a host, or a host and a path. The host is stored in lower-case ASCII. At most 2048 bytes of UTF-8. Unique within the edge for each match_type. */
    match: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
    backend: BackendModule | null;
    ip_restriction: IpRestrictionModule | null;
    circuit_breaker: CircuitBreakerModule | null;
    compression: CompressionModule | null;
    request_headers: RequestHeadersModule | null;
    response_headers: ResponseHeadersModule | null;
    webhook_verification: WebhookVerificationModule | null;
    oauth: OauthModule | null;
    saml: SamlModule | null;
    oidc: OidcModule | null;
    websocket_tcp_converter: WebsocketTcpConverterModule | null;
    user_agent_filter: UserAgentFilterModule | null;
    traffic_policy: TrafficPolicyModule | null;
};

/** Sent when an HTTPS edge route was created. */
export type HttpsEdgeRouteCreatedPayload = EventPayloadBase & {
    event_type: 'https_edge_route_created.v0';
    object: HttpsEdgeRoute;
};

/** Sent when an HTTPS edge route was deleted. */
export type HttpsEdgeRouteDeletedPayload = EventPayloadBase & {
    event_type: 'https_edge_route_deleted.v0';
    object: HttpsEdgeRoute;
};

/** Sent for each HTTPS edge route that exists when this type is added to a subscription, before its first change. */
export type HttpsEdgeRouteSnapshotPayload = EventPayloadBase & {
    event_type: 'https_edge_route_snapshot.v0';
    object: HttpsEdgeRoute;
};

/** Sent when an HTTPS edge route was changed. */
export type HttpsEdgeRouteUpdatedPayload = EventPayloadBase & {
    event_type: 'https_edge_route_updated.v0';
    object: HttpsEdgeRoute;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialHttpsEdgeRoute;
        /** The same members after the update. */
        after: PartialHttpsEdgeRoute;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

/** Sent for each HTTPS edge that exists when this type is added to a subscription, before its first change. */
export type HttpsEdgeSnapshotPayload = EventPayloadBase & {
    event_type: 'https_edge_snapshot.v0';
    object: HttpsEdge;
};

/** Sent when an HTTPS edge was changed. */
export type HttpsEdgeUpdatedPayload = EventPayloadBase & {
    event_type: 'https_edge_updated.v0';
    object: HttpsEdge;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialHttpsEdge;
        /** The same members after the update. */
        after: PartialHttpsEdge;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

export type IpPolicy = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
};

/** Sent when an IP policy was created. */
export type IpPolicyCreatedPayload = EventPayloadBase & {
    event_type: 'ip_policy_created.v0';
    object: IpPolicy;
};

/** Sent when an IP policy was deleted. */
export type IpPolicyDeletedPayload = EventPayloadBase & {
    event_type: 'ip_policy_deleted.v0';
    object: IpPolicy;
};

export type IpPolicyRule = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
    /** An IP address or a range in CIDR notation, IPv4 or IPv6. */
    cidr: string;
    ip_policy: Ref;
    /** Whether a matching source address is allowed or denied. */
    action: 'allow' | 'deny';
};

/** Sent when an IP policy rule was created. */
export type IpPolicyRuleCreatedPayload = EventPayloadBase & {
    event_type: 'ip_policy_rule_created.v0';
    object: IpPolicyRule;
};

/** Sent when an IP policy rule was deleted. */
export type IpPolicyRuleDeletedPayload = EventPayloadBase & {
    event_type: 'ip_policy_rule_deleted.v0';
    object: IpPolicyRule;
};

/** Sent for each IP policy rule that exists when this type is added to a subscription, before its first change. */
export type IpPolicyRuleSnapshotPayload = EventPayloadBase & {
    event_type: 'ip_policy_rule_snapshot.v0';
    object: IpPolicyRule;
};

/** Sent when an IP policy rule was changed. */
export type IpPolicyRuleUpdatedPayload = EventPayloadBase & {
    event_type: 'ip_policy_rule_updated.v0';
    object: IpPolicyRule;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialIpPolicyRule;
        /** The same members after the update. */
        after: PartialIpPolicyRule;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

/** Sent for each IP policy that exists when this type is added to a subscription, before its first change. */
export type IpPolicySnapshotPayload = EventPayloadBase & {
    event_type: 'ip_policy_snapshot.v0';
    object: IpPolicy;
};

/** Sent when an IP policy was changed. */
export type IpPolicyUpdatedPayload = EventPayloadBase & {
    event_type: 'ip_policy_updated.v0';
    object: IpPolicy;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialIpPolicy;
        /** The same members after the update. */
        after: PartialIpPolicy;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

/** Allows or denies traffic by source address. */
export type IpRestrictionModule = {
    /** Whether the module is applied to traffic. */
    enabled: boolean;
    ip_policies: Array<Ref>;
};

/** Amazon CloudWatch Logs: each event is one log event of JSON. */
export type LogGroupTarget = {
    auth: CloudAuth;
    /** ARN of the log group, which must exist. Events go to its log stream `waybill/<destination id>`, or to the one that the ARN names; it is created when it is missing. */
    log_group_arn: string;
};

/** Azure Monitor Logs Ingestion. */
export type LogIngestionTarget = {
    /** Directory (tenant) id of the Entra application, a GUID. */
    tenant_id: string;
    /** Application (client) id of the Entra application, a GUID. */
    client_id: string;
    /** Always null. Secrets are never returned. */
    client_secret: string | null;
    /** Logs ingestion address of the data collection rule or endpoint. Its ending (.com, .us, .cn) selects the cloud to sign in to. */
    logs_ingestion_uri: string;
    /** Immutable id of the data collection rule. The application needs the role Monitoring Metrics Publisher on it. */
    data_collection_rule_id: string;
    /** Stream of the rule that takes the events, such as "Custom-Waybill_CL". */
    data_collection_stream_name: string;
};

/** A link that opens the log of one event destination. */
export type LogLink = {
    /** Comes before the path of an operation that reads the log of the destination: `{url}/event_destinations/{id}/log/{epoch}/tile/0/000`. It needs no API key and no Service-Version. All who have it can read. */
    url: string;
    /** Address of the newest checkpoint of the newest log. */
    checkpoint_url: string;
    expires_at: string;
};

/** Datadog Logs. */
export type MonitoringTarget = {
    /** Always null. Secrets are never returned. */
    api_key: string | null;
    /** Tags of every log entry, by convention "key:value" pairs with commas between them. Datadog normalizes them. At most 1024 bytes as JSON text. */
    tags: string | null;
    /** Service of every log entry. Null or empty: "waybill". At most 300 bytes as JSON text. */
    service: string | null;
    /** Datadog site to send to, as in the address of its web application. Null: datadoghq.com. */
    site: 'datadoghq.com' | 'us3.datadoghq.com' | 'us5.datadoghq.com' | 'datadoghq.eu' | 'ap1.datadoghq.com' | 'ap2.datadoghq.com' | 'uk1.datadoghq.com' | 'ddog-gov.com' | 'us2.ddog-gov.com' | null;
};

export type OauthApp = {
    /** Client id of the OAuth app. Null: the managed app of the service is used, with restrictions. At most 255 bytes of UTF-8. */
    client_id: string | null;
    /** Always null. Secrets are never returned. */
    client_secret: string | null;
    /** Requested scopes. Allowed only with client_id and client_secret. */
    scopes: Array<string>;
    /** E-mail addresses of the allowed users. At most 100. */
    email_addresses: Array<string>;
    /** E-mail domains of the allowed users. At most 100. */
    email_domains: Array<string>;
};

export type OauthAppInput = {
    /** Client id of the OAuth app. Null: the managed app of the service is used, with restrictions. At most 255 bytes of UTF-8. */
    client_id?: string | null;
    /** Client secret of the OAuth app. Requires client_id. Left out: unchanged, unless client_id changes. At most 4096 bytes of UTF-8. */
    client_secret?: string | null;
    /** Requested scopes. Allowed only with client_id and client_secret. Default: `[]`. */
    scopes?: Array<string>;
    /** E-mail addresses of the allowed users. At most 100. Default: `[]`. */
    email_addresses?: Array<string>;
    /** E-mail domains of the allowed users. At most 100. Default: `[]`. */
    email_domains?: Array<string>;
};

export type OauthGithubApp = {
    /** Client id of the OAuth app. Null: the managed app of the service is used, with restrictions. At most 255 bytes of UTF-8. */
    client_id: string | null;
    /** Always null. Secrets are never returned. */
    client_secret: string | null;
    /** Requested scopes. Allowed only with client_id and client_secret. */
    scopes: Array<string>;
    /** E-mail addresses of the allowed users. At most 100. */
    email_addresses: Array<string>;
    /** E-mail domains of the allowed users. At most 100. */
    email_domains: Array<string>;
    /** Allowed teams, as org-name/team-name. Members of any listed team are allowed. At most 100. */
    teams: Array<string>;
    /** Slugs of the allowed organizations. Members of any listed organization are allowed. At most 100. */
    organizations: Array<string>;
};

export type OauthGithubAppInput = {
    /** Client id of the OAuth app. Null: the managed app of the service is used, with restrictions. At most 255 bytes of UTF-8. */
    client_id?: string | null;
    /** Client secret of the OAuth app. Requires client_id. Left out: unchanged, unless client_id changes. At most 4096 bytes of UTF-8. */
    client_secret?: string | null;
    /** Requested scopes. Allowed only with client_id and client_secret. Default: `[]`. */
    scopes?: Array<string>;
    /** E-mail addresses of the allowed users. At most 100. Default: `[]`. */
    email_addresses?: Array<string>;
    /** E-mail domains of the allowed users. At most 100. Default: `[]`. */
    email_domains?: Array<string>;
    /** Allowed teams, as org-name/team-name. Members of any listed team are allowed. At most 100. Default: `[]`. */
    teams?: Array<string>;
    /** Slugs of the allowed organizations. Members of any listed organization are allowed. At most 100. Default: `[]`. */
    organizations?: Array<string>;
};

/** Requires a login with an OAuth identity provider. */
export type OauthModule = {
    /** Whether the module is applied to traffic. */
    enabled: boolean;
    provider: OauthProvider;
    /** Allows HTTP OPTIONS requests without authentication, as CORS requires. */
    options_passthrough: boolean;
    /** Prefix of the name of the session cookie. */
    cookie_prefix: string;
    /** Seconds of inactivity after which a session ends. 0: no limit. */
    inactivity_timeout: number;
    /** Seconds after which a session ends. 0: no limit. */
    maximum_duration: number;
    /** Seconds after which the state of a user is refreshed from the identity provider and authorization is rechecked. 0: only at login. */
    auth_check_interval: number;
};

/** Identity provider: exactly one member is not null. */
export type OauthProvider = {
    github: OauthGithubApp | null;
    facebook: OauthApp | null;
    microsoft: OauthApp | null;
    google: OauthApp | null;
    linkedin: OauthApp | null;
    gitlab: OauthApp | null;
    twitch: OauthApp | null;
    amazon: OauthApp | null;
};

/** Identity provider: exactly one member is set. */
export type OauthProviderInput = {
    github?: OauthGithubAppInput | null;
    facebook?: OauthAppInput | null;
    microsoft?: OauthAppInput | null;
    google?: OauthAppInput | null;
    linkedin?: OauthAppInput | null;
    gitlab?: OauthAppInput | null;
    twitch?: OauthAppInput | null;
    amazon?: OauthAppInput | null;
};

/** Requires a login with an OpenID Connect provider. */
export type OidcModule = {
    /** Whether the module is applied to traffic. */
    enabled: boolean;
    /** Allows HTTP OPTIONS requests without authentication, as CORS requires. */
    options_passthrough: boolean;
    /** Prefix of the name of the session cookie. */
    cookie_prefix: string;
    /** Seconds of inactivity after which a session ends. 0: no limit. */
    inactivity_timeout: number;
    /** Seconds after which a session ends. 0: no limit. */
    maximum_duration: number;
    /** URL of the issuer. The provider serves its configuration at /.well-known/openid-configuration below the URL. */
    issuer_url: string;
    /** Client id of the route at the provider. */
    client_id: string;
    /** Always null. Secrets are never returned. */
    client_secret: string | null;
    /** Requested scopes in addition to `openid`. */
    scopes: Array<string>;
};

/** Some of the members of the resource. */
export type PartialAgentIngress = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Path of this resource, relative to the base URL. */
    uri?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Domain, in lower-case ASCII. */
    domain?: string;
    /** Values for the NS records that delegate the domain to the service. */
    ns_targets?: Array<string>;
    /** Ingress domain of each region, a subdomain of `domain`. The list may grow over time. */
    region_domains?: Array<string>;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    certificate_management_policy?: CertificateManagementPolicy | null;
    certificate_management_status?: CertificateManagementStatus | null;
};

/** Some of the members of the resource. */
export type PartialApiKey = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Bearer token. Returned only in the create response; null in every other response, also in a replay of the create. */
    token?: string | null;
    /** Id of the user or bot that owns the key. */
    owner_id?: string;
    /** What the key may be used for. `admin`: everything that its owner may do. `operator`: reads, exports, tests, pauses and mutes of destinations, redeliveries and backfills; changes nothing else. `auditor`: reads, exports what it reads, and deletes exports of its own principal; changes nothing else. `publisher`: `POST /events`; reads nothing of the account. */
    role?: 'admin' | 'operator' | 'auditor' | 'publisher';
    /** Id of the API key that made this key, also after its deletion. Null for a key of the operator. */
    created_by_key_id?: string | null;
};

/** Some of the members of the resource. */
export type PartialBotUser = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** Human-readable name. */
    name?: string;
    /** Whether the bot is active. Requests with a key of an inactive bot are refused with 403. */
    active?: boolean;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
};

/** Some of the members of the resource. */
export type PartialCertificateAuthority = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Certificate of the authority in PEM, as given. */
    ca_pem?: string;
    /** Common name of the subject. Null when absent. */
    subject_common_name?: string | null;
    /** Start of the validity period, RFC 3339. */
    not_before?: string;
    /** End of the validity period, RFC 3339. */
    not_after?: string;
    /** Key usages, with the names of RFC 5280 section 4.2.1.3. */
    key_usages?: Array<string>;
    /** Extended key usages, with the names of RFC 5280 section 4.2.1.12. Others are object identifiers. */
    extended_key_usages?: Array<string>;
};

/** Some of the members of the resource. */
export type PartialEndpoint = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** Region of the tunnel. Null when the endpoint is served in all regions. */
    region?: string | null;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** When the resource was last changed, RFC 3339. */
    updated_at?: string;
    /** Same as `url`. */
    public_url?: string;
    /** Protocol of the URL. */
    proto?: 'http' | 'https' | 'tcp' | 'tls';
    /** Scheme of the URL. Same as `proto`. */
    scheme?: 'http' | 'https' | 'tcp' | 'tls';
    /** Host name of the URL, in lower-case ASCII. */
    host?: string;
    /** Port of the URL, or the default port of its scheme. */
    port?: number;
    /**
     * `host:port`.
     *
     * @deprecated
     */
    hostport?: string;
    /** `cloud`: created by a client. `ephemeral`: served by an agent-initiated tunnel. `edge`: served by an edge. */
    type?: 'ephemeral' | 'edge' | 'cloud';
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Reserved domain that matched the host when the URL was set. */
    domain?: Ref | null;
    /** Reserved address that matched the URL when the URL was set. */
    tcp_addr?: Ref | null;
    /** Tunnel of an ephemeral endpoint. */
    tunnel?: Ref | null;
    /** Edge of an endpoint of type `edge`. */
    edge?: Ref | null;
    /** Local address that the tunnel forwards to. */
    upstream_url?: string | null;
    /** Protocol that the agent forwards with. */
    upstream_protocol?: string | null;
    /** Normalized URL of the endpoint. */
    url?: string;
    /** User or bot that owns the endpoint. */
    principal?: Ref | null;
    /** Traffic policy: a JSON or YAML document in a string, returned as given. The protocol of the URL decides which phases are allowed. Null when unset. */
    traffic_policy?: string | null;
    bindings?: Array<'public' | 'internal' | 'kubernetes'> | null;
    /** Tunnel session of an ephemeral endpoint. */
    tunnel_session?: Ref | null;
    /** User-supplied name of the tunnel. */
    name?: string | null;
    /** Whether endpoints of the account may share the URL. All of them must have `pooling_enabled`. */
    pooling_enabled?: boolean;
};

/** Some of the members of the resource. */
export type PartialEndpointConfiguration = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Kind of traffic that the configuration applies to. Cannot be changed. */
    type?: 'http' | 'https' | 'tcp' | 'tls';
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
};

/** Some of the members of the resource. */
export type PartialEventDestination = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    format?: 'json';
    target?: EventDestinationTarget;
    /** The pause; null while the destination is not paused. */
    paused?: EventDestinationPause | null;
    /** The last mute, also after its end: see `until`. Null without one. */
    muted?: EventDestinationMute | null;
};

/** Some of the members of the resource. */
export type PartialEventSubscription = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Free-form text for people. At most 255 characters. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 characters. Null when unset. */
    metadata?: string | null;
    sources?: Array<EventSource>;
    destinations?: Array<Ref>;
};

/** Some of the members of the resource. */
export type PartialFailoverBackend = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Ids of the child backends, in the order in which they are tried. Any kind of backend. */
    backends?: Array<string>;
};

/** Some of the members of the resource. */
export type PartialHttpResponseBackend = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Response body. At most 24576 bytes of UTF-8. Null when unset. */
    body?: string | null;
    /** Response headers. Names are in lower case. */
    headers?: {
        [key: string]: string;
    } | null;
    /** Response status code. */
    status_code?: number;
};

/** Some of the members of the resource. */
export type PartialHttpsEdge = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    hostports?: Array<string> | null;
};

/** Some of the members of the resource. */
export type PartialHttpsEdgeRoute = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Id of the edge that the route belongs to. */
    edge_id?: string;
    /** Whether `match` is compared with the whole path or with its beginning. */
    match_type?: 'exact_path' | 'path_prefix';
    /** Requests that the route matches: a path, a host, or a host and a path. The host is stored in lower-case ASCII. At most 2048 bytes of UTF-8. Unique within the edge for each match_type. */
    match?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    backend?: BackendModule | null;
    ip_restriction?: IpRestrictionModule | null;
    circuit_breaker?: CircuitBreakerModule | null;
    compression?: CompressionModule | null;
    request_headers?: RequestHeadersModule | null;
    response_headers?: ResponseHeadersModule | null;
    webhook_verification?: WebhookVerificationModule | null;
    oauth?: OauthModule | null;
    saml?: SamlModule | null;
    oidc?: OidcModule | null;
    websocket_tcp_converter?: WebsocketTcpConverterModule | null;
    user_agent_filter?: UserAgentFilterModule | null;
    traffic_policy?: TrafficPolicyModule | null;
};

/** Some of the members of the resource. */
export type PartialIpPolicy = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
};

/** Some of the members of the resource. */
export type PartialIpPolicyRule = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** An IP address or a range in CIDR notation, IPv4 or IPv6. */
    cidr?: string;
    ip_policy?: Ref;
    /** Whether a matching source address is allowed or denied. */
    action?: 'allow' | 'deny';
};

/** Some of the members of the resource. */
export type PartialReservedAddr = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Host name and port. */
    addr?: string;
    /** Region of the address. Cannot be changed. */
    region?: 'au' | 'eu' | 'ap' | 'us' | 'jp' | 'in' | 'sa';
    /** Endpoint configuration of the address. */
    endpoint_configuration?: Ref | null;
};

/** Some of the members of the resource. */
export type PartialReservedDomain = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Host name, in lower-case ASCII. */
    domain?: string;
    /**
     * Deprecated: traffic is handled globally. Returned as given.
     *
     * @deprecated
     */
    region?: 'au' | 'eu' | 'ap' | 'us' | 'jp' | 'in' | 'sa' | null;
    /** Value of the CNAME record for the host name. Null for a subdomain of a service-owned domain. */
    cname_target?: string | null;
    /**
     * Always null.
     *
     * @deprecated
     */
    http_endpoint_configuration?: Ref | null;
    /**
     * Always null.
     *
     * @deprecated
     */
    https_endpoint_configuration?: Ref | null;
    /** TLS certificate in use: the uploaded one or the latest automatic one. Null when there is none. */
    certificate?: Ref | null;
    certificate_management_policy?: CertificateManagementPolicy | null;
    certificate_management_status?: CertificateManagementStatus | null;
    /** Value of the CNAME record for the `_acme-challenge` host. Required to issue certificates for a wildcard. Null for other names and for subdomains of service-owned domains. */
    acme_challenge_cname_target?: string | null;
    /**
     * Always null.
     *
     * @deprecated
     */
    error_redirect_url?: string | null;
};

/** Some of the members of the resource. */
export type PartialResourceType = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Name of the resource in the singular and in snake case: the first part of its event types. The name of a built-in resource is refused without a namespace before it: `shop.user`. It never changes. */
    name?: string;
    /** Singular title for people. Default: the name with spaces. */
    title?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** What happens to such a resource. Each action is an event type `<name>_<action>.v<version>`. `snapshot` is reserved. */
    actions?: Array<string>;
    /** Version in the event types. Within a version only compatible changes are possible. The event types of older versions remain. */
    version?: number;
    /** JSON Schema (2020-12) of the resource as an event carries it. At most 16384 bytes and 24 levels. Null: any object. */
    schema?: {
        [key: string]: unknown;
    } | null;
    /** JSON pointers into the object. Their values are null in everything that is stored. `*` stands for every item of a list or every member of an object. */
    redact?: Array<string>;
    /** Changed members of an update. `given`: the publisher sends them. `computed`: Waybill compares the object with the last one, where the publisher sends none. */
    changes?: 'given' | 'computed';
};

/** Some of the members of the resource. */
export type PartialTcpEdge = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    hostports?: Array<string> | null;
    backend?: BackendModule | null;
    ip_restriction?: IpRestrictionModule | null;
    traffic_policy?: TrafficPolicyModule | null;
    /** Always null. The policy is in `traffic_policy`. */
    policy?: string | null;
};

/** Some of the members of the resource. */
export type PartialTlsCertificate = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Certificate in PEM, with its chain. */
    certificate_pem?: string;
    /** Common name of the subject. Null when absent. */
    subject_common_name?: string | null;
    /** Further names that the certificate is valid for. */
    subject_alternative_names?: {
        /** Host names, including wildcards. */
        dns_names: Array<string>;
        /** IPv4 and IPv6 addresses. */
        ips: Array<string>;
    };
    /** When the certificate was issued automatically, RFC 3339. Null for an uploaded certificate. */
    issued_at?: string | null;
    /** Start of the validity period, RFC 3339. */
    not_before?: string;
    /** End of the validity period, RFC 3339. */
    not_after?: string;
    /** Key usages, with the names of RFC 5280 section 4.2.1.3. */
    key_usages?: Array<string>;
    /** Extended key usages, with the names of RFC 5280 section 4.2.1.12. Others are object identifiers. */
    extended_key_usages?: Array<string>;
    /** Type of the private key. */
    private_key_type?: 'rsa' | 'ecdsa' | 'ed25519';
    /** Common name of the issuer. Null when absent. */
    issuer_common_name?: string | null;
    /** Serial number, in hexadecimal. */
    serial_number?: string;
    /** SHA-256 of the first certificate in the chain, in hexadecimal. */
    fingerprint_sha256?: string;
    /** Organization of the subject. Null when absent. */
    subject_organization?: string | null;
    /** Organizational unit of the subject. Null when absent. */
    subject_organizational_unit?: string | null;
    /** Locality of the subject. Null when absent. */
    subject_locality?: string | null;
    /** State or province of the subject. Null when absent. */
    subject_province?: string | null;
    /** Country of the subject. Null when absent. */
    subject_country?: string | null;
};

/** Some of the members of the resource. */
export type PartialTunnel = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** Public URL of an ephemeral tunnel. Null for a backend tunnel. */
    public_url?: string | null;
    /** When the tunnel came online, RFC 3339. */
    started_at?: string;
    /** User-supplied metadata from the agent configuration. At most 4096 bytes of UTF-8. */
    metadata?: string | null;
    /** Protocol of the public URL. Null for a backend tunnel. */
    proto?: 'http' | 'https' | 'tcp' | 'tls' | null;
    /** Region where the tunnel runs. */
    region?: string;
    tunnel_session?: Ref;
    /** Endpoint of an ephemeral tunnel. Null for a backend tunnel. */
    endpoint?: Ref | null;
    /** Labels that tunnel-group backends match. Empty for an ephemeral tunnel. */
    labels?: {
        [key: string]: string;
    };
    /** Tunnel-group backends that the tunnel serves, newest first, at most 100. */
    backends?: Array<Ref>;
    /** Upstream address that the agent forwards to: a URL or a network address. */
    forwards_to?: string | null;
};

/** Some of the members of the resource. */
export type PartialTunnelGroupBackend = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the resource was created, RFC 3339. */
    created_at?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Labels that a tunnel must have to belong to the group, 1 to 50. */
    labels?: {
        [key: string]: string;
    };
    /** Online tunnels that match the labels, newest first, at most 100. */
    tunnels?: Array<Ref>;
};

/** Some of the members of the resource. */
export type PartialTunnelSession = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id?: string;
    /** Address of this resource. */
    uri?: string;
    /** When the agent came online, RFC 3339. */
    started_at?: string;
    /** User or bot that the agent runs for. */
    principal?: Ref | null;
    /** Region that the agent is connected to. */
    region?: string;
    agent_version?: string | null;
    /** IP address of the agent. */
    ip?: string | null;
    /** Operating system of the agent. */
    os?: string | null;
    /** Protocol between the agent and the service. */
    transport?: string | null;
    /** User-supplied metadata from the agent configuration. At most 4096 bytes of UTF-8. */
    metadata?: string | null;
};

export type PreviewEventSource = {
    /** The event type of the source. */
    type: string;
    /** A condition in CEL over the payload of an event. Only events that match are sent. An event for which it cannot be evaluated matches. */
    filter?: string | null;
    fields?: EventFieldsInput | null;
    /** How many of the newest events of the type are read. Default: `20`. */
    limit?: number;
};

/** An error as defined by RFC 9457. */
export type Problem = {
    /** The kind of error. */
    type: string;
    /** Short description, the same for every error of this kind. */
    title: string;
    /** The HTTP status. */
    status: number;
    /** What went wrong in this request. */
    detail: string;
    /** This occurrence of the error. */
    instance: string;
    error_code: ErrorCode;
    /** Id of the request, also in the `Operation-Id` header and in the log. */
    operation_id: string;
    /** Every error in the input. */
    errors?: Array<{
        /** RFC 6901 pointer into the body, `?name` for a query parameter, `{name}` for a path parameter. */
        pointer: string;
        detail: string;
        /** Where the error is within the value, where the value is an expression. */
        position?: {
            /** Characters before the position. */
            offset: number;
            line: number;
            column: number;
        };
    }>;
    /** Ids of the conflicting resources. */
    conflicts?: Array<string>;
    /** Roles of API keys that may call the operation (`role_not_allowed`). */
    allowed_roles?: Array<string>;
};

export type PublishEvents = {
    /** 1 to 500 events, in order. All are accepted, or none. */
    events: Array<PublishedEventInput>;
};

export type PublishedEventInput = {
    /** Id of the event at the publisher, unique in the account for as long as events are kept. If it was used before with the same content, the response has the first event. Without it, every request is a new event. */
    id?: string | null;
    /** Event type of a resource type of the account. */
    type: string;
    /** Id of the resource at the publisher. Events of one resource arrive in the order of their acceptance. */
    resource_id: string;
    /** The resource after the change; for a deletion, its last state. At most 56 KiB of JSON with the rest of the event. */
    object: {
        [key: string]: unknown;
    };
    /** The changed members before and after. For a type with `changes: computed`, they replace those that Waybill would compute. */
    changes?: {
        before: {
            [key: string]: unknown;
        };
        after: {
            [key: string]: unknown;
        };
    } | null;
    /** Who made the change. Without it, the event has the principal `unknown`. The event names the API key in any case. The ids `unknown` and `system`, and subjects that begin with `system:`, are reserved. */
    principal?: {
        id: string;
        /** Display name. Default: the id. */
        subject?: string | null;
    } | null;
    /** The request of the principal at the publisher. */
    request?: {
        id?: string | null;
        ip?: string | null;
        /** The event has at most its first 256 characters. */
        user_agent?: string | null;
    } | null;
    /** When the change was made, by the clock of the publisher: at most 5 minutes in the future, and 366 days in the past. */
    occurred_at?: string | null;
    /** For an event that was changed after it was recorded, so that Waybill accepts it: a record of the change, which the delivered event has too. */
    repaired?: {
        /** Who changed the event. */
        by: string;
        /** Why it was changed. */
        reason: string;
        /** When it was changed, by the clock of the publisher. */
        at: string;
    } | null;
};

/** Payload of an event that the account published. */
export type PublishedEventPayload = {
    /** Id of the event, the same on every delivery. Use it to detect duplicates. */
    event_id: string;
    /** Event type of a resource type of the account. */
    event_type: string;
    event_timestamp: string;
    account_id: string;
    /** The resource that changed. Of a published event: its id at the publisher, as it was given. */
    resource_id: string;
    principal: {
        /** Id of the principal at the publisher. `unknown`: the publisher named none. */
        id: string;
        subject: string;
        /** Null: `via` names the API key. */
        credential: {
            id: string;
            uri: string;
        } | null;
        /** The key that published it. */
        via?: {
            id: string;
            uri: string;
        };
    };
    /** Version of the resource: 1 when it was created, 1 more with each change, its deletion included. Of two events of a resource, the one with the higher version is the newer. */
    version: number;
    object: {
        [key: string]: unknown;
    };
    request: {
        operation_id: string;
        ip: string | null;
        user_agent: string | null;
        /** Id of the request at the publisher. */
        id?: string;
    };
    /** Epoch of the number. It increases when the database was restored or failed over. Order is (epoch, sequence). */
    epoch?: number;
    /** Gapless number of the event at its destination, the same on every redelivery. */
    sequence?: number;
    integrity?: EventIntegrity;
    /** The event was sent by a backfill: newer events of its resource may have arrived before. Absent from every other event. */
    backfill?: boolean;
    /** Who changed the event after it was recorded, why and when. Absent from every other event. */
    repaired?: {
        by: string;
        reason: string;
        at: string;
    };
    /** When the change was made, by the clock of the publisher. */
    occurred_at?: string;
    /** The changed members, where the event has them. */
    changes?: {
        before: {
            [key: string]: unknown;
        };
        after: {
            [key: string]: unknown;
        };
        omitted?: Array<string>;
    };
};

export type Readiness = {
    status: 'ok';
    /** Vendors’ clients that the worker of this process needs and has not loaded, by kind of target. Deliveries of these kinds wait. A failed load is repeated. Absent when there are none. */
    target_clients?: {
        [key: string]: 'loading' | 'failed';
    };
};

/** The redelivery of what several destinations did not receive. */
export type Recovery = {
    /** Id of the recovery. */
    id: string;
    /** Address of the recovery. */
    uri: string;
    /** `finished`: every event is queued. Whether it was delivered is the state of its delivery. `cancelled`: what was queued before is sent. */
    state: 'running' | 'finished' | 'cancelled';
    /** Events recorded, or queued by a backfill, at or after this time. */
    from: string;
    /** Events recorded, or queued by a backfill, before this time. */
    to: string;
    /** States of the deliveries. */
    states: Array<'rejected' | 'expired'>;
    /** The destinations. Null: every one. */
    destination_ids: Array<string> | null;
    /** Number of events at the request. Null where the account has too many undelivered events to count them. */
    events_total: number | null;
    /** Number of events that were queued again so far. */
    events_redelivered: number;
    /** Number of destinations that are done. */
    destinations_done: number;
    /** The user or bot who requested it, and their name at that time. */
    principal: {
        id: string;
        subject: string;
    };
    /** When the recovery was requested. */
    created_at: string;
    /** When it ended. Null before. */
    finished_at: string | null;
};

export type RedeliveryAccepted = {
    /** Number of deliveries that became pending again. Deliveries that were already pending are not counted. */
    count: number;
    /** Start of the rest of a range, where it has more than about 100000 deliveries or a part of it failed: the `from` of the next request. Null when the range is complete. */
    next_from: string | null;
};

/** Events to deliver again: either those of `event_ids`, or those in `state`. */
export type RedeliveryInput = {
    /** Ids of the events to redeliver, at most 1000. Excludes `state`. */
    event_ids?: Array<string>;
    /** Redelivers every delivery in this state. Excludes `event_ids`. */
    state?: 'rejected' | 'expired' | 'delivered';
    /** With `state`: only events that were recorded, or queued by a backfill, at or after this time. Required for `delivered`. */
    from?: string;
    /** With `state`: only events that were recorded, or queued by a backfill, before this time. Default: now. */
    to?: string;
};

/** A reference to another resource. */
export type Ref = {
    id: string;
    uri: string;
};

export type Reference = {
    /** Id of the resource that refers to this one. */
    id: string;
    /** Its address. */
    uri: string;
    /** Its family, as its event types begin: `ip_policy_rule`. */
    family: string;
    /** Its members that hold the id of this resource, as dotted paths: `ip_policy`, or `backend.backend` for a member of a module. */
    fields: Array<string>;
};

/** A page of the resources that refer to one. */
export type ReferenceList = {
    /** By id, descending: of each family, newest first. */
    references: Array<Reference>;
    /** Address of this list. */
    uri: string;
    /** Address of the next page; null on the last page. A page that is not full may have it. */
    next_page_uri: string | null;
};

export type ReplaceHttpsEdgeRouteBackend = {
    /** Whether the module is applied to traffic. Default: `true`. */
    enabled?: boolean;
    /** Id of the backend. Any kind of backend. */
    backend_id: string;
};

export type ReplaceHttpsEdgeRouteCircuitBreaker = {
    /** Whether the module is applied to traffic. Default: `true`. */
    enabled?: boolean;
    /** Seconds to wait after the circuit trips before the health of the upstream is evaluated again. Default: `10`. */
    tripped_duration?: number;
    /** Length of the rolling window in which requests are counted, in seconds. Default: `10`. */
    rolling_window?: number;
    /** Number of buckets in the rolling window, 1 to 128. Default: `10`. */
    num_buckets?: number;
    /** Number of requests in a rolling window that can trip the circuit. Default: `10`. */
    volume_threshold?: number;
    /** Share of failed requests that trips the circuit: between 0 and 1.0, not 0 to 100. Default: `0.5`. */
    error_threshold_percentage?: number;
};

export type ReplaceHttpsEdgeRouteCompression = {
    /** Whether the module is applied to traffic. Default: `true`. */
    enabled?: boolean;
};

export type ReplaceHttpsEdgeRouteIpRestriction = {
    /** Whether the module is applied to traffic. Default: `true`. */
    enabled?: boolean;
    /** Ids of the IP policies that source addresses are checked against. */
    ip_policy_ids: Array<string>;
};

export type ReplaceHttpsEdgeRouteOauth = {
    /** Whether the module is applied to traffic. Default: `true`. */
    enabled?: boolean;
    provider: OauthProviderInput;
    /** Allows HTTP OPTIONS requests without authentication, as CORS requires. Default: `false`. */
    options_passthrough?: boolean;
    /** Prefix of the name of the session cookie. Default: `"waybill."`. */
    cookie_prefix?: string;
    /** Seconds of inactivity after which a session ends. 0: no limit. Default: `0`. */
    inactivity_timeout?: number;
    /** Seconds after which a session ends. 0: no limit. Default: `0`. */
    maximum_duration?: number;
    /** Seconds after which the state of a user is refreshed from the identity provider and authorization is rechecked. 0: only at login. Default: `0`. */
    auth_check_interval?: number;
};

export type ReplaceHttpsEdgeRouteOidc = {
    /** Whether the module is applied to traffic. Default: `true`. */
    enabled?: boolean;
    /** Allows HTTP OPTIONS requests without authentication, as CORS requires. Default: `false`. */
    options_passthrough?: boolean;
    /** Prefix of the name of the session cookie. Default: `"waybill."`. */
    cookie_prefix?: string;
    /** Seconds of inactivity after which a session ends. 0: no limit. Default: `0`. */
    inactivity_timeout?: number;
    /** Seconds after which a session ends. 0: no limit. Default: `0`. */
    maximum_duration?: number;
    /** URL of the issuer. The provider serves its configuration at /.well-known/openid-configuration below the URL. */
    issuer_url: string;
    /** Client id of the route at the provider. */
    client_id: string;
    /** Client secret. Required. Left out of a replacement: unchanged, unless issuer_url or client_id changes. At most 4096 bytes of UTF-8. */
    client_secret?: string | null;
    /** Requested scopes in addition to `openid`. Default: `[]`. */
    scopes?: Array<string>;
};

export type ReplaceHttpsEdgeRouteRequestHeaders = {
    /** Whether the module is applied to traffic. Default: `true`. */
    enabled?: boolean;
    /** Map of header name to value, added to the request sent upstream. At most 50. No control characters. Default: `{}`. */
    add?: {
        [key: string]: string;
    };
    /** Names of headers removed from the request sent upstream. At most 50. Default: `[]`. */
    remove?: Array<string>;
};

export type ReplaceHttpsEdgeRouteResponseHeaders = {
    /** Whether the module is applied to traffic. Default: `true`. */
    enabled?: boolean;
    /** Map of header name to value, added to the response returned to the client. At most 50. No control characters. Default: `{}`. */
    add?: {
        [key: string]: string;
    };
    /** Names of headers removed from the response returned to the client. At most 50. Default: `[]`. */
    remove?: Array<string>;
};

export type ReplaceHttpsEdgeRouteSaml = {
    /** Whether the module is applied to traffic. Default: `true`. */
    enabled?: boolean;
    /** Allows HTTP OPTIONS requests without authentication, as CORS requires. Default: `false`. */
    options_passthrough?: boolean;
    /** Prefix of the name of the session cookie. Default: `"waybill."`. */
    cookie_prefix?: string;
    /** Seconds of inactivity after which a session ends. 0: no limit. Default: `0`. */
    inactivity_timeout?: number;
    /** Seconds after which a session ends. 0: no limit. Default: `0`. */
    maximum_duration?: number;
    /** Full XML entity descriptor of the identity provider: an EntityDescriptor with an IDPSSODescriptor and a SingleSignOnService. No document type. At most 32768 bytes, counted as JSON text. */
    idp_metadata: string;
    /** Forces the identity provider to prompt for credentials on every redirect. Default: `false`. */
    force_authn?: boolean;
    /** Allows the identity provider to start a login. The provider sets RelayState to the target URL. Default: `false`. */
    allow_idp_initiated?: boolean;
    /** Only members of a listed group may access. Empty: every user that the identity provider authenticates. Default: `[]`. */
    authorized_groups?: Array<string>;
    /** Name identifier format expected in assertions. Default: `"urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"`. */
    nameid_format?: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' | 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' | 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' | 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
    /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
    entity_id?: string | null;
    /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
    assertion_consumer_service_url?: string | null;
    /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
    single_logout_url?: string | null;
    /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
    request_signing_certificate_pem?: string | null;
    /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
    metadata_url?: string | null;
    /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
    idp_metadata_url?: string | null;
};

export type ReplaceHttpsEdgeRouteTrafficPolicy = {
    /** Whether the module is applied to traffic. Default: `true`. */
    enabled?: boolean;
    /** Traffic policy: a JSON or YAML document in a string, with lists of rules under on_http_request and on_http_response. Returned as given. At most 24576 bytes of UTF-8. */
    value: string;
};

export type ReplaceHttpsEdgeRouteUserAgentFilter = {
    /** Whether the module is applied to traffic. Default: `true`. */
    enabled?: boolean;
    /** Regular expressions (RE2) of allowed user agents, even if `deny` matches too. At most 32, each of at most 256 characters. Default: `[]`. */
    allow?: Array<string>;
    /** Regular expressions (RE2) of denied user agents. At most 32, each of at most 256 characters. Default: `[]`. */
    deny?: Array<string>;
};

export type ReplaceHttpsEdgeRouteWebhookVerification = {
    /** Whether the module is applied to traffic. Default: `true`. */
    enabled?: boolean;
    /** Provider that sends the webhooks. */
    provider: 'adobesign' | 'aftership' | 'airship' | 'alchemy' | 'autodesk' | 'bitbucket' | 'bolt' | 'box' | 'brex' | 'buildkite' | 'calendly' | 'castle' | 'chargify' | 'circleci' | 'clearbit' | 'clerk' | 'coinbase' | 'contentful' | 'docusign' | 'dropbox' | 'facebook_graph_api' | 'facebook_messenger' | 'frameio' | 'github' | 'gitlab' | 'go1' | 'heroku' | 'hosted_hooks' | 'hubspot' | 'hygraph' | 'instagram' | 'intercom' | 'jira' | 'launch_darkly' | 'lemonsqueezy' | 'linear' | 'mailchimp' | 'mailgun' | 'microsoft_teams' | 'modern_treasury' | 'mongodb' | 'mux' | 'nylas' | 'orb' | 'orbit' | 'pagerduty' | 'pinwheel' | 'plivo' | 'pusher' | 'sendgrid' | 'sentry' | 'shopify' | 'signal_sciences' | 'slack' | 'sns' | 'sonatype' | 'square' | 'stripe' | 'svix' | 'terraform' | 'tiktok' | 'trendmicro' | 'twilio' | 'twitter' | 'typeform' | 'vmware' | 'webex' | 'whatsapp' | 'worldline' | 'xero' | 'zendesk' | 'zoom';
    /** Secret that validates requests from the provider. Required for every provider except sns. At most 4096 bytes of UTF-8. */
    secret?: string | null;
};

export type ReplaceHttpsEdgeRouteWebsocketTcpConverter = {
    /** Whether the module is applied to traffic. Default: `true`. */
    enabled?: boolean;
};

export type ReplaceTcpEdgeBackend = {
    /** Whether the module is applied to traffic. Default: `true`. */
    enabled?: boolean;
    /** Id of the backend. Any kind of backend. */
    backend_id: string;
};

export type ReplaceTcpEdgeIpRestriction = {
    /** Whether the module is applied to traffic. Default: `true`. */
    enabled?: boolean;
    /** Ids of the IP policies that source addresses are checked against. */
    ip_policy_ids: Array<string>;
};

export type ReplaceTcpEdgeTrafficPolicy = {
    /** Whether the module is applied to traffic. Default: `true`. */
    enabled?: boolean;
    /** Traffic policy: a JSON or YAML document in a string, with lists of rules under on_tcp_connect. Returned as given. At most 24576 bytes of UTF-8. */
    value: string;
};

/** Adds and removes headers of requests sent upstream. */
export type RequestHeadersModule = {
    /** Whether the module is applied to traffic. */
    enabled: boolean;
    /** Map of header name to value, added to the request sent upstream. At most 50. No control characters. */
    add: {
        [key: string]: string;
    };
    /** Names of headers removed from the request sent upstream. At most 50. */
    remove: Array<string>;
};

export type ReservedAddr = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
    /** Host name and port. */
    addr: string;
    /** Region of the address. Cannot be changed. */
    region: 'au' | 'eu' | 'ap' | 'us' | 'jp' | 'in' | 'sa';
    /** Endpoint configuration of the address. */
    endpoint_configuration: Ref | null;
};

/** Sent when a reserved address was created. */
export type ReservedAddrCreatedPayload = EventPayloadBase & {
    event_type: 'reserved_addr_created.v0';
    object: ReservedAddr;
};

/** Sent when a reserved address was deleted. */
export type ReservedAddrDeletedPayload = EventPayloadBase & {
    event_type: 'reserved_addr_deleted.v0';
    object: ReservedAddr;
};

/** Sent for each reserved address that exists when this type is added to a subscription, before its first change. */
export type ReservedAddrSnapshotPayload = EventPayloadBase & {
    event_type: 'reserved_addr_snapshot.v0';
    object: ReservedAddr;
};

/** Sent when a reserved address was changed. */
export type ReservedAddrUpdatedPayload = EventPayloadBase & {
    event_type: 'reserved_addr_updated.v0';
    object: ReservedAddr;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialReservedAddr;
        /** The same members after the update. */
        after: PartialReservedAddr;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

export type ReservedDomain = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
    /** Host name, in lower-case ASCII. */
    domain: string;
    /**
     * Deprecated: traffic is handled globally. Returned as given.
     *
     * @deprecated
     */
    region: 'au' | 'eu' | 'ap' | 'us' | 'jp' | 'in' | 'sa' | null;
    /** Value of the CNAME record for the host name. Null for a subdomain of a service-owned domain. */
    cname_target: string | null;
    /**
     * Always null.
     *
     * @deprecated
     */
    http_endpoint_configuration: Ref | null;
    /**
     * Always null.
     *
     * @deprecated
     */
    https_endpoint_configuration: Ref | null;
    /** TLS certificate in use: the uploaded one or the latest automatic one. Null when there is none. */
    certificate: Ref | null;
    certificate_management_policy: CertificateManagementPolicy | null;
    certificate_management_status: CertificateManagementStatus | null;
    /** Value of the CNAME record for the `_acme-challenge` host. Required to issue certificates for a wildcard. Null for other names and for subdomains of service-owned domains. */
    acme_challenge_cname_target: string | null;
    /**
     * Always null.
     *
     * @deprecated
     */
    error_redirect_url: string | null;
};

/** Sent when a reserved domain was created. */
export type ReservedDomainCreatedPayload = EventPayloadBase & {
    event_type: 'reserved_domain_created.v0';
    object: ReservedDomain;
};

/** Sent when a reserved domain was deleted. */
export type ReservedDomainDeletedPayload = EventPayloadBase & {
    event_type: 'reserved_domain_deleted.v0';
    object: ReservedDomain;
};

/** Sent for each reserved domain that exists when this type is added to a subscription, before its first change. */
export type ReservedDomainSnapshotPayload = EventPayloadBase & {
    event_type: 'reserved_domain_snapshot.v0';
    object: ReservedDomain;
};

/** Sent when a reserved domain was changed. */
export type ReservedDomainUpdatedPayload = EventPayloadBase & {
    event_type: 'reserved_domain_updated.v0';
    object: ReservedDomain;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialReservedDomain;
        /** The same members after the update. */
        after: PartialReservedDomain;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

export type ResourceType = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Name of the resource in the singular and in snake case: the first part of its event types. The name of a built-in resource is refused without a namespace before it: `shop.user`. It never changes. */
    name: string;
    /** Singular title for people. Default: the name with spaces. */
    title: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
    /** What happens to such a resource. Each action is an event type `<name>_<action>.v<version>`. `snapshot` is reserved. */
    actions: Array<string>;
    /** Version in the event types. Within a version only compatible changes are possible. The event types of older versions remain. */
    version: number;
    /** JSON Schema (2020-12) of the resource as an event carries it. At most 16384 bytes and 24 levels. Null: any object. */
    schema: {
        [key: string]: unknown;
    } | null;
    /** JSON pointers into the object. Their values are null in everything that is stored. `*` stands for every item of a list or every member of an object. */
    redact: Array<string>;
    /** Changed members of an update. `given`: the publisher sends them. `computed`: Waybill compares the object with the last one, where the publisher sends none. */
    changes: 'given' | 'computed';
};

/** Sent when a resource type was created. */
export type ResourceTypeCreatedPayload = EventPayloadBase & {
    event_type: 'resource_type_created.v0';
    object: ResourceType;
};

/** Sent when a resource type was deleted. */
export type ResourceTypeDeletedPayload = EventPayloadBase & {
    event_type: 'resource_type_deleted.v0';
    object: ResourceType;
};

/** Sent for each resource type that exists when this type is added to a subscription, before its first change. */
export type ResourceTypeSnapshotPayload = EventPayloadBase & {
    event_type: 'resource_type_snapshot.v0';
    object: ResourceType;
};

/** Sent when a resource type was changed. */
export type ResourceTypeUpdatedPayload = EventPayloadBase & {
    event_type: 'resource_type_updated.v0';
    object: ResourceType;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialResourceType;
        /** The same members after the update. */
        after: PartialResourceType;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

/** Adds and removes headers of responses returned to the client. */
export type ResponseHeadersModule = {
    /** Whether the module is applied to traffic. */
    enabled: boolean;
    /** Map of header name to value, added to the response returned to the client. At most 50. No control characters. */
    add: {
        [key: string]: string;
    };
    /** Names of headers removed from the response returned to the client. At most 50. */
    remove: Array<string>;
};

/** How long items of one kind are kept. */
export type Retained = {
    /** Days for which each item is kept at least: events and attempts since they were recorded, deliveries since they finished, the files of exports since they were complete, metrics since what they count. What waits is kept until it has finished. */
    kept_days: number;
    /** The account has every item that was recorded since this time; of exports: every file that was complete since then, unless it was deleted. Earlier ones were removed. Null: nothing of the account was removed. */
    complete_since: string | null;
};

/** What is kept for how long, and since when it is complete. */
export type Retention = {
    events: Retained;
    deliveries: Retained;
    attempts: Retained;
    exports: Retained;
    metrics: Retained;
    uri: string;
};

/** Requires a login with a SAML identity provider. */
export type SamlModule = {
    /** Whether the module is applied to traffic. */
    enabled: boolean;
    /** Allows HTTP OPTIONS requests without authentication, as CORS requires. */
    options_passthrough: boolean;
    /** Prefix of the name of the session cookie. */
    cookie_prefix: string;
    /** Seconds of inactivity after which a session ends. 0: no limit. */
    inactivity_timeout: number;
    /** Seconds after which a session ends. 0: no limit. */
    maximum_duration: number;
    /** Full XML entity descriptor of the identity provider: an EntityDescriptor with an IDPSSODescriptor and a SingleSignOnService. No document type. At most 32768 bytes, counted as JSON text. */
    idp_metadata: string;
    /** Forces the identity provider to prompt for credentials on every redirect. */
    force_authn: boolean;
    /** Allows the identity provider to start a login. The provider sets RelayState to the target URL. */
    allow_idp_initiated: boolean;
    /** Only members of a listed group may access. Empty: every user that the identity provider authenticates. */
    authorized_groups: Array<string>;
    /** Name identifier format expected in assertions. */
    nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' | 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' | 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' | 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
    /** Entity URL of the service provider. Same as metadata_url. Read-only. */
    entity_id: string;
    /** Public URL of the Assertion Consumer Service. Read-only. */
    assertion_consumer_service_url: string;
    /** Public URL of the Single Logout Service. Read-only. */
    single_logout_url: string;
    /** X.509 certificate in PEM of the key pair that signs the SAML requests. Read-only. */
    request_signing_certificate_pem: string;
    /** Public URL of the metadata of the service provider. Read-only. */
    metadata_url: string;
    /** Always empty: the metadata of the identity provider is in idp_metadata. Read-only. */
    idp_metadata_url: string;
};

/** What runs here. */
export type Service = {
    /** The release of the process that answers. */
    version: string;
    /** Where the queues are. */
    queue_backend: 'redis' | 'postgres';
    /** The workers, at most 200. A worker that stops leaves the list, and another worker removes a dead one from it within seconds. Without a worker that is alive, events wait. */
    workers: Array<{
        /** Name of the process: `INSTANCE_NAME`. */
        instance: string;
        /** Whether its database session is open. */
        alive: boolean;
        started_at: string;
        /** When it last showed that it lives: `time` if it is alive, else up to 15 seconds early. */
        last_seen_at: string;
    }>;
    /** The time of the database, which all times of the API are from. */
    time: string;
};

/** The caller of a request, and its session. */
export type Session = {
    account_id: string;
    /** The name that the operator gave the account. */
    account_name: string;
    /** The owner of the API key. */
    principal: {
        id: string;
        type: 'user' | 'bot_user';
        name: string;
        /** Whether the principal is an admin of the account. */
        admin: boolean;
    };
    /** Id of the API key. */
    credential_id: string;
    /** The role of the API key. */
    role: 'admin' | 'operator' | 'auditor' | 'publisher';
    /** What the role permits. `self`: this resource and sign-in codes. `read`: lists and resources. `export`: exports. `operate`: tests, pauses, redeliveries and backfills. `change`: changes of resources. `publish`: `POST /events`. */
    access: Array<'self' | 'read' | 'export' | 'operate' | 'change' | 'publish'>;
    /** Whether `/dashboard` shows the queues to the caller. */
    may_view_queues: boolean;
    /** When the session ends. Null for a request with an API key, which needs no session, and in a preview. */
    expires_at: string | null;
};

/** A code that signs a browser in once, with the API key of the request. */
export type SessionCode = {
    /** The code. Null in a replay: only the first response has it. */
    code: string | null;
    /** Address of the console that signs in with the code. Null in a replay. */
    url: string | null;
    /** End of the code: 10 minutes after its creation. */
    expires_at: string;
};

export type TargetKind = {
    /** The member of `target` of a destination. */
    kind: 'delivery_stream' | 'data_stream' | 'log_group' | 'monitoring' | 'log_ingestion';
    /** Name of the vendor’s service. */
    title: string;
    description: string;
    /** JSON Schema (2020-12) of the member in a new destination, without null values. `title` is the label of a field, `writeOnly` marks a secret. An object with `maxProperties: 1` is a choice of one of its members. An optional member that has no default may also be null. */
    schema: {
        [key: string]: unknown;
    };
    /** Members that are credentials: the secrets, and what each of them belongs to. */
    credentials: Array<string>;
    /** The statement of the policy that a role needs to write to the target. Null: Waybill assumes no role. */
    permissions: {
        /** Calls to the vendor. */
        actions: Array<string>;
        /** The resource of the statement. */
        resource: {
            /** Member with the ARN of the target. */
            field: string;
            /** Regular expression. Its match in the ARN is the resource. */
            pattern: string;
            /** Text behind the match. */
            suffix: string;
        };
    } | null;
};

export type TcpEdge = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
    hostports: Array<string> | null;
    backend: BackendModule | null;
    ip_restriction: IpRestrictionModule | null;
    traffic_policy: TrafficPolicyModule | null;
    /** Always null. The policy is in `traffic_policy`. */
    policy: string | null;
};

/** Sent when a TCP edge was created. */
export type TcpEdgeCreatedPayload = EventPayloadBase & {
    event_type: 'tcp_edge_created.v0';
    object: TcpEdge;
};

/** Sent when a TCP edge was deleted. */
export type TcpEdgeDeletedPayload = EventPayloadBase & {
    event_type: 'tcp_edge_deleted.v0';
    object: TcpEdge;
};

/** Sent for each TCP edge that exists when this type is added to a subscription, before its first change. */
export type TcpEdgeSnapshotPayload = EventPayloadBase & {
    event_type: 'tcp_edge_snapshot.v0';
    object: TcpEdge;
};

/** Sent when a TCP edge was changed. */
export type TcpEdgeUpdatedPayload = EventPayloadBase & {
    event_type: 'tcp_edge_updated.v0';
    object: TcpEdge;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialTcpEdge;
        /** The same members after the update. */
        after: PartialTcpEdge;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

export type TlsCertificate = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
    /** Certificate in PEM, with its chain. */
    certificate_pem: string;
    /** Common name of the subject. Null when absent. */
    subject_common_name: string | null;
    /** Further names that the certificate is valid for. */
    subject_alternative_names: {
        /** Host names, including wildcards. */
        dns_names: Array<string>;
        /** IPv4 and IPv6 addresses. */
        ips: Array<string>;
    };
    /** When the certificate was issued automatically, RFC 3339. Null for an uploaded certificate. */
    issued_at: string | null;
    /** Start of the validity period, RFC 3339. */
    not_before: string;
    /** End of the validity period, RFC 3339. */
    not_after: string;
    /** Key usages, with the names of RFC 5280 section 4.2.1.3. */
    key_usages: Array<string>;
    /** Extended key usages, with the names of RFC 5280 section 4.2.1.12. Others are object identifiers. */
    extended_key_usages: Array<string>;
    /** Type of the private key. */
    private_key_type: 'rsa' | 'ecdsa' | 'ed25519';
    /** Common name of the issuer. Null when absent. */
    issuer_common_name: string | null;
    /** Serial number, in hexadecimal. */
    serial_number: string;
    /** SHA-256 of the first certificate in the chain, in hexadecimal. */
    fingerprint_sha256: string;
    /** Organization of the subject. Null when absent. */
    subject_organization: string | null;
    /** Organizational unit of the subject. Null when absent. */
    subject_organizational_unit: string | null;
    /** Locality of the subject. Null when absent. */
    subject_locality: string | null;
    /** State or province of the subject. Null when absent. */
    subject_province: string | null;
    /** Country of the subject. Null when absent. */
    subject_country: string | null;
};

/** Sent when a TLS certificate was created. */
export type TlsCertificateCreatedPayload = EventPayloadBase & {
    event_type: 'tls_certificate_created.v0';
    object: TlsCertificate;
};

/** Sent when a TLS certificate was deleted. */
export type TlsCertificateDeletedPayload = EventPayloadBase & {
    event_type: 'tls_certificate_deleted.v0';
    object: TlsCertificate;
};

/** Sent for each TLS certificate that exists when this type is added to a subscription, before its first change. */
export type TlsCertificateSnapshotPayload = EventPayloadBase & {
    event_type: 'tls_certificate_snapshot.v0';
    object: TlsCertificate;
};

/** Sent when a TLS certificate was changed. */
export type TlsCertificateUpdatedPayload = EventPayloadBase & {
    event_type: 'tls_certificate_updated.v0';
    object: TlsCertificate;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialTlsCertificate;
        /** The same members after the update. */
        after: PartialTlsCertificate;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

/** Rules that are applied to traffic. */
export type TrafficPolicyModule = {
    /** Whether the module is applied to traffic. */
    enabled: boolean;
    /** Traffic policy: a JSON or YAML document in a string, as given. */
    value: string;
};

export type Tunnel = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** Public URL of an ephemeral tunnel. Null for a backend tunnel. */
    public_url: string | null;
    /** When the tunnel came online, RFC 3339. */
    started_at: string;
    /** User-supplied metadata from the agent configuration. At most 4096 bytes of UTF-8. */
    metadata: string | null;
    /** Protocol of the public URL. Null for a backend tunnel. */
    proto: 'http' | 'https' | 'tcp' | 'tls' | null;
    /** Region where the tunnel runs. */
    region: string;
    tunnel_session: Ref;
    /** Endpoint of an ephemeral tunnel. Null for a backend tunnel. */
    endpoint: Ref | null;
    /** Labels that tunnel-group backends match. Empty for an ephemeral tunnel. */
    labels: {
        [key: string]: string;
    };
    /** Tunnel-group backends that the tunnel serves, newest first, at most 100. */
    backends: Array<Ref>;
    /** Upstream address that the agent forwards to: a URL or a network address. */
    forwards_to: string | null;
};

/** Sent when a tunnel was created. */
export type TunnelCreatedPayload = EventPayloadBase & {
    event_type: 'tunnel_created.v0';
    object: Tunnel;
};

/** Sent when a tunnel was deleted. */
export type TunnelDeletedPayload = EventPayloadBase & {
    event_type: 'tunnel_deleted.v0';
    object: Tunnel;
};

export type TunnelGroupBackend = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the resource was created, RFC 3339. */
    created_at: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata: string | null;
    /** Labels that a tunnel must have to belong to the group, 1 to 50. */
    labels: {
        [key: string]: string;
    };
    /** Online tunnels that match the labels, newest first, at most 100. */
    tunnels: Array<Ref>;
};

/** Sent when a tunnel-group backend was created. */
export type TunnelGroupBackendCreatedPayload = EventPayloadBase & {
    event_type: 'tunnel_group_backend_created.v0';
    object: TunnelGroupBackend;
};

/** Sent when a tunnel-group backend was deleted. */
export type TunnelGroupBackendDeletedPayload = EventPayloadBase & {
    event_type: 'tunnel_group_backend_deleted.v0';
    object: TunnelGroupBackend;
};

/** Sent for each tunnel-group backend that exists when this type is added to a subscription, before its first change. */
export type TunnelGroupBackendSnapshotPayload = EventPayloadBase & {
    event_type: 'tunnel_group_backend_snapshot.v0';
    object: TunnelGroupBackend;
};

/** Sent when a tunnel-group backend was changed. */
export type TunnelGroupBackendUpdatedPayload = EventPayloadBase & {
    event_type: 'tunnel_group_backend_updated.v0';
    object: TunnelGroupBackend;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialTunnelGroupBackend;
        /** The same members after the update. */
        after: PartialTunnelGroupBackend;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

export type TunnelSession = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** When the agent came online, RFC 3339. */
    started_at: string;
    /** User or bot that the agent runs for. */
    principal: Ref | null;
    /** Region that the agent is connected to. */
    region: string;
    agent_version: string | null;
    /** IP address of the agent. */
    ip: string | null;
    /** Operating system of the agent. */
    os: string | null;
    /** Protocol between the agent and the service. */
    transport: string | null;
    /** User-supplied metadata from the agent configuration. At most 4096 bytes of UTF-8. */
    metadata: string | null;
};

/** Sent when a tunnel session was created. */
export type TunnelSessionCreatedPayload = EventPayloadBase & {
    event_type: 'tunnel_session_created.v0';
    object: TunnelSession;
};

/** Sent when a tunnel session was deleted. */
export type TunnelSessionDeletedPayload = EventPayloadBase & {
    event_type: 'tunnel_session_deleted.v0';
    object: TunnelSession;
};

/** Sent for each tunnel session that exists when this type is added to a subscription, before its first change. */
export type TunnelSessionSnapshotPayload = EventPayloadBase & {
    event_type: 'tunnel_session_snapshot.v0';
    object: TunnelSession;
};

/** Sent when a tunnel session was changed. */
export type TunnelSessionUpdatedPayload = EventPayloadBase & {
    event_type: 'tunnel_session_updated.v0';
    object: TunnelSession;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialTunnelSession;
        /** The same members after the update. */
        after: PartialTunnelSession;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

/** Sent for each tunnel that exists when this type is added to a subscription, before its first change. */
export type TunnelSnapshotPayload = EventPayloadBase & {
    event_type: 'tunnel_snapshot.v0';
    object: Tunnel;
};

/** Sent when a tunnel was changed. */
export type TunnelUpdatedPayload = EventPayloadBase & {
    event_type: 'tunnel_updated.v0';
    object: Tunnel;
    changes: {
        /** The changed top-level members before the update. */
        before: PartialTunnel;
        /** The same members after the update. */
        after: PartialTunnel;
        /** Changed members whose old and new values do not fit into the event. `object` has the new values. */
        omitted?: Array<string>;
    };
};

/** What a destination did not receive. */
export type UndeliveredCount = {
    /** Id of the destination, which may be deleted. */
    id: string;
    /** Address of the destination. */
    uri: string;
    /** Number of rejected deliveries. The newest 1000 of each state are read. */
    rejected: number;
    /** Number of expired deliveries. The newest 1000 of each state are read. */
    expired: number;
    /** Whether the real numbers may be higher. The newest 1000 of each state are read, and older ones are not counted. */
    is_lower_bound: boolean;
    /** The reasons, at most 10: those with most deliveries. */
    reasons: Array<{
        state: 'rejected' | 'expired';
        /** The error code. Null when none was recorded. */
        code: string | null;
        /** The message of the newest of these deliveries. */
        message: string | null;
        count: number;
    }>;
};

export type UpdateAgentIngress = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    certificate_management_policy?: {
        /** Authority that issues the certificates. */
        authority?: 'letsencrypt';
        /** Type of the private keys. */
        private_key_type?: 'rsa' | 'ecdsa';
    } | null;
};

export type UpdateApiKey = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
};

export type UpdateBotUser = {
    /** Human-readable name. */
    name?: string;
    /** Whether the bot is active. Requests with a key of an inactive bot are refused with 403. */
    active?: boolean;
};

export type UpdateCertificateAuthority = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
};

/** Cloud credentials: exactly one of role and creds. */
export type UpdateCloudAuth = {
    /** A role that Waybill assumes. Preferred: no key leaves your account. */
    role?: CloudRoleInput | null;
    /** A long-term access key. */
    creds?: UpdateCloudCredentials | null;
};

export type UpdateCloudCredentials = {
    /** Id of a long-term access key. A temporary one (`ASIA…`) soon expires. */
    cloud_access_key_id: string;
    /** Secret of that access key. Never returned. */
    cloud_secret_access_key?: string | null;
};

/** Amazon Kinesis Data Streams: events as JSON. The partition key of a record is the id of the resource that changed. */
export type UpdateDataStreamTarget = {
    auth?: UpdateCloudAuth;
    /** ARN of the data stream, which must exist. */
    stream_arn?: string;
    /** What a record of the stream holds. `one_event`: the JSON of one event. `packed`: events of one resource in the aggregation format of the Kinesis Producer Library (KPL), where several are sent together. Consumers have to deaggregate packed records; the Kinesis Client Library (KCL) does it by itself. */
    records?: 'one_event' | 'packed';
};

/** Amazon Data Firehose: each event is a line of JSON. */
export type UpdateDeliveryStreamTarget = {
    auth?: UpdateCloudAuth;
    /** ARN of the delivery stream. Its source must be direct put, without decompression of the source. */
    delivery_stream_arn?: string;
    /** What a record of the stream holds. `one_event`: one line of JSON. `packed`: up to 500 lines, 512,000 bytes. Firehose bills each record rounded up to 5 KB, so packed records cost less, and a burst of changes takes fewer calls. Streams to Amazon S3 or Redshift take packed records; most others need one event in each. */
    records?: 'one_event' | 'packed';
};

export type UpdateEndpoint = {
    /** URL that the endpoint serves: `https://`, `http://`, `tls://` or `tcp://`, a host name and an optional port. A wildcard host is allowed except for `tcp://`. A port is required for `tcp://`. No path, query or fragment. */
    url?: string;
    /** Traffic policy: a JSON or YAML document in a string, returned as given. The protocol of the URL decides which phases are allowed. Null when unset. */
    traffic_policy?: string | null;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    bindings?: Array<'public' | 'internal' | 'kubernetes'> | null;
    /** Whether endpoints of the account may share the URL. All of them must have `pooling_enabled`. Default: false. */
    pooling_enabled?: boolean | null;
};

export type UpdateEndpointConfiguration = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
};

export type UpdateEventDestination = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Serialization of the events. `json` is the only format. */
    format?: 'json';
    target?: UpdateEventDestinationTarget;
    /** Pauses the destination: its events wait in order and do not expire. Null ends the pause. A destination that is paused cannot be paused again. The present pause can be sent back as it was read, which changes nothing. */
    paused?: {
        /** Why the destination is paused. At most 500 characters. */
        reason: string;
        /** Read-only. Accepted as in responses, while that pause lasts. */
        since?: string;
        /** Read-only. Accepted as in responses, while that pause lasts. */
        principal?: {
            id: string;
            subject: string;
            credential_id: string | null;
        };
    } | null;
    /** Mutes the destination until a time: events are delivered as before, and status, metrics and console say that its failures need nobody. It takes the place of the present mute. Null ends the mute. */
    muted?: {
        /** Why the destination is muted. At most 500 characters. */
        reason: string;
        /** When the mute ends by itself. In the past: the destination is not muted. */
        until: string;
        /** Read-only. Accepted as in responses, for that mute. */
        since?: string;
        /** Read-only. Accepted as in responses, for that mute. */
        principal?: {
            id: string;
            subject: string;
            credential_id: string | null;
        };
    } | null;
};

/** Target of the events. Fields that are left out keep their values, and so do secrets that are null. `auth` is replaced as a whole. The kind of target cannot be changed. */
export type UpdateEventDestinationTarget = {
    delivery_stream?: UpdateDeliveryStreamTarget | null;
    data_stream?: UpdateDataStreamTarget | null;
    log_group?: UpdateLogGroupTarget | null;
    monitoring?: UpdateMonitoringTarget | null;
    log_ingestion?: UpdateLogIngestionTarget | null;
};

export type UpdateEventSource = {
    /** A condition in CEL over the payload of an event. Only events that match are sent. An event for which it cannot be evaluated matches. */
    filter?: string | null;
    fields?: EventFieldsInput | null;
    /** Accepted as in responses, and ignored. */
    uri?: string;
};

export type UpdateEventSubscription = {
    /** Free-form text for people. At most 255 characters. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 characters. Null when unset. */
    metadata?: string | null;
    /** Event types that trigger the subscription, each once. */
    sources?: Array<{
        /** An event type, built-in or registered: `<resource>_<action>.v<version>`. `<resource>_snapshot.v0` of a built-in resource asks for the present state: one event for each existing resource, before its first change. */
        type: string;
        /** A condition in CEL over the payload of an event. Only events that match are sent. An event for which it cannot be evaluated matches. */
        filter?: string | null;
        fields?: EventFieldsInput | null;
        /** Accepted as in responses, and ignored. */
        uri?: string;
    }>;
    /** Ids of the destinations that receive the events. */
    destination_ids?: Array<string>;
};

export type UpdateFailoverBackend = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Ids of the child backends, in the order in which they are tried. Any kind of backend. */
    backends?: Array<string>;
};

export type UpdateHttpResponseBackend = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Response body. At most 24576 bytes of UTF-8. Null when unset. */
    body?: string | null;
    headers?: {
        [key: string]: string;
    } | null;
    /** Response status code. */
    status_code?: number;
};

export type UpdateHttpsEdge = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    hostports?: Array<string> | null;
};

export type UpdateHttpsEdgeRoute = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Whether `match` is compared with the whole path or with its beginning. */
    match_type?: 'exact_path' | 'path_prefix';
    /** Requests that the route matches: a path, a host, or a host and a path. The host is stored in lower-case ASCII. At most 2048 bytes of UTF-8. Unique within the edge for each match_type. */
    match?: string;
    backend?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Id of the backend. Any kind of backend. */
        backend_id: string;
    } | null;
    ip_restriction?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Ids of the IP policies that source addresses are checked against. */
        ip_policy_ids: Array<string>;
    } | null;
    circuit_breaker?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Seconds to wait after the circuit trips before the health of the upstream is evaluated again. Default: `10`. */
        tripped_duration?: number;
        /** Length of the rolling window in which requests are counted, in seconds. Default: `10`. */
        rolling_window?: number;
        /** Number of buckets in the rolling window, 1 to 128. Default: `10`. */
        num_buckets?: number;
        /** Number of requests in a rolling window that can trip the circuit. Default: `10`. */
        volume_threshold?: number;
        /** Share of failed requests that trips the circuit: between 0 and 1.0, not 0 to 100. Default: `0.5`. */
        error_threshold_percentage?: number;
    } | null;
    compression?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
    } | null;
    request_headers?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Map of header name to value, added to the request sent upstream. At most 50. No control characters. Default: `{}`. */
        add?: {
            [key: string]: string;
        };
        /** Names of headers removed from the request sent upstream. At most 50. Default: `[]`. */
        remove?: Array<string>;
    } | null;
    response_headers?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Map of header name to value, added to the response returned to the client. At most 50. No control characters. Default: `{}`. */
        add?: {
            [key: string]: string;
        };
        /** Names of headers removed from the response returned to the client. At most 50. Default: `[]`. */
        remove?: Array<string>;
    } | null;
    webhook_verification?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Provider that sends the webhooks. */
        provider: 'adobesign' | 'aftership' | 'airship' | 'alchemy' | 'autodesk' | 'bitbucket' | 'bolt' | 'box' | 'brex' | 'buildkite' | 'calendly' | 'castle' | 'chargify' | 'circleci' | 'clearbit' | 'clerk' | 'coinbase' | 'contentful' | 'docusign' | 'dropbox' | 'facebook_graph_api' | 'facebook_messenger' | 'frameio' | 'github' | 'gitlab' | 'go1' | 'heroku' | 'hosted_hooks' | 'hubspot' | 'hygraph' | 'instagram' | 'intercom' | 'jira' | 'launch_darkly' | 'lemonsqueezy' | 'linear' | 'mailchimp' | 'mailgun' | 'microsoft_teams' | 'modern_treasury' | 'mongodb' | 'mux' | 'nylas' | 'orb' | 'orbit' | 'pagerduty' | 'pinwheel' | 'plivo' | 'pusher' | 'sendgrid' | 'sentry' | 'shopify' | 'signal_sciences' | 'slack' | 'sns' | 'sonatype' | 'square' | 'stripe' | 'svix' | 'terraform' | 'tiktok' | 'trendmicro' | 'twilio' | 'twitter' | 'typeform' | 'vmware' | 'webex' | 'whatsapp' | 'worldline' | 'xero' | 'zendesk' | 'zoom';
        /** Secret that validates requests from the provider. Required for every provider except sns. At most 4096 bytes of UTF-8. */
        secret?: string | null;
    } | null;
    oauth?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        provider: OauthProviderInput;
        /** Allows HTTP OPTIONS requests without authentication, as CORS requires. Default: `false`. */
        options_passthrough?: boolean;
        /** Prefix of the name of the session cookie. Default: `"waybill."`. */
        cookie_prefix?: string;
        /** Seconds of inactivity after which a session ends. 0: no limit. Default: `0`. */
        inactivity_timeout?: number;
        /** Seconds after which a session ends. 0: no limit. Default: `0`. */
        maximum_duration?: number;
        /** Seconds after which the state of a user is refreshed from the identity provider and authorization is rechecked. 0: only at login. Default: `0`. */
        auth_check_interval?: number;
    } | null;
    saml?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Allows HTTP OPTIONS requests without authentication, as CORS requires. Default: `false`. */
        options_passthrough?: boolean;
        /** Prefix of the name of the session cookie. Default: `"waybill."`. */
        cookie_prefix?: string;
        /** Seconds of inactivity after which a session ends. 0: no limit. Default: `0`. */
        inactivity_timeout?: number;
        /** Seconds after which a session ends. 0: no limit. Default: `0`. */
        maximum_duration?: number;
        /** Full XML entity descriptor of the identity provider: an EntityDescriptor with an IDPSSODescriptor and a SingleSignOnService. No document type. At most 32768 bytes, counted as JSON text. */
        idp_metadata: string;
        /** Forces the identity provider to prompt for credentials on every redirect. Default: `false`. */
        force_authn?: boolean;
        /** Allows the identity provider to start a login. The provider sets RelayState to the target URL. Default: `false`. */
        allow_idp_initiated?: boolean;
        /** Only members of a listed group may access. Empty: every user that the identity provider authenticates. Default: `[]`. */
        authorized_groups?: Array<string>;
        /** Name identifier format expected in assertions. Default: `"urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"`. */
        nameid_format?: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' | 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' | 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' | 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
        /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
        entity_id?: string | null;
        /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
        assertion_consumer_service_url?: string | null;
        /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
        single_logout_url?: string | null;
        /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
        request_signing_certificate_pem?: string | null;
        /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
        metadata_url?: string | null;
        /** Accepted as in responses, and ignored. At most 8192 bytes of UTF-8. */
        idp_metadata_url?: string | null;
    } | null;
    oidc?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Allows HTTP OPTIONS requests without authentication, as CORS requires. Default: `false`. */
        options_passthrough?: boolean;
        /** Prefix of the name of the session cookie. Default: `"waybill."`. */
        cookie_prefix?: string;
        /** Seconds of inactivity after which a session ends. 0: no limit. Default: `0`. */
        inactivity_timeout?: number;
        /** Seconds after which a session ends. 0: no limit. Default: `0`. */
        maximum_duration?: number;
        /** URL of the issuer. The provider serves its configuration at /.well-known/openid-configuration below the URL. */
        issuer_url: string;
        /** Client id of the route at the provider. */
        client_id: string;
        /** Client secret. Required. Left out of a replacement: unchanged, unless issuer_url or client_id changes. At most 4096 bytes of UTF-8. */
        client_secret?: string | null;
        /** Requested scopes in addition to `openid`. Default: `[]`. */
        scopes?: Array<string>;
    } | null;
    websocket_tcp_converter?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
    } | null;
    user_agent_filter?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Regular expressions (RE2) of allowed user agents, even if `deny` matches too. At most 32, each of at most 256 characters. Default: `[]`. */
        allow?: Array<string>;
        /** Regular expressions (RE2) of denied user agents. At most 32, each of at most 256 characters. Default: `[]`. */
        deny?: Array<string>;
    } | null;
    traffic_policy?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Traffic policy: a JSON or YAML document in a string, with lists of rules under on_http_request and on_http_response. Returned as given. At most 24576 bytes of UTF-8. */
        value: string;
    } | null;
};

export type UpdateIpPolicy = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
};

export type UpdateIpPolicyRule = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** An IP address or a range in CIDR notation, IPv4 or IPv6. */
    cidr?: string;
};

/** Amazon CloudWatch Logs: each event is one log event of JSON. */
export type UpdateLogGroupTarget = {
    auth?: UpdateCloudAuth;
    /** ARN of the log group, which must exist. Events go to its log stream `waybill/<destination id>`, or to the one that the ARN names; it is created when it is missing. */
    log_group_arn?: string;
};

/** Azure Monitor Logs Ingestion. */
export type UpdateLogIngestionTarget = {
    /** Directory (tenant) id of the Entra application, a GUID. */
    tenant_id?: string;
    /** Application (client) id of the Entra application, a GUID. */
    client_id?: string;
    /** Value (not id) of a client secret of the application. Never returned. */
    client_secret?: string | null;
    /** Logs ingestion address of the data collection rule or endpoint. Its ending (.com, .us, .cn) selects the cloud to sign in to. */
    logs_ingestion_uri?: string;
    /** Immutable id of the data collection rule. The application needs the role Monitoring Metrics Publisher on it. */
    data_collection_rule_id?: string;
    /** Stream of the rule that takes the events, such as "Custom-Waybill_CL". */
    data_collection_stream_name?: string;
};

/** Datadog Logs. */
export type UpdateMonitoringTarget = {
    /** Datadog API key (not an application key). Never returned. */
    api_key?: string | null;
    /** Tags of every log entry, by convention "key:value" pairs with commas between them. Datadog normalizes them. At most 1024 bytes as JSON text. */
    tags?: string | null;
    /** Service of every log entry. Null or empty: "waybill". At most 300 bytes as JSON text. */
    service?: string | null;
    /** Datadog site to send to, as in the address of its web application. Null: datadoghq.com. */
    site?: 'datadoghq.com' | 'us3.datadoghq.com' | 'us5.datadoghq.com' | 'datadoghq.eu' | 'ap1.datadoghq.com' | 'ap2.datadoghq.com' | 'uk1.datadoghq.com' | 'ddog-gov.com' | 'us2.ddog-gov.com' | null;
};

export type UpdateReservedAddr = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Id of the endpoint configuration of the address. */
    endpoint_configuration_id?: string | null;
};

export type UpdateReservedDomain = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Id of an uploaded TLS certificate that covers the domain. Mutually exclusive with certificate_management_policy. */
    certificate_id?: string | null;
    certificate_management_policy?: {
        /** Authority that issues the certificates. */
        authority?: 'letsencrypt';
        /** Type of the private keys. */
        private_key_type?: 'rsa' | 'ecdsa';
    } | null;
};

export type UpdateResourceType = {
    /** Singular title for people. Default: the name with spaces. */
    title?: string;
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** What happens to such a resource. Each action is an event type `<name>_<action>.v<version>`. `snapshot` is reserved. */
    actions?: Array<string>;
    /** Version in the event types. Within a version only compatible changes are possible. The event types of older versions remain. */
    version?: number;
    /** JSON Schema (2020-12) of the resource as an event carries it. At most 16384 bytes and 24 levels. Null: any object. */
    schema?: {
        [key: string]: unknown;
    } | null;
    /** JSON pointers into the object. Their values are null in everything that is stored. `*` stands for every item of a list or every member of an object. */
    redact?: Array<string>;
    /** Changed members of an update. `given`: the publisher sends them. `computed`: Waybill compares the object with the last one, where the publisher sends none. */
    changes?: 'given' | 'computed';
};

export type UpdateTcpEdge = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    hostports?: Array<string> | null;
    backend?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Id of the backend. Any kind of backend. */
        backend_id: string;
    } | null;
    ip_restriction?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Ids of the IP policies that source addresses are checked against. */
        ip_policy_ids: Array<string>;
    } | null;
    traffic_policy?: {
        /** Whether the module is applied to traffic. Default: `true`. */
        enabled?: boolean;
        /** Traffic policy: a JSON or YAML document in a string, with lists of rules under on_tcp_connect. Returned as given. At most 24576 bytes of UTF-8. */
        value: string;
    } | null;
};

export type UpdateTlsCertificate = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
};

export type UpdateTunnelGroupBackend = {
    /** Free-form text for people. At most 255 bytes of UTF-8. Null when unset. */
    description?: string | null;
    /** Free-form text for programs, by convention serialized JSON. At most 4096 bytes of UTF-8. Null when unset. */
    metadata?: string | null;
    /** Labels that a tunnel must have to belong to the group, 1 to 50. */
    labels?: {
        [key: string]: string;
    };
};

export type User = {
    /** Identifier: type prefix, underscore, 26 characters that sort by creation time. */
    id: string;
    /** Address of this resource. */
    uri: string;
    /** Human-readable name. */
    name: string;
    /** Whether the user is an admin of the account. */
    admin: boolean;
    /** When the resource was created, RFC 3339. */
    created_at: string;
};

/** Allows or denies requests by user agent. A request that matches no list is allowed. */
export type UserAgentFilterModule = {
    /** Whether the module is applied to traffic. */
    enabled: boolean;
    /** Regular expressions (RE2) of allowed user agents, even if `deny` matches too. At most 32, each of at most 256 characters. */
    allow: Array<string>;
    /** Regular expressions (RE2) of denied user agents. At most 32, each of at most 256 characters. */
    deny: Array<string>;
};

/** Rejects webhooks that do not have a valid signature of the provider. */
export type WebhookVerificationModule = {
    /** Whether the module is applied to traffic. */
    enabled: boolean;
    /** Provider that sends the webhooks. */
    provider: 'adobesign' | 'aftership' | 'airship' | 'alchemy' | 'autodesk' | 'bitbucket' | 'bolt' | 'box' | 'brex' | 'buildkite' | 'calendly' | 'castle' | 'chargify' | 'circleci' | 'clearbit' | 'clerk' | 'coinbase' | 'contentful' | 'docusign' | 'dropbox' | 'facebook_graph_api' | 'facebook_messenger' | 'frameio' | 'github' | 'gitlab' | 'go1' | 'heroku' | 'hosted_hooks' | 'hubspot' | 'hygraph' | 'instagram' | 'intercom' | 'jira' | 'launch_darkly' | 'lemonsqueezy' | 'linear' | 'mailchimp' | 'mailgun' | 'microsoft_teams' | 'modern_treasury' | 'mongodb' | 'mux' | 'nylas' | 'orb' | 'orbit' | 'pagerduty' | 'pinwheel' | 'plivo' | 'pusher' | 'sendgrid' | 'sentry' | 'shopify' | 'signal_sciences' | 'slack' | 'sns' | 'sonatype' | 'square' | 'stripe' | 'svix' | 'terraform' | 'tiktok' | 'trendmicro' | 'twilio' | 'twitter' | 'typeform' | 'vmware' | 'webex' | 'whatsapp' | 'worldline' | 'xero' | 'zendesk' | 'zoom';
    /** Always null. Secrets are never returned. */
    secret: string | null;
};

/** Sends the data of binary WebSocket messages upstream as plain TCP. */
export type WebsocketTcpConverterModule = {
    /** Whether the module is applied to traffic. */
    enabled: boolean;
};

/** ETag of the version to change. The response is 412 if the resource has a newer version. */
export type IfMatch = string;

/** ETag of the version that the client has. The response is 304 if it is still current. */
export type IfNoneMatch = string;

/** One part of the file: the response is then a 206 with `Content-Range`. Several parts, and other units than bytes, are ignored. */
export type Range = string;

/** ETag of the file of which the client has a part. If the file has another one, the response has the whole file. */
export type IfRange = string;

/** A unique text for this request. If the request is repeated with the key within 24 hours, the first response is replayed with `Idempotent-Replayed: true`. The `token` of a new API key is null in a replay. A backfill, recovery, redelivery, test, event source or log link stores its response after its change. Such a request is carried out again if Waybill crashed in between, or if it is repeated after a minute while it still runs. So is a test that failed. */
export type IdempotencyKey = string;

export type ListLogKeysData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/.well-known/waybill-log-keys';
};

export type ListLogKeysResponses = {
    /** OK. */
    200: string;
};

export type ListLogKeysResponse = ListLogKeysResponses[keyof ListLogKeysResponses];

export type ListAgentIngressesData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/agent_ingresses';
};

export type ListAgentIngressesResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        ingresses: Array<AgentIngress>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListAgentIngressesResponse = ListAgentIngressesResponses[keyof ListAgentIngressesResponses];

export type CreateAgentIngressData = {
    body: CreateAgentIngress;
    path?: never;
    query?: never;
    url: '/agent_ingresses';
};

export type CreateAgentIngressResponses = {
    /** Created. */
    201: AgentIngress;
};

export type CreateAgentIngressResponse = CreateAgentIngressResponses[keyof CreateAgentIngressResponses];

export type DeleteAgentIngressData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/agent_ingresses/{id}';
};

export type DeleteAgentIngressResponses = {
    /** No content. */
    204: void;
};

export type DeleteAgentIngressResponse = DeleteAgentIngressResponses[keyof DeleteAgentIngressResponses];

export type GetAgentIngressData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/agent_ingresses/{id}';
};

export type GetAgentIngressResponses = {
    /** OK. */
    200: AgentIngress;
};

export type GetAgentIngressResponse = GetAgentIngressResponses[keyof GetAgentIngressResponses];

export type UpdateAgentIngressData = {
    body: UpdateAgentIngress;
    path: {
        id: string;
    };
    query?: never;
    url: '/agent_ingresses/{id}';
};

export type UpdateAgentIngressResponses = {
    /** OK. */
    200: AgentIngress;
};

export type UpdateAgentIngressResponse = UpdateAgentIngressResponses[keyof UpdateAgentIngressResponses];

export type ListAgentIngressEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/agent_ingresses/{id}/events';
};

export type ListAgentIngressEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListAgentIngressEventsResponse = ListAgentIngressEventsResponses[keyof ListAgentIngressEventsResponses];

export type ListAgentIngressReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/agent_ingresses/{id}/references';
};

export type ListAgentIngressReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListAgentIngressReferencesResponse = ListAgentIngressReferencesResponses[keyof ListAgentIngressReferencesResponses];

export type ListApiKeysData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/api_keys';
};

export type ListApiKeysResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        keys: Array<ApiKey>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListApiKeysResponse = ListApiKeysResponses[keyof ListApiKeysResponses];

export type CreateApiKeyData = {
    body?: CreateApiKey;
    path?: never;
    query?: never;
    url: '/api_keys';
};

export type CreateApiKeyResponses = {
    /** Created. */
    201: ApiKey;
};

export type CreateApiKeyResponse = CreateApiKeyResponses[keyof CreateApiKeyResponses];

export type DeleteApiKeyData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** `true`: also deletes every key that this key made, directly or through keys that it made. */
        with_created_keys?: 'true' | 'false';
    };
    url: '/api_keys/{id}';
};

export type DeleteApiKeyResponses = {
    /** No content. */
    204: void;
};

export type DeleteApiKeyResponse = DeleteApiKeyResponses[keyof DeleteApiKeyResponses];

export type GetApiKeyData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api_keys/{id}';
};

export type GetApiKeyResponses = {
    /** OK. */
    200: ApiKey;
};

export type GetApiKeyResponse = GetApiKeyResponses[keyof GetApiKeyResponses];

export type UpdateApiKeyData = {
    body: UpdateApiKey;
    path: {
        id: string;
    };
    query?: never;
    url: '/api_keys/{id}';
};

export type UpdateApiKeyResponses = {
    /** OK. */
    200: ApiKey;
};

export type UpdateApiKeyResponse = UpdateApiKeyResponses[keyof UpdateApiKeyResponses];

export type ListApiKeyEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/api_keys/{id}/events';
};

export type ListApiKeyEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListApiKeyEventsResponse = ListApiKeyEventsResponses[keyof ListApiKeyEventsResponses];

export type ListApiKeyReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/api_keys/{id}/references';
};

export type ListApiKeyReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListApiKeyReferencesResponse = ListApiKeyReferencesResponses[keyof ListApiKeyReferencesResponses];

export type ListFailoverBackendsData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/backends/failover';
};

export type ListFailoverBackendsResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        backends: Array<FailoverBackend>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListFailoverBackendsResponse = ListFailoverBackendsResponses[keyof ListFailoverBackendsResponses];

export type CreateFailoverBackendData = {
    body?: CreateFailoverBackend;
    path?: never;
    query?: never;
    url: '/backends/failover';
};

export type CreateFailoverBackendResponses = {
    /** Created. */
    201: FailoverBackend;
};

export type CreateFailoverBackendResponse = CreateFailoverBackendResponses[keyof CreateFailoverBackendResponses];

export type DeleteFailoverBackendData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/backends/failover/{id}';
};

export type DeleteFailoverBackendResponses = {
    /** No content. */
    204: void;
};

export type DeleteFailoverBackendResponse = DeleteFailoverBackendResponses[keyof DeleteFailoverBackendResponses];

export type GetFailoverBackendData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/backends/failover/{id}';
};

export type GetFailoverBackendResponses = {
    /** OK. */
    200: FailoverBackend;
};

export type GetFailoverBackendResponse = GetFailoverBackendResponses[keyof GetFailoverBackendResponses];

export type UpdateFailoverBackendData = {
    body: UpdateFailoverBackend;
    path: {
        id: string;
    };
    query?: never;
    url: '/backends/failover/{id}';
};

export type UpdateFailoverBackendResponses = {
    /** OK. */
    200: FailoverBackend;
};

export type UpdateFailoverBackendResponse = UpdateFailoverBackendResponses[keyof UpdateFailoverBackendResponses];

export type ListFailoverBackendEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/backends/failover/{id}/events';
};

export type ListFailoverBackendEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListFailoverBackendEventsResponse = ListFailoverBackendEventsResponses[keyof ListFailoverBackendEventsResponses];

export type ListFailoverBackendReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/backends/failover/{id}/references';
};

export type ListFailoverBackendReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListFailoverBackendReferencesResponse = ListFailoverBackendReferencesResponses[keyof ListFailoverBackendReferencesResponses];

export type ListHttpResponseBackendsData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/backends/http_response';
};

export type ListHttpResponseBackendsResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        backends: Array<HttpResponseBackend>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListHttpResponseBackendsResponse = ListHttpResponseBackendsResponses[keyof ListHttpResponseBackendsResponses];

export type CreateHttpResponseBackendData = {
    body?: CreateHttpResponseBackend;
    path?: never;
    query?: never;
    url: '/backends/http_response';
};

export type CreateHttpResponseBackendResponses = {
    /** Created. */
    201: HttpResponseBackend;
};

export type CreateHttpResponseBackendResponse = CreateHttpResponseBackendResponses[keyof CreateHttpResponseBackendResponses];

export type DeleteHttpResponseBackendData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/backends/http_response/{id}';
};

export type DeleteHttpResponseBackendResponses = {
    /** No content. */
    204: void;
};

export type DeleteHttpResponseBackendResponse = DeleteHttpResponseBackendResponses[keyof DeleteHttpResponseBackendResponses];

export type GetHttpResponseBackendData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/backends/http_response/{id}';
};

export type GetHttpResponseBackendResponses = {
    /** OK. */
    200: HttpResponseBackend;
};

export type GetHttpResponseBackendResponse = GetHttpResponseBackendResponses[keyof GetHttpResponseBackendResponses];

export type UpdateHttpResponseBackendData = {
    body: UpdateHttpResponseBackend;
    path: {
        id: string;
    };
    query?: never;
    url: '/backends/http_response/{id}';
};

export type UpdateHttpResponseBackendResponses = {
    /** OK. */
    200: HttpResponseBackend;
};

export type UpdateHttpResponseBackendResponse = UpdateHttpResponseBackendResponses[keyof UpdateHttpResponseBackendResponses];

export type ListHttpResponseBackendEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/backends/http_response/{id}/events';
};

export type ListHttpResponseBackendEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListHttpResponseBackendEventsResponse = ListHttpResponseBackendEventsResponses[keyof ListHttpResponseBackendEventsResponses];

export type ListHttpResponseBackendReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/backends/http_response/{id}/references';
};

export type ListHttpResponseBackendReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListHttpResponseBackendReferencesResponse = ListHttpResponseBackendReferencesResponses[keyof ListHttpResponseBackendReferencesResponses];

export type ListTunnelGroupBackendsData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/backends/tunnel_group';
};

export type ListTunnelGroupBackendsResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        backends: Array<TunnelGroupBackend>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListTunnelGroupBackendsResponse = ListTunnelGroupBackendsResponses[keyof ListTunnelGroupBackendsResponses];

export type CreateTunnelGroupBackendData = {
    body: CreateTunnelGroupBackend;
    path?: never;
    query?: never;
    url: '/backends/tunnel_group';
};

export type CreateTunnelGroupBackendResponses = {
    /** Created. */
    201: TunnelGroupBackend;
};

export type CreateTunnelGroupBackendResponse = CreateTunnelGroupBackendResponses[keyof CreateTunnelGroupBackendResponses];

export type DeleteTunnelGroupBackendData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/backends/tunnel_group/{id}';
};

export type DeleteTunnelGroupBackendResponses = {
    /** No content. */
    204: void;
};

export type DeleteTunnelGroupBackendResponse = DeleteTunnelGroupBackendResponses[keyof DeleteTunnelGroupBackendResponses];

export type GetTunnelGroupBackendData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/backends/tunnel_group/{id}';
};

export type GetTunnelGroupBackendResponses = {
    /** OK. */
    200: TunnelGroupBackend;
};

export type GetTunnelGroupBackendResponse = GetTunnelGroupBackendResponses[keyof GetTunnelGroupBackendResponses];

export type UpdateTunnelGroupBackendData = {
    body: UpdateTunnelGroupBackend;
    path: {
        id: string;
    };
    query?: never;
    url: '/backends/tunnel_group/{id}';
};

export type UpdateTunnelGroupBackendResponses = {
    /** OK. */
    200: TunnelGroupBackend;
};

export type UpdateTunnelGroupBackendResponse = UpdateTunnelGroupBackendResponses[keyof UpdateTunnelGroupBackendResponses];

export type ListTunnelGroupBackendEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/backends/tunnel_group/{id}/events';
};

export type ListTunnelGroupBackendEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListTunnelGroupBackendEventsResponse = ListTunnelGroupBackendEventsResponses[keyof ListTunnelGroupBackendEventsResponses];

export type ListTunnelGroupBackendReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/backends/tunnel_group/{id}/references';
};

export type ListTunnelGroupBackendReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListTunnelGroupBackendReferencesResponse = ListTunnelGroupBackendReferencesResponses[keyof ListTunnelGroupBackendReferencesResponses];

export type ListBotUsersData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/bot_users';
};

export type ListBotUsersResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        bot_users: Array<BotUser>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListBotUsersResponse = ListBotUsersResponses[keyof ListBotUsersResponses];

export type CreateBotUserData = {
    body: CreateBotUser;
    path?: never;
    query?: never;
    url: '/bot_users';
};

export type CreateBotUserResponses = {
    /** Created. */
    201: BotUser;
};

export type CreateBotUserResponse = CreateBotUserResponses[keyof CreateBotUserResponses];

export type DeleteBotUserData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/bot_users/{id}';
};

export type DeleteBotUserResponses = {
    /** No content. */
    204: void;
};

export type DeleteBotUserResponse = DeleteBotUserResponses[keyof DeleteBotUserResponses];

export type GetBotUserData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/bot_users/{id}';
};

export type GetBotUserResponses = {
    /** OK. */
    200: BotUser;
};

export type GetBotUserResponse = GetBotUserResponses[keyof GetBotUserResponses];

export type UpdateBotUserData = {
    body: UpdateBotUser;
    path: {
        id: string;
    };
    query?: never;
    url: '/bot_users/{id}';
};

export type UpdateBotUserResponses = {
    /** OK. */
    200: BotUser;
};

export type UpdateBotUserResponse = UpdateBotUserResponses[keyof UpdateBotUserResponses];

export type ListBotUserEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/bot_users/{id}/events';
};

export type ListBotUserEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListBotUserEventsResponse = ListBotUserEventsResponses[keyof ListBotUserEventsResponses];

export type ListBotUserReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/bot_users/{id}/references';
};

export type ListBotUserReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListBotUserReferencesResponse = ListBotUserReferencesResponses[keyof ListBotUserReferencesResponses];

export type ListCertificateAuthoritiesData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/certificate_authorities';
};

export type ListCertificateAuthoritiesResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        certificate_authorities: Array<CertificateAuthority>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListCertificateAuthoritiesResponse = ListCertificateAuthoritiesResponses[keyof ListCertificateAuthoritiesResponses];

export type CreateCertificateAuthorityData = {
    body: CreateCertificateAuthority;
    path?: never;
    query?: never;
    url: '/certificate_authorities';
};

export type CreateCertificateAuthorityResponses = {
    /** Created. */
    201: CertificateAuthority;
};

export type CreateCertificateAuthorityResponse = CreateCertificateAuthorityResponses[keyof CreateCertificateAuthorityResponses];

export type DeleteCertificateAuthorityData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/certificate_authorities/{id}';
};

export type DeleteCertificateAuthorityResponses = {
    /** No content. */
    204: void;
};

export type DeleteCertificateAuthorityResponse = DeleteCertificateAuthorityResponses[keyof DeleteCertificateAuthorityResponses];

export type GetCertificateAuthorityData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/certificate_authorities/{id}';
};

export type GetCertificateAuthorityResponses = {
    /** OK. */
    200: CertificateAuthority;
};

export type GetCertificateAuthorityResponse = GetCertificateAuthorityResponses[keyof GetCertificateAuthorityResponses];

export type UpdateCertificateAuthorityData = {
    body: UpdateCertificateAuthority;
    path: {
        id: string;
    };
    query?: never;
    url: '/certificate_authorities/{id}';
};

export type UpdateCertificateAuthorityResponses = {
    /** OK. */
    200: CertificateAuthority;
};

export type UpdateCertificateAuthorityResponse = UpdateCertificateAuthorityResponses[keyof UpdateCertificateAuthorityResponses];

export type ListCertificateAuthorityEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/certificate_authorities/{id}/events';
};

export type ListCertificateAuthorityEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListCertificateAuthorityEventsResponse = ListCertificateAuthorityEventsResponses[keyof ListCertificateAuthorityEventsResponses];

export type ListCertificateAuthorityReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/certificate_authorities/{id}/references';
};

export type ListCertificateAuthorityReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListCertificateAuthorityReferencesResponse = ListCertificateAuthorityReferencesResponses[keyof ListCertificateAuthorityReferencesResponses];

export type ListHttpsEdgesData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/edges/https';
};

export type ListHttpsEdgesResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        https_edges: Array<HttpsEdge>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListHttpsEdgesResponse = ListHttpsEdgesResponses[keyof ListHttpsEdgesResponses];

export type CreateHttpsEdgeData = {
    body?: CreateHttpsEdge;
    path?: never;
    query?: never;
    url: '/edges/https';
};

export type CreateHttpsEdgeResponses = {
    /** Created. */
    201: HttpsEdge;
};

export type CreateHttpsEdgeResponse = CreateHttpsEdgeResponses[keyof CreateHttpsEdgeResponses];

export type ListHttpsEdgeRoutesData = {
    body?: never;
    path: {
        edge_id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/edges/https/{edge_id}/routes';
};

export type ListHttpsEdgeRoutesResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        routes: Array<HttpsEdgeRoute>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListHttpsEdgeRoutesResponse = ListHttpsEdgeRoutesResponses[keyof ListHttpsEdgeRoutesResponses];

export type CreateHttpsEdgeRouteData = {
    body: CreateHttpsEdgeRoute;
    path: {
        edge_id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes';
};

export type CreateHttpsEdgeRouteResponses = {
    /** Created. */
    201: HttpsEdgeRoute;
};

export type CreateHttpsEdgeRouteResponse = CreateHttpsEdgeRouteResponses[keyof CreateHttpsEdgeRouteResponses];

export type DeleteHttpsEdgeRouteData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}';
};

export type DeleteHttpsEdgeRouteResponses = {
    /** No content. */
    204: void;
};

export type DeleteHttpsEdgeRouteResponse = DeleteHttpsEdgeRouteResponses[keyof DeleteHttpsEdgeRouteResponses];

export type GetHttpsEdgeRouteData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}';
};

export type GetHttpsEdgeRouteResponses = {
    /** OK. */
    200: HttpsEdgeRoute;
};

export type GetHttpsEdgeRouteResponse = GetHttpsEdgeRouteResponses[keyof GetHttpsEdgeRouteResponses];

export type UpdateHttpsEdgeRouteData = {
    body: UpdateHttpsEdgeRoute;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}';
};

export type UpdateHttpsEdgeRouteResponses = {
    /** OK. */
    200: HttpsEdgeRoute;
};

export type UpdateHttpsEdgeRouteResponse = UpdateHttpsEdgeRouteResponses[keyof UpdateHttpsEdgeRouteResponses];

export type DeleteHttpsEdgeRouteBackendData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/backend';
};

export type DeleteHttpsEdgeRouteBackendResponses = {
    /** No content. */
    204: void;
};

export type DeleteHttpsEdgeRouteBackendResponse = DeleteHttpsEdgeRouteBackendResponses[keyof DeleteHttpsEdgeRouteBackendResponses];

export type GetHttpsEdgeRouteBackendData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/backend';
};

export type GetHttpsEdgeRouteBackendResponses = {
    /** OK. */
    200: BackendModule;
};

export type GetHttpsEdgeRouteBackendResponse = GetHttpsEdgeRouteBackendResponses[keyof GetHttpsEdgeRouteBackendResponses];

export type ReplaceHttpsEdgeRouteBackendData = {
    body: ReplaceHttpsEdgeRouteBackend;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/backend';
};

export type ReplaceHttpsEdgeRouteBackendResponses = {
    /** OK. */
    200: BackendModule;
};

export type ReplaceHttpsEdgeRouteBackendResponse = ReplaceHttpsEdgeRouteBackendResponses[keyof ReplaceHttpsEdgeRouteBackendResponses];

export type DeleteHttpsEdgeRouteCircuitBreakerData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/circuit_breaker';
};

export type DeleteHttpsEdgeRouteCircuitBreakerResponses = {
    /** No content. */
    204: void;
};

export type DeleteHttpsEdgeRouteCircuitBreakerResponse = DeleteHttpsEdgeRouteCircuitBreakerResponses[keyof DeleteHttpsEdgeRouteCircuitBreakerResponses];

export type GetHttpsEdgeRouteCircuitBreakerData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/circuit_breaker';
};

export type GetHttpsEdgeRouteCircuitBreakerResponses = {
    /** OK. */
    200: CircuitBreakerModule;
};

export type GetHttpsEdgeRouteCircuitBreakerResponse = GetHttpsEdgeRouteCircuitBreakerResponses[keyof GetHttpsEdgeRouteCircuitBreakerResponses];

export type ReplaceHttpsEdgeRouteCircuitBreakerData = {
    body: ReplaceHttpsEdgeRouteCircuitBreaker;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/circuit_breaker';
};

export type ReplaceHttpsEdgeRouteCircuitBreakerResponses = {
    /** OK. */
    200: CircuitBreakerModule;
};

export type ReplaceHttpsEdgeRouteCircuitBreakerResponse = ReplaceHttpsEdgeRouteCircuitBreakerResponses[keyof ReplaceHttpsEdgeRouteCircuitBreakerResponses];

export type DeleteHttpsEdgeRouteCompressionData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/compression';
};

export type DeleteHttpsEdgeRouteCompressionResponses = {
    /** No content. */
    204: void;
};

export type DeleteHttpsEdgeRouteCompressionResponse = DeleteHttpsEdgeRouteCompressionResponses[keyof DeleteHttpsEdgeRouteCompressionResponses];

export type GetHttpsEdgeRouteCompressionData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/compression';
};

export type GetHttpsEdgeRouteCompressionResponses = {
    /** OK. */
    200: CompressionModule;
};

export type GetHttpsEdgeRouteCompressionResponse = GetHttpsEdgeRouteCompressionResponses[keyof GetHttpsEdgeRouteCompressionResponses];

export type ReplaceHttpsEdgeRouteCompressionData = {
    body: ReplaceHttpsEdgeRouteCompression;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/compression';
};

export type ReplaceHttpsEdgeRouteCompressionResponses = {
    /** OK. */
    200: CompressionModule;
};

export type ReplaceHttpsEdgeRouteCompressionResponse = ReplaceHttpsEdgeRouteCompressionResponses[keyof ReplaceHttpsEdgeRouteCompressionResponses];

export type ListHttpsEdgeRouteEventsData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/edges/https/{edge_id}/routes/{id}/events';
};

export type ListHttpsEdgeRouteEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListHttpsEdgeRouteEventsResponse = ListHttpsEdgeRouteEventsResponses[keyof ListHttpsEdgeRouteEventsResponses];

export type DeleteHttpsEdgeRouteIpRestrictionData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/ip_restriction';
};

export type DeleteHttpsEdgeRouteIpRestrictionResponses = {
    /** No content. */
    204: void;
};

export type DeleteHttpsEdgeRouteIpRestrictionResponse = DeleteHttpsEdgeRouteIpRestrictionResponses[keyof DeleteHttpsEdgeRouteIpRestrictionResponses];

export type GetHttpsEdgeRouteIpRestrictionData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/ip_restriction';
};

export type GetHttpsEdgeRouteIpRestrictionResponses = {
    /** OK. */
    200: IpRestrictionModule;
};

export type GetHttpsEdgeRouteIpRestrictionResponse = GetHttpsEdgeRouteIpRestrictionResponses[keyof GetHttpsEdgeRouteIpRestrictionResponses];

export type ReplaceHttpsEdgeRouteIpRestrictionData = {
    body: ReplaceHttpsEdgeRouteIpRestriction;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/ip_restriction';
};

export type ReplaceHttpsEdgeRouteIpRestrictionResponses = {
    /** OK. */
    200: IpRestrictionModule;
};

export type ReplaceHttpsEdgeRouteIpRestrictionResponse = ReplaceHttpsEdgeRouteIpRestrictionResponses[keyof ReplaceHttpsEdgeRouteIpRestrictionResponses];

export type DeleteHttpsEdgeRouteOauthData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/oauth';
};

export type DeleteHttpsEdgeRouteOauthResponses = {
    /** No content. */
    204: void;
};

export type DeleteHttpsEdgeRouteOauthResponse = DeleteHttpsEdgeRouteOauthResponses[keyof DeleteHttpsEdgeRouteOauthResponses];

export type GetHttpsEdgeRouteOauthData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/oauth';
};

export type GetHttpsEdgeRouteOauthResponses = {
    /** OK. */
    200: OauthModule;
};

export type GetHttpsEdgeRouteOauthResponse = GetHttpsEdgeRouteOauthResponses[keyof GetHttpsEdgeRouteOauthResponses];

export type ReplaceHttpsEdgeRouteOauthData = {
    body: ReplaceHttpsEdgeRouteOauth;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/oauth';
};

export type ReplaceHttpsEdgeRouteOauthResponses = {
    /** OK. */
    200: OauthModule;
};

export type ReplaceHttpsEdgeRouteOauthResponse = ReplaceHttpsEdgeRouteOauthResponses[keyof ReplaceHttpsEdgeRouteOauthResponses];

export type DeleteHttpsEdgeRouteOidcData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/oidc';
};

export type DeleteHttpsEdgeRouteOidcResponses = {
    /** No content. */
    204: void;
};

export type DeleteHttpsEdgeRouteOidcResponse = DeleteHttpsEdgeRouteOidcResponses[keyof DeleteHttpsEdgeRouteOidcResponses];

export type GetHttpsEdgeRouteOidcData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/oidc';
};

export type GetHttpsEdgeRouteOidcResponses = {
    /** OK. */
    200: OidcModule;
};

export type GetHttpsEdgeRouteOidcResponse = GetHttpsEdgeRouteOidcResponses[keyof GetHttpsEdgeRouteOidcResponses];

export type ReplaceHttpsEdgeRouteOidcData = {
    body: ReplaceHttpsEdgeRouteOidc;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/oidc';
};

export type ReplaceHttpsEdgeRouteOidcResponses = {
    /** OK. */
    200: OidcModule;
};

export type ReplaceHttpsEdgeRouteOidcResponse = ReplaceHttpsEdgeRouteOidcResponses[keyof ReplaceHttpsEdgeRouteOidcResponses];

export type ListHttpsEdgeRouteReferencesData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/edges/https/{edge_id}/routes/{id}/references';
};

export type ListHttpsEdgeRouteReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListHttpsEdgeRouteReferencesResponse = ListHttpsEdgeRouteReferencesResponses[keyof ListHttpsEdgeRouteReferencesResponses];

export type DeleteHttpsEdgeRouteRequestHeadersData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/request_headers';
};

export type DeleteHttpsEdgeRouteRequestHeadersResponses = {
    /** No content. */
    204: void;
};

export type DeleteHttpsEdgeRouteRequestHeadersResponse = DeleteHttpsEdgeRouteRequestHeadersResponses[keyof DeleteHttpsEdgeRouteRequestHeadersResponses];

export type GetHttpsEdgeRouteRequestHeadersData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/request_headers';
};

export type GetHttpsEdgeRouteRequestHeadersResponses = {
    /** OK. */
    200: RequestHeadersModule;
};

export type GetHttpsEdgeRouteRequestHeadersResponse = GetHttpsEdgeRouteRequestHeadersResponses[keyof GetHttpsEdgeRouteRequestHeadersResponses];

export type ReplaceHttpsEdgeRouteRequestHeadersData = {
    body: ReplaceHttpsEdgeRouteRequestHeaders;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/request_headers';
};

export type ReplaceHttpsEdgeRouteRequestHeadersResponses = {
    /** OK. */
    200: RequestHeadersModule;
};

export type ReplaceHttpsEdgeRouteRequestHeadersResponse = ReplaceHttpsEdgeRouteRequestHeadersResponses[keyof ReplaceHttpsEdgeRouteRequestHeadersResponses];

export type DeleteHttpsEdgeRouteResponseHeadersData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/response_headers';
};

export type DeleteHttpsEdgeRouteResponseHeadersResponses = {
    /** No content. */
    204: void;
};

export type DeleteHttpsEdgeRouteResponseHeadersResponse = DeleteHttpsEdgeRouteResponseHeadersResponses[keyof DeleteHttpsEdgeRouteResponseHeadersResponses];

export type GetHttpsEdgeRouteResponseHeadersData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/response_headers';
};

export type GetHttpsEdgeRouteResponseHeadersResponses = {
    /** OK. */
    200: ResponseHeadersModule;
};

export type GetHttpsEdgeRouteResponseHeadersResponse = GetHttpsEdgeRouteResponseHeadersResponses[keyof GetHttpsEdgeRouteResponseHeadersResponses];

export type ReplaceHttpsEdgeRouteResponseHeadersData = {
    body: ReplaceHttpsEdgeRouteResponseHeaders;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/response_headers';
};

export type ReplaceHttpsEdgeRouteResponseHeadersResponses = {
    /** OK. */
    200: ResponseHeadersModule;
};

export type ReplaceHttpsEdgeRouteResponseHeadersResponse = ReplaceHttpsEdgeRouteResponseHeadersResponses[keyof ReplaceHttpsEdgeRouteResponseHeadersResponses];

export type DeleteHttpsEdgeRouteSamlData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/saml';
};

export type DeleteHttpsEdgeRouteSamlResponses = {
    /** No content. */
    204: void;
};

export type DeleteHttpsEdgeRouteSamlResponse = DeleteHttpsEdgeRouteSamlResponses[keyof DeleteHttpsEdgeRouteSamlResponses];

export type GetHttpsEdgeRouteSamlData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/saml';
};

export type GetHttpsEdgeRouteSamlResponses = {
    /** OK. */
    200: SamlModule;
};

export type GetHttpsEdgeRouteSamlResponse = GetHttpsEdgeRouteSamlResponses[keyof GetHttpsEdgeRouteSamlResponses];

export type ReplaceHttpsEdgeRouteSamlData = {
    body: ReplaceHttpsEdgeRouteSaml;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/saml';
};

export type ReplaceHttpsEdgeRouteSamlResponses = {
    /** OK. */
    200: SamlModule;
};

export type ReplaceHttpsEdgeRouteSamlResponse = ReplaceHttpsEdgeRouteSamlResponses[keyof ReplaceHttpsEdgeRouteSamlResponses];

export type DeleteHttpsEdgeRouteTrafficPolicyData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/traffic_policy';
};

export type DeleteHttpsEdgeRouteTrafficPolicyResponses = {
    /** No content. */
    204: void;
};

export type DeleteHttpsEdgeRouteTrafficPolicyResponse = DeleteHttpsEdgeRouteTrafficPolicyResponses[keyof DeleteHttpsEdgeRouteTrafficPolicyResponses];

export type GetHttpsEdgeRouteTrafficPolicyData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/traffic_policy';
};

export type GetHttpsEdgeRouteTrafficPolicyResponses = {
    /** OK. */
    200: TrafficPolicyModule;
};

export type GetHttpsEdgeRouteTrafficPolicyResponse = GetHttpsEdgeRouteTrafficPolicyResponses[keyof GetHttpsEdgeRouteTrafficPolicyResponses];

export type ReplaceHttpsEdgeRouteTrafficPolicyData = {
    body: ReplaceHttpsEdgeRouteTrafficPolicy;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/traffic_policy';
};

export type ReplaceHttpsEdgeRouteTrafficPolicyResponses = {
    /** OK. */
    200: TrafficPolicyModule;
};

export type ReplaceHttpsEdgeRouteTrafficPolicyResponse = ReplaceHttpsEdgeRouteTrafficPolicyResponses[keyof ReplaceHttpsEdgeRouteTrafficPolicyResponses];

export type DeleteHttpsEdgeRouteUserAgentFilterData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/user_agent_filter';
};

export type DeleteHttpsEdgeRouteUserAgentFilterResponses = {
    /** No content. */
    204: void;
};

export type DeleteHttpsEdgeRouteUserAgentFilterResponse = DeleteHttpsEdgeRouteUserAgentFilterResponses[keyof DeleteHttpsEdgeRouteUserAgentFilterResponses];

export type GetHttpsEdgeRouteUserAgentFilterData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/user_agent_filter';
};

export type GetHttpsEdgeRouteUserAgentFilterResponses = {
    /** OK. */
    200: UserAgentFilterModule;
};

export type GetHttpsEdgeRouteUserAgentFilterResponse = GetHttpsEdgeRouteUserAgentFilterResponses[keyof GetHttpsEdgeRouteUserAgentFilterResponses];

export type ReplaceHttpsEdgeRouteUserAgentFilterData = {
    body: ReplaceHttpsEdgeRouteUserAgentFilter;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/user_agent_filter';
};

export type ReplaceHttpsEdgeRouteUserAgentFilterResponses = {
    /** OK. */
    200: UserAgentFilterModule;
};

export type ReplaceHttpsEdgeRouteUserAgentFilterResponse = ReplaceHttpsEdgeRouteUserAgentFilterResponses[keyof ReplaceHttpsEdgeRouteUserAgentFilterResponses];

export type DeleteHttpsEdgeRouteWebhookVerificationData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/webhook_verification';
};

export type DeleteHttpsEdgeRouteWebhookVerificationResponses = {
    /** No content. */
    204: void;
};

export type DeleteHttpsEdgeRouteWebhookVerificationResponse = DeleteHttpsEdgeRouteWebhookVerificationResponses[keyof DeleteHttpsEdgeRouteWebhookVerificationResponses];

export type GetHttpsEdgeRouteWebhookVerificationData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/webhook_verification';
};

export type GetHttpsEdgeRouteWebhookVerificationResponses = {
    /** OK. */
    200: WebhookVerificationModule;
};

export type GetHttpsEdgeRouteWebhookVerificationResponse = GetHttpsEdgeRouteWebhookVerificationResponses[keyof GetHttpsEdgeRouteWebhookVerificationResponses];

export type ReplaceHttpsEdgeRouteWebhookVerificationData = {
    body: ReplaceHttpsEdgeRouteWebhookVerification;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/webhook_verification';
};

export type ReplaceHttpsEdgeRouteWebhookVerificationResponses = {
    /** OK. */
    200: WebhookVerificationModule;
};

export type ReplaceHttpsEdgeRouteWebhookVerificationResponse = ReplaceHttpsEdgeRouteWebhookVerificationResponses[keyof ReplaceHttpsEdgeRouteWebhookVerificationResponses];

export type DeleteHttpsEdgeRouteWebsocketTcpConverterData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/websocket_tcp_converter';
};

export type DeleteHttpsEdgeRouteWebsocketTcpConverterResponses = {
    /** No content. */
    204: void;
};

export type DeleteHttpsEdgeRouteWebsocketTcpConverterResponse = DeleteHttpsEdgeRouteWebsocketTcpConverterResponses[keyof DeleteHttpsEdgeRouteWebsocketTcpConverterResponses];

export type GetHttpsEdgeRouteWebsocketTcpConverterData = {
    body?: never;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/websocket_tcp_converter';
};

export type GetHttpsEdgeRouteWebsocketTcpConverterResponses = {
    /** OK. */
    200: WebsocketTcpConverterModule;
};

export type GetHttpsEdgeRouteWebsocketTcpConverterResponse = GetHttpsEdgeRouteWebsocketTcpConverterResponses[keyof GetHttpsEdgeRouteWebsocketTcpConverterResponses];

export type ReplaceHttpsEdgeRouteWebsocketTcpConverterData = {
    body: ReplaceHttpsEdgeRouteWebsocketTcpConverter;
    path: {
        edge_id: string;
        id: string;
    };
    query?: never;
    url: '/edges/https/{edge_id}/routes/{id}/websocket_tcp_converter';
};

export type ReplaceHttpsEdgeRouteWebsocketTcpConverterResponses = {
    /** OK. */
    200: WebsocketTcpConverterModule;
};

export type ReplaceHttpsEdgeRouteWebsocketTcpConverterResponse = ReplaceHttpsEdgeRouteWebsocketTcpConverterResponses[keyof ReplaceHttpsEdgeRouteWebsocketTcpConverterResponses];

export type DeleteHttpsEdgeData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/edges/https/{id}';
};

export type DeleteHttpsEdgeResponses = {
    /** No content. */
    204: void;
};

export type DeleteHttpsEdgeResponse = DeleteHttpsEdgeResponses[keyof DeleteHttpsEdgeResponses];

export type GetHttpsEdgeData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/edges/https/{id}';
};

export type GetHttpsEdgeResponses = {
    /** OK. */
    200: HttpsEdge;
};

export type GetHttpsEdgeResponse = GetHttpsEdgeResponses[keyof GetHttpsEdgeResponses];

export type UpdateHttpsEdgeData = {
    body: UpdateHttpsEdge;
    path: {
        id: string;
    };
    query?: never;
    url: '/edges/https/{id}';
};

export type UpdateHttpsEdgeResponses = {
    /** OK. */
    200: HttpsEdge;
};

export type UpdateHttpsEdgeResponse = UpdateHttpsEdgeResponses[keyof UpdateHttpsEdgeResponses];

export type ListHttpsEdgeEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/edges/https/{id}/events';
};

export type ListHttpsEdgeEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListHttpsEdgeEventsResponse = ListHttpsEdgeEventsResponses[keyof ListHttpsEdgeEventsResponses];

export type ListHttpsEdgeReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/edges/https/{id}/references';
};

export type ListHttpsEdgeReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListHttpsEdgeReferencesResponse = ListHttpsEdgeReferencesResponses[keyof ListHttpsEdgeReferencesResponses];

export type ListTcpEdgesData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/edges/tcp';
};

export type ListTcpEdgesResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        tcp_edges: Array<TcpEdge>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListTcpEdgesResponse = ListTcpEdgesResponses[keyof ListTcpEdgesResponses];

export type CreateTcpEdgeData = {
    body?: CreateTcpEdge;
    path?: never;
    query?: never;
    url: '/edges/tcp';
};

export type CreateTcpEdgeResponses = {
    /** Created. */
    201: TcpEdge;
};

export type CreateTcpEdgeResponse = CreateTcpEdgeResponses[keyof CreateTcpEdgeResponses];

export type DeleteTcpEdgeData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/edges/tcp/{id}';
};

export type DeleteTcpEdgeResponses = {
    /** No content. */
    204: void;
};

export type DeleteTcpEdgeResponse = DeleteTcpEdgeResponses[keyof DeleteTcpEdgeResponses];

export type GetTcpEdgeData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/edges/tcp/{id}';
};

export type GetTcpEdgeResponses = {
    /** OK. */
    200: TcpEdge;
};

export type GetTcpEdgeResponse = GetTcpEdgeResponses[keyof GetTcpEdgeResponses];

export type UpdateTcpEdgeData = {
    body: UpdateTcpEdge;
    path: {
        id: string;
    };
    query?: never;
    url: '/edges/tcp/{id}';
};

export type UpdateTcpEdgeResponses = {
    /** OK. */
    200: TcpEdge;
};

export type UpdateTcpEdgeResponse = UpdateTcpEdgeResponses[keyof UpdateTcpEdgeResponses];

export type DeleteTcpEdgeBackendData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/edges/tcp/{id}/backend';
};

export type DeleteTcpEdgeBackendResponses = {
    /** No content. */
    204: void;
};

export type DeleteTcpEdgeBackendResponse = DeleteTcpEdgeBackendResponses[keyof DeleteTcpEdgeBackendResponses];

export type GetTcpEdgeBackendData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/edges/tcp/{id}/backend';
};

export type GetTcpEdgeBackendResponses = {
    /** OK. */
    200: BackendModule;
};

export type GetTcpEdgeBackendResponse = GetTcpEdgeBackendResponses[keyof GetTcpEdgeBackendResponses];

export type ReplaceTcpEdgeBackendData = {
    body: ReplaceTcpEdgeBackend;
    path: {
        id: string;
    };
    query?: never;
    url: '/edges/tcp/{id}/backend';
};

export type ReplaceTcpEdgeBackendResponses = {
    /** OK. */
    200: BackendModule;
};

export type ReplaceTcpEdgeBackendResponse = ReplaceTcpEdgeBackendResponses[keyof ReplaceTcpEdgeBackendResponses];

export type ListTcpEdgeEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/edges/tcp/{id}/events';
};

export type ListTcpEdgeEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListTcpEdgeEventsResponse = ListTcpEdgeEventsResponses[keyof ListTcpEdgeEventsResponses];

export type DeleteTcpEdgeIpRestrictionData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/edges/tcp/{id}/ip_restriction';
};

export type DeleteTcpEdgeIpRestrictionResponses = {
    /** No content. */
    204: void;
};

export type DeleteTcpEdgeIpRestrictionResponse = DeleteTcpEdgeIpRestrictionResponses[keyof DeleteTcpEdgeIpRestrictionResponses];

export type GetTcpEdgeIpRestrictionData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/edges/tcp/{id}/ip_restriction';
};

export type GetTcpEdgeIpRestrictionResponses = {
    /** OK. */
    200: IpRestrictionModule;
};

export type GetTcpEdgeIpRestrictionResponse = GetTcpEdgeIpRestrictionResponses[keyof GetTcpEdgeIpRestrictionResponses];

export type ReplaceTcpEdgeIpRestrictionData = {
    body: ReplaceTcpEdgeIpRestriction;
    path: {
        id: string;
    };
    query?: never;
    url: '/edges/tcp/{id}/ip_restriction';
};

export type ReplaceTcpEdgeIpRestrictionResponses = {
    /** OK. */
    200: IpRestrictionModule;
};

export type ReplaceTcpEdgeIpRestrictionResponse = ReplaceTcpEdgeIpRestrictionResponses[keyof ReplaceTcpEdgeIpRestrictionResponses];

export type ListTcpEdgeReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/edges/tcp/{id}/references';
};

export type ListTcpEdgeReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListTcpEdgeReferencesResponse = ListTcpEdgeReferencesResponses[keyof ListTcpEdgeReferencesResponses];

export type DeleteTcpEdgeTrafficPolicyData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/edges/tcp/{id}/traffic_policy';
};

export type DeleteTcpEdgeTrafficPolicyResponses = {
    /** No content. */
    204: void;
};

export type DeleteTcpEdgeTrafficPolicyResponse = DeleteTcpEdgeTrafficPolicyResponses[keyof DeleteTcpEdgeTrafficPolicyResponses];

export type GetTcpEdgeTrafficPolicyData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/edges/tcp/{id}/traffic_policy';
};

export type GetTcpEdgeTrafficPolicyResponses = {
    /** OK. */
    200: TrafficPolicyModule;
};

export type GetTcpEdgeTrafficPolicyResponse = GetTcpEdgeTrafficPolicyResponses[keyof GetTcpEdgeTrafficPolicyResponses];

export type ReplaceTcpEdgeTrafficPolicyData = {
    body: ReplaceTcpEdgeTrafficPolicy;
    path: {
        id: string;
    };
    query?: never;
    url: '/edges/tcp/{id}/traffic_policy';
};

export type ReplaceTcpEdgeTrafficPolicyResponses = {
    /** OK. */
    200: TrafficPolicyModule;
};

export type ReplaceTcpEdgeTrafficPolicyResponse = ReplaceTcpEdgeTrafficPolicyResponses[keyof ReplaceTcpEdgeTrafficPolicyResponses];

export type ListEndpointConfigurationsData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/endpoint_configurations';
};

export type ListEndpointConfigurationsResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        endpoint_configurations: Array<EndpointConfiguration>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListEndpointConfigurationsResponse = ListEndpointConfigurationsResponses[keyof ListEndpointConfigurationsResponses];

export type CreateEndpointConfigurationData = {
    body: CreateEndpointConfiguration;
    path?: never;
    query?: never;
    url: '/endpoint_configurations';
};

export type CreateEndpointConfigurationResponses = {
    /** Created. */
    201: EndpointConfiguration;
};

export type CreateEndpointConfigurationResponse = CreateEndpointConfigurationResponses[keyof CreateEndpointConfigurationResponses];

export type DeleteEndpointConfigurationData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/endpoint_configurations/{id}';
};

export type DeleteEndpointConfigurationResponses = {
    /** No content. */
    204: void;
};

export type DeleteEndpointConfigurationResponse = DeleteEndpointConfigurationResponses[keyof DeleteEndpointConfigurationResponses];

export type GetEndpointConfigurationData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/endpoint_configurations/{id}';
};

export type GetEndpointConfigurationResponses = {
    /** OK. */
    200: EndpointConfiguration;
};

export type GetEndpointConfigurationResponse = GetEndpointConfigurationResponses[keyof GetEndpointConfigurationResponses];

export type UpdateEndpointConfigurationData = {
    body: UpdateEndpointConfiguration;
    path: {
        id: string;
    };
    query?: never;
    url: '/endpoint_configurations/{id}';
};

export type UpdateEndpointConfigurationResponses = {
    /** OK. */
    200: EndpointConfiguration;
};

export type UpdateEndpointConfigurationResponse = UpdateEndpointConfigurationResponses[keyof UpdateEndpointConfigurationResponses];

export type ListEndpointConfigurationEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/endpoint_configurations/{id}/events';
};

export type ListEndpointConfigurationEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListEndpointConfigurationEventsResponse = ListEndpointConfigurationEventsResponses[keyof ListEndpointConfigurationEventsResponses];

export type ListEndpointConfigurationReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/endpoint_configurations/{id}/references';
};

export type ListEndpointConfigurationReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListEndpointConfigurationReferencesResponse = ListEndpointConfigurationReferencesResponses[keyof ListEndpointConfigurationReferencesResponses];

export type ListEndpointsData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Only endpoints with one of these ids. May be repeated, at most 100 times. */
        id?: Array<string>;
        /** Only endpoints that serve one of these URLs. May be repeated, at most 100 times. */
        url?: Array<string>;
    };
    url: '/endpoints';
};

export type ListEndpointsResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        endpoints: Array<Endpoint>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListEndpointsResponse = ListEndpointsResponses[keyof ListEndpointsResponses];

export type CreateEndpointData = {
    body: CreateEndpoint;
    path?: never;
    query?: never;
    url: '/endpoints';
};

export type CreateEndpointResponses = {
    /** Created. */
    201: Endpoint;
};

export type CreateEndpointResponse = CreateEndpointResponses[keyof CreateEndpointResponses];

export type DeleteEndpointData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/endpoints/{id}';
};

export type DeleteEndpointResponses = {
    /** No content. */
    204: void;
};

export type DeleteEndpointResponse = DeleteEndpointResponses[keyof DeleteEndpointResponses];

export type GetEndpointData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/endpoints/{id}';
};

export type GetEndpointResponses = {
    /** OK. */
    200: Endpoint;
};

export type GetEndpointResponse = GetEndpointResponses[keyof GetEndpointResponses];

export type UpdateEndpointData = {
    body: UpdateEndpoint;
    path: {
        id: string;
    };
    query?: never;
    url: '/endpoints/{id}';
};

export type UpdateEndpointResponses = {
    /** OK. */
    200: Endpoint;
};

export type UpdateEndpointResponse = UpdateEndpointResponses[keyof UpdateEndpointResponses];

export type ListEndpointEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/endpoints/{id}/events';
};

export type ListEndpointEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListEndpointEventsResponse = ListEndpointEventsResponses[keyof ListEndpointEventsResponses];

export type ListEndpointReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/endpoints/{id}/references';
};

export type ListEndpointReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListEndpointReferencesResponse = ListEndpointReferencesResponses[keyof ListEndpointReferencesResponses];

export type ListErasuresData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/erasures';
};

export type ListErasuresResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        erasures: Array<Erasure>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListErasuresResponse = ListErasuresResponses[keyof ListErasuresResponses];

export type CreateErasureData = {
    body: CreateErasure;
    path?: never;
    query?: never;
    url: '/erasures';
};

export type CreateErasureResponses = {
    /** Created. */
    201: Erasure;
};

export type CreateErasureResponse = CreateErasureResponses[keyof CreateErasureResponses];

export type GetErasureData = {
    body?: never;
    path: {
        erasure_id: string;
    };
    query?: never;
    url: '/erasures/{erasure_id}';
};

export type GetErasureResponses = {
    /** OK. */
    200: Erasure;
};

export type GetErasureResponse = GetErasureResponses[keyof GetErasureResponses];

export type ListEventDestinationsData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/event_destinations';
};

export type ListEventDestinationsResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        event_destinations: Array<EventDestination>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListEventDestinationsResponse = ListEventDestinationsResponses[keyof ListEventDestinationsResponses];

export type CreateEventDestinationData = {
    body: CreateEventDestination;
    path?: never;
    query?: never;
    url: '/event_destinations';
};

export type CreateEventDestinationResponses = {
    /** Created. */
    201: EventDestination;
};

export type CreateEventDestinationResponse = CreateEventDestinationResponses[keyof CreateEventDestinationResponses];

export type ListUndeliveredDeliveriesData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only deliveries in this state. `rejected`: refused by the target for good. `expired`: not delivered before its deadline. */
        state?: 'rejected' | 'expired';
        /** Returns only deliveries to these destinations, which may be deleted. Unknown ones are left out. May be repeated, at most 10 times. */
        destination_id?: Array<string>;
    };
    url: '/event_destinations/deliveries';
};

export type ListUndeliveredDeliveriesResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        deliveries: Array<Delivery>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
        /** Absent when the list misses nothing. Otherwise the list has every item that was recorded since this time. Earlier ones were removed after their retention (`GET /retention`). */
        complete_since?: string;
    };
};

export type ListUndeliveredDeliveriesResponse = ListUndeliveredDeliveriesResponses[keyof ListUndeliveredDeliveriesResponses];

export type CountUndeliveredDeliveriesData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Counts only deliveries of events that were recorded, or queued by a backfill, at or after this time. */
        from?: string;
    };
    url: '/event_destinations/deliveries/counts';
};

export type CountUndeliveredDeliveriesResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        counts: Array<UndeliveredCount>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type CountUndeliveredDeliveriesResponse = CountUndeliveredDeliveriesResponses[keyof CountUndeliveredDeliveriesResponses];

export type ListEventDestinationMetricsData = {
    body?: never;
    path?: never;
    query?: {
        /** Begin of the range. Default: a day before `to`. */
        from?: string;
        /** End of the range. Default: now. */
        to?: string;
        /** Length of a step, at most 200 of which are returned. Days begin at midnight UTC. */
        step?: '1m' | '5m' | '1h' | '1d';
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only these destinations. Unknown ones are left out. May be repeated, at most 100 times. */
        destination_id?: Array<string>;
    };
    url: '/event_destinations/metrics';
};

export type ListEventDestinationMetricsResponses = {
    /** OK. */
    200: EventDestinationRates;
};

export type ListEventDestinationMetricsResponse = ListEventDestinationMetricsResponses[keyof ListEventDestinationMetricsResponses];

export type ListRecoveriesData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/event_destinations/recoveries';
};

export type ListRecoveriesResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        recoveries: Array<Recovery>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListRecoveriesResponse = ListRecoveriesResponses[keyof ListRecoveriesResponses];

export type CreateRecoveryData = {
    body: CreateRecovery;
    path?: never;
    query?: never;
    url: '/event_destinations/recoveries';
};

export type CreateRecoveryResponses = {
    /** Created. */
    201: Recovery;
};

export type CreateRecoveryResponse = CreateRecoveryResponses[keyof CreateRecoveryResponses];

export type GetRecoveryData = {
    body?: never;
    path: {
        recovery_id: string;
    };
    query?: never;
    url: '/event_destinations/recoveries/{recovery_id}';
};

export type GetRecoveryResponses = {
    /** OK. */
    200: Recovery;
};

export type GetRecoveryResponse = GetRecoveryResponses[keyof GetRecoveryResponses];

export type CancelRecoveryData = {
    body?: never;
    path: {
        recovery_id: string;
    };
    query?: never;
    url: '/event_destinations/recoveries/{recovery_id}/cancel';
};

export type CancelRecoveryResponses = {
    /** OK. */
    200: Recovery;
};

export type CancelRecoveryResponse = CancelRecoveryResponses[keyof CancelRecoveryResponses];

export type ListEventDestinationStatusesData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only destinations with this `status`. May be repeated, at most 100 times. */
        state?: Array<'healthy' | 'retrying' | 'misconfigured' | 'paused'>;
    };
    url: '/event_destinations/status';
};

export type ListEventDestinationStatusesResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        statuses: Array<EventDestinationStatus>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListEventDestinationStatusesResponse = ListEventDestinationStatusesResponses[keyof ListEventDestinationStatusesResponses];

export type StreamEventDestinationStatusesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/event_destinations/status/stream';
};

export type StreamEventDestinationStatusesResponses = {
    /** OK. */
    200: string;
};

export type StreamEventDestinationStatusesResponse = StreamEventDestinationStatusesResponses[keyof StreamEventDestinationStatusesResponses];

export type DeleteEventDestinationData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/event_destinations/{id}';
};

export type DeleteEventDestinationResponses = {
    /** No content. */
    204: void;
};

export type DeleteEventDestinationResponse = DeleteEventDestinationResponses[keyof DeleteEventDestinationResponses];

export type GetEventDestinationData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/event_destinations/{id}';
};

export type GetEventDestinationResponses = {
    /** OK. */
    200: EventDestination;
};

export type GetEventDestinationResponse = GetEventDestinationResponses[keyof GetEventDestinationResponses];

export type UpdateEventDestinationData = {
    body: UpdateEventDestination;
    path: {
        id: string;
    };
    query?: never;
    url: '/event_destinations/{id}';
};

export type UpdateEventDestinationResponses = {
    /** OK. */
    200: EventDestination;
};

export type UpdateEventDestinationResponse = UpdateEventDestinationResponses[keyof UpdateEventDestinationResponses];

export type ListBackfillsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/event_destinations/{id}/backfills';
};

export type ListBackfillsResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        backfills: Array<Backfill>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListBackfillsResponse = ListBackfillsResponses[keyof ListBackfillsResponses];

export type CreateBackfillData = {
    body: CreateBackfill;
    path: {
        id: string;
    };
    query?: never;
    url: '/event_destinations/{id}/backfills';
};

export type CreateBackfillResponses = {
    /** Created. */
    201: Backfill;
};

export type CreateBackfillResponse = CreateBackfillResponses[keyof CreateBackfillResponses];

export type GetBackfillData = {
    body?: never;
    path: {
        id: string;
        backfill_id: string;
    };
    query?: never;
    url: '/event_destinations/{id}/backfills/{backfill_id}';
};

export type GetBackfillResponses = {
    /** OK. */
    200: Backfill;
};

export type GetBackfillResponse = GetBackfillResponses[keyof GetBackfillResponses];

export type CancelBackfillData = {
    body?: never;
    path: {
        id: string;
        backfill_id: string;
    };
    query?: never;
    url: '/event_destinations/{id}/backfills/{backfill_id}/cancel';
};

export type CancelBackfillResponses = {
    /** OK. */
    200: Backfill;
};

export type CancelBackfillResponse = CancelBackfillResponses[keyof CancelBackfillResponses];

export type ListEventDestinationDeliveriesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only deliveries of events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only deliveries of events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only deliveries of events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only deliveries of events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only deliveries of events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only deliveries of events recorded at or after this time. */
        from?: string;
        /** Returns only deliveries of events recorded before this time. */
        to?: string;
        /** Returns only deliveries of events of this resource, also after its deletion. */
        object_id?: string;
        /** `pending`: waiting. `in_flight`: in the batch that is being sent or retried. `delivered`: accepted by the target. `rejected`: refused by the target for good. `expired`: not delivered before its deadline. `cancelled`: not finished when its destination was deleted. */
        state?: 'pending' | 'in_flight' | 'delivered' | 'rejected' | 'expired' | 'cancelled';
        /** Returns only deliveries with this `sequence` or a higher one, also those in flight. */
        sequence_from?: number;
        /** Returns only deliveries with this `sequence` or a lower one, also those in flight. */
        sequence_to?: number;
    };
    url: '/event_destinations/{id}/deliveries';
};

export type ListEventDestinationDeliveriesResponses = {
    /** OK. */
    200: {
        /** Newest first, unless `order` says otherwise. */
        deliveries: Array<Delivery>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full, even an empty one, has it while there is more to search. */
        next_page_uri: string | null;
        /** Absent when the list misses nothing. Otherwise the list has every item that was recorded since this time. Earlier ones were removed after their retention (`GET /retention`). */
        complete_since?: string;
    };
};

export type ListEventDestinationDeliveriesResponse = ListEventDestinationDeliveriesResponses[keyof ListEventDestinationDeliveriesResponses];

export type ListEventDestinationEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/event_destinations/{id}/events';
};

export type ListEventDestinationEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListEventDestinationEventsResponse = ListEventDestinationEventsResponses[keyof ListEventDestinationEventsResponses];

export type GetLogCheckpointData = {
    body?: never;
    path: {
        id: string;
        epoch: string;
    };
    query?: {
        /** `true`: the newest checkpoint with a cosignature. Else the newest one, which has none in its first seconds. */
        cosigned?: 'true' | 'false';
    };
    url: '/event_destinations/{id}/log/{epoch}/checkpoint';
};

export type GetLogCheckpointResponses = {
    /** OK. */
    200: string;
};

export type GetLogCheckpointResponse = GetLogCheckpointResponses[keyof GetLogCheckpointResponses];

export type GetLogErasuresData = {
    body?: never;
    path: {
        id: string;
        epoch: string;
    };
    query?: never;
    url: '/event_destinations/{id}/log/{epoch}/erasures';
};

export type GetLogErasuresResponses = {
    /** OK. */
    200: string;
};

export type GetLogErasuresResponse = GetLogErasuresResponses[keyof GetLogErasuresResponses];

export type GetLogTileData = {
    body?: never;
    path: {
        path: string;
        epoch: string;
        id: string;
    };
    query?: never;
    url: '/event_destinations/{id}/log/{epoch}/tile/{path}';
};

export type GetLogTileResponses = {
    /** OK. */
    200: Blob | File;
};

export type GetLogTileResponse = GetLogTileResponses[keyof GetLogTileResponses];

export type CreateLogLinkData = {
    body?: CreateLogLink;
    path: {
        id: string;
    };
    query?: never;
    url: '/event_destinations/{id}/log_links';
};

export type CreateLogLinkResponses = {
    /** Created. */
    201: LogLink;
};

export type CreateLogLinkResponse = CreateLogLinkResponses[keyof CreateLogLinkResponses];

export type GetEventDestinationMetricsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Begin of the range. Default: a day before `to`. */
        from?: string;
        /** End of the range. Default: now. */
        to?: string;
        /** Length of a step, at most 1500 of which are returned. Days begin at midnight UTC. */
        step?: '1m' | '5m' | '1h' | '1d';
    };
    url: '/event_destinations/{id}/metrics';
};

export type GetEventDestinationMetricsResponses = {
    /** OK. */
    200: EventDestinationMetrics;
};

export type GetEventDestinationMetricsResponse = GetEventDestinationMetricsResponses[keyof GetEventDestinationMetricsResponses];

export type RedeliverEventsData = {
    body: RedeliveryInput;
    path: {
        id: string;
    };
    query?: never;
    url: '/event_destinations/{id}/redeliveries';
};

export type RedeliverEventsResponses = {
    /** Accepted. */
    202: RedeliveryAccepted;
};

export type RedeliverEventsResponse = RedeliverEventsResponses[keyof RedeliverEventsResponses];

export type ListEventDestinationReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/event_destinations/{id}/references';
};

export type ListEventDestinationReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListEventDestinationReferencesResponse = ListEventDestinationReferencesResponses[keyof ListEventDestinationReferencesResponses];

export type GetEventDestinationStatusData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/event_destinations/{id}/status';
};

export type GetEventDestinationStatusResponses = {
    /** OK. */
    200: EventDestinationStatus;
};

export type GetEventDestinationStatusResponse = GetEventDestinationStatusResponses[keyof GetEventDestinationStatusResponses];

export type TestEventDestinationData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/event_destinations/{id}/test';
};

export type TestEventDestinationResponses = {
    /** OK. */
    200: EventDestinationTest;
};

export type TestEventDestinationResponse = TestEventDestinationResponses[keyof TestEventDestinationResponses];

export type ListEventSubscriptionsData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/event_subscriptions';
};

export type ListEventSubscriptionsResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        event_subscriptions: Array<EventSubscription>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListEventSubscriptionsResponse = ListEventSubscriptionsResponses[keyof ListEventSubscriptionsResponses];

export type CreateEventSubscriptionData = {
    body?: CreateEventSubscription;
    path?: never;
    query?: never;
    url: '/event_subscriptions';
};

export type CreateEventSubscriptionResponses = {
    /** Created. */
    201: EventSubscription;
};

export type CreateEventSubscriptionResponse = CreateEventSubscriptionResponses[keyof CreateEventSubscriptionResponses];

export type PreviewEventSourceData = {
    body: PreviewEventSource;
    path?: never;
    query?: never;
    url: '/event_subscriptions/preview';
};

export type PreviewEventSourceResponses = {
    /** OK. */
    200: EventPreview;
};

export type PreviewEventSourceResponse = PreviewEventSourceResponses[keyof PreviewEventSourceResponses];

export type DeleteEventSubscriptionData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/event_subscriptions/{id}';
};

export type DeleteEventSubscriptionResponses = {
    /** No content. */
    204: void;
};

export type DeleteEventSubscriptionResponse = DeleteEventSubscriptionResponses[keyof DeleteEventSubscriptionResponses];

export type GetEventSubscriptionData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/event_subscriptions/{id}';
};

export type GetEventSubscriptionResponses = {
    /** OK. */
    200: EventSubscription;
};

export type GetEventSubscriptionResponse = GetEventSubscriptionResponses[keyof GetEventSubscriptionResponses];

export type UpdateEventSubscriptionData = {
    body: UpdateEventSubscription;
    path: {
        id: string;
    };
    query?: never;
    url: '/event_subscriptions/{id}';
};

export type UpdateEventSubscriptionResponses = {
    /** OK. */
    200: EventSubscription;
};

export type UpdateEventSubscriptionResponse = UpdateEventSubscriptionResponses[keyof UpdateEventSubscriptionResponses];

export type ListEventSubscriptionEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/event_subscriptions/{id}/events';
};

export type ListEventSubscriptionEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListEventSubscriptionEventsResponse = ListEventSubscriptionEventsResponses[keyof ListEventSubscriptionEventsResponses];

export type ListEventSubscriptionReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/event_subscriptions/{id}/references';
};

export type ListEventSubscriptionReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListEventSubscriptionReferencesResponse = ListEventSubscriptionReferencesResponses[keyof ListEventSubscriptionReferencesResponses];

export type ListEventSnapshotsData = {
    body?: never;
    path: {
        subscription_id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/event_subscriptions/{subscription_id}/snapshots';
};

export type ListEventSnapshotsResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        snapshots: Array<EventSnapshot>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListEventSnapshotsResponse = ListEventSnapshotsResponses[keyof ListEventSnapshotsResponses];

export type ListEventSourcesData = {
    body?: never;
    path: {
        subscription_id: string;
    };
    query?: never;
    url: '/event_subscriptions/{subscription_id}/sources';
};

export type ListEventSourcesResponses = {
    /** OK. */
    200: {
        sources: Array<EventSource>;
        uri: string;
    };
};

export type ListEventSourcesResponse = ListEventSourcesResponses[keyof ListEventSourcesResponses];

export type CreateEventSourceData = {
    body: CreateEventSource;
    path: {
        subscription_id: string;
    };
    query?: never;
    url: '/event_subscriptions/{subscription_id}/sources';
};

export type CreateEventSourceResponses = {
    /** Created. */
    201: EventSource;
};

export type CreateEventSourceResponse = CreateEventSourceResponses[keyof CreateEventSourceResponses];

export type DeleteEventSourceData = {
    body?: never;
    path: {
        subscription_id: string;
        type: string;
    };
    query?: never;
    url: '/event_subscriptions/{subscription_id}/sources/{type}';
};

export type DeleteEventSourceResponses = {
    /** No content. */
    204: void;
};

export type DeleteEventSourceResponse = DeleteEventSourceResponses[keyof DeleteEventSourceResponses];

export type GetEventSourceData = {
    body?: never;
    path: {
        subscription_id: string;
        type: string;
    };
    query?: never;
    url: '/event_subscriptions/{subscription_id}/sources/{type}';
};

export type GetEventSourceResponses = {
    /** OK. */
    200: EventSource;
};

export type GetEventSourceResponse = GetEventSourceResponses[keyof GetEventSourceResponses];

export type UpdateEventSourceData = {
    body?: UpdateEventSource;
    path: {
        subscription_id: string;
        type: string;
    };
    query?: never;
    url: '/event_subscriptions/{subscription_id}/sources/{type}';
};

export type UpdateEventSourceResponses = {
    /** OK. */
    200: EventSource;
};

export type UpdateEventSourceResponse = UpdateEventSourceResponses[keyof UpdateEventSourceResponses];

export type ListEventTypesData = {
    body?: never;
    path?: never;
    query?: {
        /** Returns only event types behind this one. `next_page_uri` contains it. */
        after_id?: string;
    };
    url: '/event_types';
};

export type ListEventTypesResponses = {
    /** OK. */
    200: {
        /** The built-in ones first, then the others by name. */
        event_types: Array<EventType>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListEventTypesResponse = ListEventTypesResponses[keyof ListEventTypesResponses];

export type GetEventTypeData = {
    body?: never;
    path: {
        type: string;
    };
    query?: never;
    url: '/event_types/{type}';
};

export type GetEventTypeResponses = {
    /** OK. */
    200: EventTypeWithSchema;
};

export type GetEventTypeResponse = GetEventTypeResponses[keyof GetEventTypeResponses];

export type ListEventsData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
        /** Returns only events of this resource, also after its deletion. */
        object_id?: string;
        /** Returns only events of requests from this address: `payload.request.ip` is exactly this text. No index has it: see `text`. */
        ip?: string;
        /** Returns only events whose payload has this text: as compact JSON, or within a string. The case of the letters A to Z does not matter. No index has payloads: a page reads those of at most 2,000 events, and the next page continues. */
        text?: string;
    };
    url: '/events';
};

export type ListEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListEventsResponse = ListEventsResponses[keyof ListEventsResponses];

export type PublishEventsData = {
    body: PublishEvents;
    path?: never;
    query?: never;
    url: '/events';
};

export type PublishEventsResponses = {
    /** Accepted. */
    202: {
        /** The events in the order of the request. */
        events: Array<{
            event_id: string;
            /** Whether the event was published before with the same `id`. `event_id` is the first one then. */
            duplicate: boolean;
        }>;
    };
};

export type PublishEventsResponse = PublishEventsResponses[keyof PublishEventsResponses];

export type CountEventsData = {
    body?: never;
    path?: never;
    query?: {
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
        /** Returns only events of this resource, also after its deletion. */
        object_id?: string;
        /** Returns only events of requests from this address: `payload.request.ip` is exactly this text. No index has it: see `text`. */
        ip?: string;
        /** Returns only events whose payload has this text: as compact JSON, or within a string. The case of the letters A to Z does not matter. No index has payloads: a page reads those of at most 2,000 events, and the next page continues. */
        text?: string;
    };
    url: '/events/counts';
};

export type CountEventsResponses = {
    /** OK. */
    200: EventCounts;
};

export type CountEventsResponse = CountEventsResponses[keyof CountEventsResponses];

export type ExportEventsData = {
    body?: never;
    path?: never;
    query?: {
        /** `ndjson`: one event a line, byte for byte as it is stored or, with `destination_id`, as the destination receives it. `csv`: a table with the columns of RFC 4180, for spreadsheets. */
        format?: 'ndjson' | 'csv';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
        /** Returns only events of this resource, also after its deletion. */
        object_id?: string;
        /** Returns only events of requests from this address: `payload.request.ip` is exactly this text. No index has it: see `text`. */
        ip?: string;
        /** Returns only events whose payload has this text: as compact JSON, or within a string. The case of the letters A to Z does not matter. No index has payloads: a page reads those of at most 2,000 events, and the next page continues. */
        text?: string;
    };
    url: '/events/export';
};

export type ExportEventsResponses = {
    /** OK. */
    200: string;
};

export type ExportEventsResponse = ExportEventsResponses[keyof ExportEventsResponses];

export type GetEventData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/events/{id}';
};

export type GetEventResponses = {
    /** OK. */
    200: Event;
};

export type GetEventResponse = GetEventResponses[keyof GetEventResponses];

export type ListEventDeliveriesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/events/{id}/deliveries';
};

export type ListEventDeliveriesResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        deliveries: Array<Delivery>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
        /** Absent when the list misses nothing. Otherwise the list has every item that was recorded since this time. Earlier ones were removed after their retention (`GET /retention`). */
        complete_since?: string;
    };
};

export type ListEventDeliveriesResponse = ListEventDeliveriesResponses[keyof ListEventDeliveriesResponses];

export type GetDeliveredPayloadData = {
    body?: never;
    path: {
        id: string;
        delivery_id: string;
    };
    query?: never;
    url: '/events/{id}/deliveries/{delivery_id}/payload';
};

export type GetDeliveredPayloadResponses = {
    /** OK. */
    200: string;
};

export type GetDeliveredPayloadResponse = GetDeliveredPayloadResponses[keyof GetDeliveredPayloadResponses];

export type GetEventProofData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** The event destination. Absent: the first one whose log has the event. */
        destination?: string;
    };
    url: '/events/{id}/proof';
};

export type GetEventProofResponses = {
    /** OK. */
    200: string;
};

export type GetEventProofResponse = GetEventProofResponses[keyof GetEventProofResponses];

export type ListExportsData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/exports';
};

export type ListExportsResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        exports: Array<Export>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListExportsResponse = ListExportsResponses[keyof ListExportsResponses];

export type CreateExportData = {
    body: CreateExport;
    path?: never;
    query?: never;
    url: '/exports';
};

export type CreateExportResponses = {
    /** Created. */
    201: Export;
};

export type CreateExportResponse = CreateExportResponses[keyof CreateExportResponses];

export type DeleteExportData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/exports/{id}';
};

export type DeleteExportResponses = {
    /** No content. */
    204: void;
};

export type DeleteExportResponse = DeleteExportResponses[keyof DeleteExportResponses];

export type GetExportData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/exports/{id}';
};

export type GetExportResponses = {
    /** OK. */
    200: Export;
};

export type GetExportResponse = GetExportResponses[keyof GetExportResponses];

export type CancelExportData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/exports/{id}/cancel';
};

export type CancelExportResponses = {
    /** OK. */
    200: Export;
};

export type CancelExportResponse = CancelExportResponses[keyof CancelExportResponses];

export type DownloadExportData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/exports/{id}/download';
};

export type DownloadExportResponses = {
    /** OK. */
    200: string;
    /** The part of the file that the request names. */
    206: string;
};

export type DownloadExportResponse = DownloadExportResponses[keyof DownloadExportResponses];

export type ListIpPoliciesData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/ip_policies';
};

export type ListIpPoliciesResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        ip_policies: Array<IpPolicy>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListIpPoliciesResponse = ListIpPoliciesResponses[keyof ListIpPoliciesResponses];

export type CreateIpPolicyData = {
    body?: CreateIpPolicy;
    path?: never;
    query?: never;
    url: '/ip_policies';
};

export type CreateIpPolicyResponses = {
    /** Created. */
    201: IpPolicy;
};

export type CreateIpPolicyResponse = CreateIpPolicyResponses[keyof CreateIpPolicyResponses];

export type DeleteIpPolicyData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/ip_policies/{id}';
};

export type DeleteIpPolicyResponses = {
    /** No content. */
    204: void;
};

export type DeleteIpPolicyResponse = DeleteIpPolicyResponses[keyof DeleteIpPolicyResponses];

export type GetIpPolicyData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/ip_policies/{id}';
};

export type GetIpPolicyResponses = {
    /** OK. */
    200: IpPolicy;
};

export type GetIpPolicyResponse = GetIpPolicyResponses[keyof GetIpPolicyResponses];

export type UpdateIpPolicyData = {
    body: UpdateIpPolicy;
    path: {
        id: string;
    };
    query?: never;
    url: '/ip_policies/{id}';
};

export type UpdateIpPolicyResponses = {
    /** OK. */
    200: IpPolicy;
};

export type UpdateIpPolicyResponse = UpdateIpPolicyResponses[keyof UpdateIpPolicyResponses];

export type ListIpPolicyEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/ip_policies/{id}/events';
};

export type ListIpPolicyEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListIpPolicyEventsResponse = ListIpPolicyEventsResponses[keyof ListIpPolicyEventsResponses];

export type ListIpPolicyReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/ip_policies/{id}/references';
};

export type ListIpPolicyReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListIpPolicyReferencesResponse = ListIpPolicyReferencesResponses[keyof ListIpPolicyReferencesResponses];

export type ListIpPolicyRulesData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/ip_policy_rules';
};

export type ListIpPolicyRulesResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        ip_policy_rules: Array<IpPolicyRule>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListIpPolicyRulesResponse = ListIpPolicyRulesResponses[keyof ListIpPolicyRulesResponses];

export type CreateIpPolicyRuleData = {
    body: CreateIpPolicyRule;
    path?: never;
    query?: never;
    url: '/ip_policy_rules';
};

export type CreateIpPolicyRuleResponses = {
    /** Created. */
    201: IpPolicyRule;
};

export type CreateIpPolicyRuleResponse = CreateIpPolicyRuleResponses[keyof CreateIpPolicyRuleResponses];

export type DeleteIpPolicyRuleData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/ip_policy_rules/{id}';
};

export type DeleteIpPolicyRuleResponses = {
    /** No content. */
    204: void;
};

export type DeleteIpPolicyRuleResponse = DeleteIpPolicyRuleResponses[keyof DeleteIpPolicyRuleResponses];

export type GetIpPolicyRuleData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/ip_policy_rules/{id}';
};

export type GetIpPolicyRuleResponses = {
    /** OK. */
    200: IpPolicyRule;
};

export type GetIpPolicyRuleResponse = GetIpPolicyRuleResponses[keyof GetIpPolicyRuleResponses];

export type UpdateIpPolicyRuleData = {
    body: UpdateIpPolicyRule;
    path: {
        id: string;
    };
    query?: never;
    url: '/ip_policy_rules/{id}';
};

export type UpdateIpPolicyRuleResponses = {
    /** OK. */
    200: IpPolicyRule;
};

export type UpdateIpPolicyRuleResponse = UpdateIpPolicyRuleResponses[keyof UpdateIpPolicyRuleResponses];

export type ListIpPolicyRuleEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/ip_policy_rules/{id}/events';
};

export type ListIpPolicyRuleEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListIpPolicyRuleEventsResponse = ListIpPolicyRuleEventsResponses[keyof ListIpPolicyRuleEventsResponses];

export type ListIpPolicyRuleReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/ip_policy_rules/{id}/references';
};

export type ListIpPolicyRuleReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListIpPolicyRuleReferencesResponse = ListIpPolicyRuleReferencesResponses[keyof ListIpPolicyRuleReferencesResponses];

export type IsAliveData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/livez';
};

export type IsAliveResponses = {
    /** OK. */
    200: Health;
};

export type IsAliveResponse = IsAliveResponses[keyof IsAliveResponses];

export type IsReadyData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/readyz';
};

export type IsReadyResponses = {
    /** OK. */
    200: Readiness;
};

export type IsReadyResponse = IsReadyResponses[keyof IsReadyResponses];

export type ListReservedAddressesData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/reserved_addrs';
};

export type ListReservedAddressesResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        reserved_addrs: Array<ReservedAddr>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListReservedAddressesResponse = ListReservedAddressesResponses[keyof ListReservedAddressesResponses];

export type CreateReservedAddrData = {
    body?: CreateReservedAddr;
    path?: never;
    query?: never;
    url: '/reserved_addrs';
};

export type CreateReservedAddrResponses = {
    /** Created. */
    201: ReservedAddr;
};

export type CreateReservedAddrResponse = CreateReservedAddrResponses[keyof CreateReservedAddrResponses];

export type DeleteReservedAddrData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/reserved_addrs/{id}';
};

export type DeleteReservedAddrResponses = {
    /** No content. */
    204: void;
};

export type DeleteReservedAddrResponse = DeleteReservedAddrResponses[keyof DeleteReservedAddrResponses];

export type GetReservedAddrData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/reserved_addrs/{id}';
};

export type GetReservedAddrResponses = {
    /** OK. */
    200: ReservedAddr;
};

export type GetReservedAddrResponse = GetReservedAddrResponses[keyof GetReservedAddrResponses];

export type UpdateReservedAddrData = {
    body: UpdateReservedAddr;
    path: {
        id: string;
    };
    query?: never;
    url: '/reserved_addrs/{id}';
};

export type UpdateReservedAddrResponses = {
    /** OK. */
    200: ReservedAddr;
};

export type UpdateReservedAddrResponse = UpdateReservedAddrResponses[keyof UpdateReservedAddrResponses];

export type ListReservedAddrEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/reserved_addrs/{id}/events';
};

export type ListReservedAddrEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListReservedAddrEventsResponse = ListReservedAddrEventsResponses[keyof ListReservedAddrEventsResponses];

export type ListReservedAddrReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/reserved_addrs/{id}/references';
};

export type ListReservedAddrReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListReservedAddrReferencesResponse = ListReservedAddrReferencesResponses[keyof ListReservedAddrReferencesResponses];

export type ListReservedDomainsData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/reserved_domains';
};

export type ListReservedDomainsResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        reserved_domains: Array<ReservedDomain>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListReservedDomainsResponse = ListReservedDomainsResponses[keyof ListReservedDomainsResponses];

export type CreateReservedDomainData = {
    body: CreateReservedDomain;
    path?: never;
    query?: never;
    url: '/reserved_domains';
};

export type CreateReservedDomainResponses = {
    /** Created. */
    201: ReservedDomain;
};

export type CreateReservedDomainResponse = CreateReservedDomainResponses[keyof CreateReservedDomainResponses];

export type DeleteReservedDomainData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/reserved_domains/{id}';
};

export type DeleteReservedDomainResponses = {
    /** No content. */
    204: void;
};

export type DeleteReservedDomainResponse = DeleteReservedDomainResponses[keyof DeleteReservedDomainResponses];

export type GetReservedDomainData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/reserved_domains/{id}';
};

export type GetReservedDomainResponses = {
    /** OK. */
    200: ReservedDomain;
};

export type GetReservedDomainResponse = GetReservedDomainResponses[keyof GetReservedDomainResponses];

export type UpdateReservedDomainData = {
    body: UpdateReservedDomain;
    path: {
        id: string;
    };
    query?: never;
    url: '/reserved_domains/{id}';
};

export type UpdateReservedDomainResponses = {
    /** OK. */
    200: ReservedDomain;
};

export type UpdateReservedDomainResponse = UpdateReservedDomainResponses[keyof UpdateReservedDomainResponses];

export type ListReservedDomainEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/reserved_domains/{id}/events';
};

export type ListReservedDomainEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListReservedDomainEventsResponse = ListReservedDomainEventsResponses[keyof ListReservedDomainEventsResponses];

export type ListReservedDomainReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/reserved_domains/{id}/references';
};

export type ListReservedDomainReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListReservedDomainReferencesResponse = ListReservedDomainReferencesResponses[keyof ListReservedDomainReferencesResponses];

export type ListResourceTypesData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/resource_types';
};

export type ListResourceTypesResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        resource_types: Array<ResourceType>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListResourceTypesResponse = ListResourceTypesResponses[keyof ListResourceTypesResponses];

export type CreateResourceTypeData = {
    body: CreateResourceType;
    path?: never;
    query?: never;
    url: '/resource_types';
};

export type CreateResourceTypeResponses = {
    /** Created. */
    201: ResourceType;
};

export type CreateResourceTypeResponse = CreateResourceTypeResponses[keyof CreateResourceTypeResponses];

export type DeleteResourceTypeData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/resource_types/{id}';
};

export type DeleteResourceTypeResponses = {
    /** No content. */
    204: void;
};

export type DeleteResourceTypeResponse = DeleteResourceTypeResponses[keyof DeleteResourceTypeResponses];

export type GetResourceTypeData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/resource_types/{id}';
};

export type GetResourceTypeResponses = {
    /** OK. */
    200: ResourceType;
};

export type GetResourceTypeResponse = GetResourceTypeResponses[keyof GetResourceTypeResponses];

export type UpdateResourceTypeData = {
    body: UpdateResourceType;
    path: {
        id: string;
    };
    query?: never;
    url: '/resource_types/{id}';
};

export type UpdateResourceTypeResponses = {
    /** OK. */
    200: ResourceType;
};

export type UpdateResourceTypeResponse = UpdateResourceTypeResponses[keyof UpdateResourceTypeResponses];

export type ListResourceTypeEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/resource_types/{id}/events';
};

export type ListResourceTypeEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListResourceTypeEventsResponse = ListResourceTypeEventsResponses[keyof ListResourceTypeEventsResponses];

export type ListResourceTypeReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/resource_types/{id}/references';
};

export type ListResourceTypeReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListResourceTypeReferencesResponse = ListResourceTypeReferencesResponses[keyof ListResourceTypeReferencesResponses];

export type GetRetentionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/retention';
};

export type GetRetentionResponses = {
    /** OK. */
    200: Retention;
};

export type GetRetentionResponse = GetRetentionResponses[keyof GetRetentionResponses];

export type GetServiceData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/service';
};

export type GetServiceResponses = {
    /** OK. */
    200: Service;
};

export type GetServiceResponse = GetServiceResponses[keyof GetServiceResponses];

export type DeleteSessionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/session';
};

export type DeleteSessionResponses = {
    /** No content. */
    204: void;
};

export type DeleteSessionResponse = DeleteSessionResponses[keyof DeleteSessionResponses];

export type GetSessionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/session';
};

export type GetSessionResponses = {
    /** OK. */
    200: Session;
};

export type GetSessionResponse = GetSessionResponses[keyof GetSessionResponses];

export type CreateSessionData = {
    body: CreateSession;
    path?: never;
    query?: never;
    url: '/session';
};

export type CreateSessionResponses = {
    /** OK. */
    200: Session;
};

export type CreateSessionResponse = CreateSessionResponses[keyof CreateSessionResponses];

export type CreateSessionCodeData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/session_codes';
};

export type CreateSessionCodeResponses = {
    /** Created. */
    201: SessionCode;
};

export type CreateSessionCodeResponse = CreateSessionCodeResponses[keyof CreateSessionCodeResponses];

export type ListTargetKindsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/target_kinds';
};

export type ListTargetKindsResponses = {
    /** OK. */
    200: {
        /** All of them, in the order in which a form offers them. */
        target_kinds: Array<TargetKind>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListTargetKindsResponse = ListTargetKindsResponses[keyof ListTargetKindsResponses];

export type ListTlsCertificatesData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/tls_certificates';
};

export type ListTlsCertificatesResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        tls_certificates: Array<TlsCertificate>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListTlsCertificatesResponse = ListTlsCertificatesResponses[keyof ListTlsCertificatesResponses];

export type CreateTlsCertificateData = {
    body: CreateTlsCertificate;
    path?: never;
    query?: never;
    url: '/tls_certificates';
};

export type CreateTlsCertificateResponses = {
    /** Created. */
    201: TlsCertificate;
};

export type CreateTlsCertificateResponse = CreateTlsCertificateResponses[keyof CreateTlsCertificateResponses];

export type DeleteTlsCertificateData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/tls_certificates/{id}';
};

export type DeleteTlsCertificateResponses = {
    /** No content. */
    204: void;
};

export type DeleteTlsCertificateResponse = DeleteTlsCertificateResponses[keyof DeleteTlsCertificateResponses];

export type GetTlsCertificateData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/tls_certificates/{id}';
};

export type GetTlsCertificateResponses = {
    /** OK. */
    200: TlsCertificate;
};

export type GetTlsCertificateResponse = GetTlsCertificateResponses[keyof GetTlsCertificateResponses];

export type UpdateTlsCertificateData = {
    body: UpdateTlsCertificate;
    path: {
        id: string;
    };
    query?: never;
    url: '/tls_certificates/{id}';
};

export type UpdateTlsCertificateResponses = {
    /** OK. */
    200: TlsCertificate;
};

export type UpdateTlsCertificateResponse = UpdateTlsCertificateResponses[keyof UpdateTlsCertificateResponses];

export type ListTlsCertificateEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/tls_certificates/{id}/events';
};

export type ListTlsCertificateEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListTlsCertificateEventsResponse = ListTlsCertificateEventsResponses[keyof ListTlsCertificateEventsResponses];

export type ListTlsCertificateReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/tls_certificates/{id}/references';
};

export type ListTlsCertificateReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListTlsCertificateReferencesResponse = ListTlsCertificateReferencesResponses[keyof ListTlsCertificateReferencesResponses];

export type ListTunnelSessionsData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/tunnel_sessions';
};

export type ListTunnelSessionsResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        tunnel_sessions: Array<TunnelSession>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListTunnelSessionsResponse = ListTunnelSessionsResponses[keyof ListTunnelSessionsResponses];

export type GetTunnelSessionData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/tunnel_sessions/{id}';
};

export type GetTunnelSessionResponses = {
    /** OK. */
    200: TunnelSession;
};

export type GetTunnelSessionResponse = GetTunnelSessionResponses[keyof GetTunnelSessionResponses];

export type ListTunnelSessionEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/tunnel_sessions/{id}/events';
};

export type ListTunnelSessionEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListTunnelSessionEventsResponse = ListTunnelSessionEventsResponses[keyof ListTunnelSessionEventsResponses];

export type ListTunnelSessionReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/tunnel_sessions/{id}/references';
};

export type ListTunnelSessionReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListTunnelSessionReferencesResponse = ListTunnelSessionReferencesResponses[keyof ListTunnelSessionReferencesResponses];

export type ListTunnelsData = {
    body?: never;
    path?: never;
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/tunnels';
};

export type ListTunnelsResponses = {
    /** OK. */
    200: {
        /** Newest first. */
        tunnels: Array<Tunnel>;
        /** Address of this list. */
        uri: string;
        /** Address of the next page; null on the last page. A page that is not full may have it. */
        next_page_uri: string | null;
    };
};

export type ListTunnelsResponse = ListTunnelsResponses[keyof ListTunnelsResponses];

export type GetTunnelData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/tunnels/{id}';
};

export type GetTunnelResponses = {
    /** OK. */
    200: Tunnel;
};

export type GetTunnelResponse = GetTunnelResponses[keyof GetTunnelResponses];

export type ListTunnelEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only items older than this id. `next_page_uri` contains it. */
        before_id?: string;
        /** Returns only items newer than this id. `next_page_uri` contains it when the oldest items are first. Changes that are made at the same time may be committed in another order than that of their ids. So a list that is continued later, with the last id that was read, may miss events of the last minutes. To miss none, give `to` a time five minutes ago in each request, or subscribe a destination. */
        after_id?: string;
        /** Order of the items. */
        order?: 'newest_first' | 'oldest_first';
        /** Returns only events of this type, or of one of these types. May be repeated, at most 20 times. */
        type?: Array<string>;
        /** Returns only events of changes by this user, bot or principal of a publisher. */
        principal_id?: string;
        /** Returns only events of changes that were made, or published, with this API key. */
        credential_id?: string;
        /** Returns only events of this request (`Operation-Id`). */
        operation_id?: string;
        /** Returns only events of updates that changed this top-level member. */
        changed?: string;
        /** Returns only events recorded at or after this time. */
        from?: string;
        /** Returns only events recorded before this time. */
        to?: string;
    };
    url: '/tunnels/{id}/events';
};

export type ListTunnelEventsResponses = {
    /** OK. */
    200: EventList;
};

export type ListTunnelEventsResponse = ListTunnelEventsResponses[keyof ListTunnelEventsResponses];

export type ListTunnelReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/tunnels/{id}/references';
};

export type ListTunnelReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListTunnelReferencesResponse = ListTunnelReferencesResponses[keyof ListTunnelReferencesResponses];

export type GetUserData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/users/{id}';
};

export type GetUserResponses = {
    /** OK. */
    200: User;
};

export type GetUserResponse = GetUserResponses[keyof GetUserResponses];

export type ListUserReferencesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /** Most items on the page, 1 to 100. A page also ends with the item that reaches 1 MiB of JSON. */
        limit?: number;
        /** Returns only resources whose ids are lower than this one. `next_page_uri` contains it. */
        before_id?: string;
    };
    url: '/users/{id}/references';
};

export type ListUserReferencesResponses = {
    /** OK. */
    200: ReferenceList;
};

export type ListUserReferencesResponse = ListUserReferencesResponses[keyof ListUserReferencesResponses];
