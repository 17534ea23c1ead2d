/** Why a whole call failed. The kind decides what becomes of the records; see `outcomeOf`. */
export type FailureKind =
  | 'throttled'
  | 'unavailable'
  | 'network'
  | 'timeout'
  | 'aborted'
  /** The credentials have expired: new ones help. */
  | 'expired'
  /** Our clock was wrong; the SDK has taken note of the vendor's. */
  | 'skewed'
  | 'denied'
  | 'not_found'
  | 'misconfigured'
  /** The call carried more than the vendor takes. */
  | 'too_large'
  /** The vendor found a record malformed. */
  | 'invalid'
  /** The vendor did not like the call, and one name serves it for a record at fault and for a target at fault. */
  | 'refused'
  | 'unknown';

/** Names that mean the same at every service. The SDK's own lists are in @smithy/core, service-error-classification. */
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
  RequestTimeout: 'timeout',
  RequestTimeoutException: 'timeout',
  ExpiredToken: 'expired',
  ExpiredTokenException: 'expired',
  RequestExpired: 'expired',
  RequestTimeTooSkewed: 'skewed',
  RequestInTheFuture: 'skewed',
  AccessDenied: 'denied',
  AccessDeniedException: 'denied',
  AuthFailure: 'denied',
  IncompleteSignature: 'denied',
  IncompleteSignatureException: 'denied',
  InvalidClientTokenId: 'denied',
  InvalidSignatureException: 'denied',
  MissingAuthenticationToken: 'denied',
  MissingAuthenticationTokenException: 'denied',
  NotAuthorized: 'denied',
  OptInRequired: 'denied',
  SignatureDoesNotMatch: 'denied',
  UnrecognizedClientException: 'denied',
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

/** What one target adds: names that mean something of their own there, and a sentence for its owner. */
export type SpecialNames = Readonly<
  Record<string, { readonly kind: FailureKind; readonly message?: string }>
>;

/** Classifies the name that a vendor gives an error, for a whole call or for one record. */
export function kindOfName(name: string, special: SpecialNames): FailureKind | undefined {
  return special[name]?.kind ?? kindsOfName[name] ?? (/throttl/i.test(name) ? 'throttled' : undefined);
}
