// Generated from src/events/publishing/publishing-limits.ts of Waybill, which describes the members, by "npm run generate".

/**
 * What Waybill accepts as a published event. `reservedEventTypeForm` finds the event types that no resource type of an
 * account can have. The forms are regular expressions for JavaScript and Postgres.
 */
export const publishingLimits = {
  "typeNameForm": "^([a-z][a-z0-9]*(_[a-z0-9]+)*\\.)?[a-z][a-z0-9]*(_[a-z0-9]+)*$",
  "longestTypeName": 64,
  "actionForm": "^[a-z][a-z0-9]*(_[a-z0-9]+)*$",
  "longestAction": 40,
  "eventTypeForm": "^([a-z][a-z0-9]*(_[a-z0-9]+)*\\.)?[a-z][a-z0-9]*(_[a-z0-9]+)+\\.v(0|[1-9][0-9]{0,2})$",
  "longestEventType": 110,
  "highestVersion": 999,
  "longestId": 255,
  "reservedPrincipalIds": [
    "system",
    "unknown"
  ],
  "reservedSubjectPrefix": "system:",
  "unseenCharacters": "\u0001- \u007f-\u00a0\u00ad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud82f\udca0-\ud82f\udca3\ud834\udd73-\ud834\udd7a\udb40\udc00-\udb43\udfff",
  "longestAddress": 100,
  "longestUserAgent": 512,
  "longestRepairer": 255,
  "longestReason": 1000,
  "deepestObject": 24,
  "mostObjectBytes": 65536,
  "mostEventBytes": 54784,
  "mostDeletionBytes": 62976,
  "mostMinutesAhead": 5,
  "mostDaysOld": 366,
  "mostEvents": 500,
  "mostBatchBytes": 2097152,
  "reservedEventTypeForm": "^(waybill|event_destination|event_subscription|event_delivery|event_erasure)[_.]|^(api_key|bot_user|ip_policy|ip_policy_rule|tunnel_group_backend|http_response_backend|failover_backend|tcp_edge|tls_certificate|certificate_authority|reserved_domain|endpoint_configuration|reserved_addr|agent_ingress|event_subscription|event_destination|endpoint|tunnel|tunnel_session|https_edge|https_edge_route|resource_type|user)(_(created|updated|deleted))?[.]v|^(endpoint|tunnel|user)_[a-z0-9]+[.]v|_snapshot[.]v[0-9]+$"
} as const;
