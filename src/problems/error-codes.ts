/** An error code as it is documented. */
export interface ErrorCode {
  readonly status: number;
  /** Names the kind of error; the same for every error of the code. */
  readonly title: string;
  /** When the error occurs and what a client can do. One or two sentences; `docs/errors.md` repeats them. */
  readonly meaning: string;
}

/**
 * Every `error_code` of the API. Codes are stable: new codes may be added, and no code changes its meaning.
 */
export const errorCodes = {
  invalid_input: {
    status: 400,
    title: 'The input is not valid',
    meaning: '`errors` lists each invalid field or query parameter with the reason. Nothing was changed.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not JSON',
    meaning: 'The body is not JSON in UTF-8, or is nested deeper than 32 levels. Send valid JSON.',
  },
  malformed_request: {
    status: 400,
    title: 'The request is malformed',
    meaning: 'The request violates HTTP: an invalid URL, header, content length or transfer coding.',
  },
  service_version_missing: {
    status: 400,
    title: 'The version header is missing',
    meaning: 'The request has no `Service-Version` header. Send `Service-Version: 2` with every request.',
  },
  service_version_unsupported: {
    status: 400,
    title: 'The version is not supported',
    meaning: 'The API has only version 2. Send `Service-Version: 2`.',
  },
  host_invalid: {
    status: 400,
    title: 'The Host header is not valid',
    meaning:
      'The addresses in responses contain the Host header, and this one is not a host. Correct it, or set PUBLIC_URL.',
  },
  forwarded_proto_invalid: {
    status: 400,
    title: 'The X-Forwarded-Proto header is not valid',
    meaning:
      'The addresses in responses contain the scheme that a trusted proxy sent, and this one is not http or https. Correct the proxy, or set PUBLIC_URL.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'The idempotency key is not valid',
    meaning: '`Idempotency-Key` must be 1 to 255 printable ASCII characters.',
  },
  credentials_missing: {
    status: 401,
    title: 'The credentials are missing',
    meaning:
      'Send `Authorization: Bearer <API key>`, or sign in to the console. `/metrics` takes `METRICS_TOKEN` instead, the data-plane API `DATA_PLANE_KEY` or `DATA_PLANE_CONFIG_KEY`.',
  },
  credentials_invalid: {
    status: 401,
    title: 'The credentials are not valid',
    meaning:
      'The API key does not exist or was deleted. At `/metrics` and the data-plane API: the token is not the configured one.',
  },
  session_ended: {
    status: 401,
    title: 'The session has ended',
    meaning:
      'The session of the cookie was ended or has expired, or its API key was deleted. Sign in again: `POST /session`.',
  },
  sign_in_code_invalid: {
    status: 401,
    title: 'The sign-in code is not valid',
    meaning: 'The code was used, has expired or never existed. Create another one: `POST /session_codes`.',
  },
  principal_inactive: {
    status: 403,
    title: 'The bot is inactive',
    meaning: 'The API key belongs to a bot user whose `active` is false.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    meaning: 'The caller is authenticated but not permitted to do this. `detail` gives the reason.',
  },
  cross_origin: {
    status: 403,
    title: 'The request comes from another site',
    meaning:
      'A page of another site cannot change anything with a session, and cannot sign in. Scripts send an API key instead.',
  },
  role_not_allowed: {
    status: 403,
    title: 'The role of the API key does not permit this',
    meaning:
      'The API key has a `role` that does not permit this operation. `allowed_roles` lists the roles that do, as does `x-roles` of the operation.',
  },
  not_found: {
    status: 404,
    title: 'The resource does not exist',
    meaning: 'The account of the API key has no such resource.',
  },
  route_not_found: {
    status: 404,
    title: 'The path does not exist',
    meaning: 'The API has no operation at this path.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed',
    meaning: 'The path does not support the method. The `Allow` header lists the supported methods.',
  },
  request_timeout: {
    status: 408,
    title: 'The request timed out',
    meaning: 'The server did not receive the whole request in time.',
  },
  conflict: {
    status: 409,
    title: 'The request conflicts with the current state',
    meaning:
      'The change conflicts with the current state. `detail` gives the reason; `conflicts`, where present, lists the conflicting resources.',
  },
  still_referenced: {
    status: 409,
    title: 'The resource is still referenced',
    meaning: 'Other resources reference this one; `conflicts` lists their ids. Change or delete them first.',
  },
  quota_exceeded: {
    status: 409,
    title: 'The quota of the account is used up',
    meaning:
      'The account has as many resources of this family as it may have (`QUOTAS`). Delete some, or ask the operator.',
  },
  principal_keys_exceeded: {
    status: 409,
    title: 'The principal has too many API keys',
    meaning:
      'The principal has as many API keys as it may create for itself (`API_KEYS_PER_PRINCIPAL`). Delete some, or ask an admin for a key.',
  },
  last_admin_key: {
    status: 409,
    title: 'The last key of an admin cannot be deleted',
    meaning: 'Without a key of an admin, nobody could manage the account. Create another key of an admin first.',
  },
  destination_paused: {
    status: 409,
    title: 'The event destination is paused',
    meaning:
      'The event destination is paused: it can be neither tested nor paused again. Nothing was changed. End the pause first: `PATCH` it with `"paused": null`.',
  },
  event_id_reused: {
    status: 409,
    title: 'The id of an event was used for another event',
    meaning:
      'An `id` in `events` was used for an event with other content. `errors` names each id and the first event. Nothing was stored. Use a new id.',
  },
  exports_under_way: {
    status: 409,
    title: 'Enough exports are under way',
    meaning:
      'The account has as many exports under way as it may have (`EXPORTS_PER_ACCOUNT`). Wait for one of them, or cancel it.',
  },
  exports_stored: {
    status: 409,
    title: 'Enough files of exports are stored',
    meaning:
      'The account keeps as many files of exports, or as many bytes, as it may have (`EXPORT_FILES_PER_ACCOUNT`, `EXPORT_GIB_PER_ACCOUNT`). Delete some, or wait until they expire.',
  },
  export_not_complete: {
    status: 409,
    title: 'The export is not complete',
    meaning: 'Only an export with the state `completed` can be downloaded. `detail` gives its state.',
  },
  event_erased: {
    status: 409,
    title: 'The event is erased',
    meaning: 'The event was erased on request: Waybill has no body of it that could be delivered again.',
  },
  idempotency_response_erased: {
    status: 409,
    title: 'The response was erased',
    meaning:
      'The request with this `Idempotency-Key` was carried out. Its response is no longer kept, as events of the request were erased.',
  },
  idempotency_key_in_use: {
    status: 409,
    title: 'The same request is still in progress',
    meaning: 'A request with this `Idempotency-Key` is still in progress. Retry after `Retry-After` seconds.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'The idempotency key was used for another request',
    meaning: 'A request with another path or body used this `Idempotency-Key` within the last 24 hours. Use a new key.',
  },
  cursor_expired: {
    status: 410,
    title: 'The cursor is no longer valid',
    meaning:
      'The data-plane API cannot list the changes since this cursor: it is too old, or of another database. Read the whole configuration again.',
  },
  export_expired: {
    status: 410,
    title: 'The file of the export has expired',
    meaning: 'The file was removed after `RETENTION_EXPORTS_DAYS`. Create the export again.',
  },
  precondition_failed: {
    status: 412,
    title: 'The resource has changed',
    meaning: '`If-Match` names an outdated version. Read the resource again.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    meaning:
      'The body exceeds `MAX_BODY_BYTES`, or has more than 131,072 values. Of events: more than 2 MiB, or 8 MiB with the changes that Waybill computes. Send fewer at once.',
  },
  event_too_large: {
    status: 413,
    title: 'The event would be too large',
    meaning: 'The event of a change holds the whole resource and is limited to 64 KiB. Make the resource smaller.',
  },
  too_many_events: {
    status: 413,
    title: 'Too many events for one response',
    meaning:
      'More events match than `GET /events/export` returns, or finding them takes too long. Narrow the filter, or create an export (`POST /exports`).',
  },
  uri_too_long: {
    status: 414,
    title: 'The path is too long',
    meaning: 'A path parameter is longer than 255 characters.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type is not supported',
    meaning: 'Send the body as `Content-Type: application/json`, in UTF-8 and without a content encoding.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The file has no such part',
    meaning: '`Range` begins behind the end of the file. `Content-Range` has its size.',
  },
  misdirected_request: {
    status: 421,
    title: 'The data plane answers this request',
    meaning:
      'SAML logins and logouts at `/saml/{route id}/acs` and `/slo` belong to the data plane. Route these paths to the gateway.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning:
      'The API key, its owner or its account exceeded its rate limit, or has too many requests that wait. Or too many unknown API keys, sign-in codes, sessions or SAML routes came from the address. `detail` says which. Retry after `Retry-After` seconds.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    meaning: 'The request line and headers exceed 16 KiB, or are more than 100 fields.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning: 'The service failed. Its log has the error under the `operation_id`.',
  },
  addresses_exhausted: {
    status: 503,
    title: 'No TCP address is available',
    meaning: 'Nearly all TCP addresses of the region are assigned. Choose another region.',
  },
  changes_in_progress: {
    status: 503,
    title: 'Other changes are in progress',
    meaning:
      'Changes that began before this one have not ended for twelve seconds. A new event route would miss their events, so nothing was changed. Retry after `Retry-After` seconds.',
  },
  export_file_unavailable: {
    status: 503,
    title: 'The file of the export is not available',
    meaning:
      'The process that answers does not find the file: a store is away, or the processes do not share `EXPORT_FOLDER`. See docs/exports.md.',
  },
  unavailable: {
    status: 503,
    title: 'The service is unavailable',
    meaning:
      'The database or the queue store is unreachable or overloaded, or too many requests of all accounts wait. Retry after `Retry-After` seconds.',
  },
} as const satisfies Readonly<Record<string, ErrorCode>>;

/** An `error_code`. */
export type KnownErrorCode = keyof typeof errorCodes;
