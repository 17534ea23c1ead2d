/** Why a call or a record failed. The kind decides the outcome (`outcomeOf`). */
export type FailureKind =
  | 'throttled'
  | 'unavailable'
  | 'network'
  | 'timeout'
  /** The credentials have expired: new ones may help. */
  | 'expired'
  /** The time of the request was refused: the clock of this service is wrong. */
  | 'clock_skew'
  /** The signature was refused: the secret or, before a repeat with the vendor's time, the clock is wrong. */
  | 'bad_signature'
  /** The identity of the caller was refused. */
  | 'unauthenticated'
  | 'denied'
  | 'not_found'
  | 'misconfigured'
  /** The call is larger than the vendor accepts. */
  | 'too_large'
  /** A record is malformed. */
  | 'invalid'
  /** The vendor uses one name for an error of a record and of the target. */
  | 'refused'
  | 'unknown';

/** Names with the same meaning in every service. The SDK's own lists: @smithy/core, service-error-classification. */
const kindsOfName: Readonly<Record<string, FailureKind>> = {
  LimitExceededException: 'throttled',
  ProvisionedThroughputExceededException: 'throttled',
  RequestLimitExceeded: 'throttled',
  BandwidthLimitExceeded: 'throttled',
  PriorRequestNotComplete: 'throttled',
  SlowDown: 'throttled',
  TooManyRequestsException: 'throttled',
  ServiceUnavailable: 'unavailable',
  ServiceUnavailableException: 'unavailable',
  InternalFailure: 'unavailable',
  InternalFailureException: 'unavailable',
  InternalServerException: 'unavailable',
  OperationAbortedException: 'unavailable',
  // The provider of the operator's web identity did not answer AWS STS.
  IDPCommunicationError: 'unavailable',
  IDPCommunicationErrorException: 'unavailable',
  RequestTimeout: 'timeout',
  RequestTimeoutException: 'timeout',
  ExpiredToken: 'expired',
  ExpiredTokenException: 'expired',
  RequestExpired: 'clock_skew',
  RequestTimeTooSkewed: 'clock_skew',
  RequestInTheFuture: 'clock_skew',
  AccessDenied: 'denied',
  AccessDeniedException: 'denied',
  AuthFailure: 'bad_signature',
  IncompleteSignature: 'unauthenticated',
  IncompleteSignatureException: 'unauthenticated',
  InvalidClientTokenId: 'unauthenticated',
  InvalidSignatureException: 'bad_signature',
  MissingAuthenticationToken: 'unauthenticated',
  MissingAuthenticationTokenException: 'unauthenticated',
  NotAuthorized: 'denied',
  OptInRequired: 'unauthenticated',
  SignatureDoesNotMatch: 'bad_signature',
  UnrecognizedClientException: 'unauthenticated',
  RegionDisabledException: 'misconfigured',
  ResourceNotFoundException: 'not_found',
  RequestEntityTooLarge: 'too_large',
  RequestEntityTooLargeException: 'too_large',
  SerializationException: 'invalid',
  ValidationError: 'invalid',
  ValidationException: 'invalid',
  InvalidArgumentException: 'invalid',
  InvalidParameterException: 'invalid',
};

/** A target's own error names, with a message for the owner where it differs from the one of the kind. */
export type ErrorNames = Readonly<Record<string, { readonly kind: FailureKind; readonly message?: string }>>;

/** Returns the kind of a vendor's error name, of a call or a record; undefined for an unknown name. */
export function kindOfName(name: string, own: ErrorNames): FailureKind | undefined {
  return own[name]?.kind ?? kindsOfName[name] ?? (/throttl/i.test(name) ? 'throttled' : undefined);
}
