import type { Outcome } from '../target.js';
import type { FailureKind } from './failure-names.js';
import type { Failure } from './failure.js';

/** The names in the messages about a target. */
export interface VendorTerms {
  /** The resource that is written to, such as `delivery stream`. */
  readonly resource: string;
  /** The vendor's service, such as `Firehose`. */
  readonly service: string;
  /** The action that the credentials must allow, such as `firehose:PutRecordBatch`. */
  readonly action: string;
}

/** A message of ours for each kind of failure: no text of the vendor is shown. */
export type FailureMessages = Readonly<Record<FailureKind, string>>;

/** Returns the messages for a target. */
export function messagesFor({ resource, service, action }: VendorTerms): FailureMessages {
  const refusesCredentials = `${service} refused the credentials. Check that they are valid and allow ${action} on the ${resource}.`;
  const refusesWrites = `${service} refuses writes to the ${resource}. Check the configuration of the ${resource}.`;
  return {
    throttled: `${service} throttles writes to the ${resource}. Raise its quota if this lasts.`,
    unavailable: `${service} had an internal error.`,
    network: `The connection to ${service} failed.`,
    timeout: `${service} did not respond in time.`,
    expired: `${service} reports expired credentials, and new ones did not help.`,
    clock_skew: `${service} refused the timestamp of the request: the clock of this service is wrong.`,
    bad_signature: refusesCredentials,
    unauthenticated: refusesCredentials,
    denied: refusesCredentials,
    not_found: `The ${resource} does not exist in the account and region. Check its ARN.`,
    misconfigured: refusesWrites,
    too_large: `The event is too large for ${service}.`,
    invalid: `${service} refused the event as malformed.`,
    refused: refusesWrites,
    unknown: `The call to ${service} failed for an unknown reason.`,
  };
}

const ROLE_REFUSED =
  'AWS STS refused to assume the role. Check its ARN, and that its trust policy names the identity of this service and the ' +
  'external id of this destination.';

const IDENTITY_REFUSED =
  'AWS STS refused the AWS identity of this service in this region: the role could not be assumed. Ask the operator of ' +
  'this service.';

const assumeRoleMessages: FailureMessages = {
  throttled: 'AWS STS is throttling: the role could not be assumed.',
  unavailable: 'AWS STS had an internal error: the role could not be assumed.',
  network: 'The connection to AWS STS failed: the role could not be assumed.',
  timeout: 'AWS STS did not respond in time: the role could not be assumed.',
  expired: 'The credentials of this service have expired: the role could not be assumed.',
  clock_skew: 'AWS STS refused the timestamp of the request: the clock of this service is wrong.',
  bad_signature: IDENTITY_REFUSED,
  unauthenticated: IDENTITY_REFUSED,
  denied: ROLE_REFUSED,
  not_found: ROLE_REFUSED,
  misconfigured:
    'AWS STS refused the call: the role could not be assumed. Check that AWS STS is active in this region for the ' +
    'account of the role, and ask the operator of this service if it is.',
  too_large: ROLE_REFUSED,
  invalid: ROLE_REFUSED,
  refused: ROLE_REFUSED,
  unknown: 'The role could not be assumed for an unknown reason.',
};

/**
 * Returns the outcome of a record that failed. For a failure of a whole call, `rejected` means that a record caused it.
 */
export function outcomeOf(failure: Failure, messages: FailureMessages): Outcome {
  const kindMessages = failure.assumingRole ? assumeRoleMessages : messages;
  const reason = {
    code: failure.code,
    message: failure.message ?? kindMessages[failure.kind],
    ...(failure.httpStatus === undefined ? {} : { httpStatus: failure.httpStatus }),
  };
  switch (failure.kind) {
    case 'throttled':
    case 'unavailable':
    case 'network':
    case 'timeout':
    case 'expired':
    case 'clock_skew':
    case 'unknown':
      return {
        kind: 'retry',
        reason,
        ...(failure.afterMs === undefined ? {} : { afterMs: failure.afterMs }),
      };
    case 'bad_signature':
    case 'unauthenticated':
    case 'denied':
    case 'not_found':
    case 'misconfigured':
      return { kind: 'misconfigured', reason };
    case 'too_large':
    case 'invalid':
    case 'refused':
      // AWS STS refuses the role or the external id, not the record.
      return failure.assumingRole ? { kind: 'misconfigured', reason } : { kind: 'rejected', basis: 'record', reason };
    default:
      return unknownKind(failure.kind);
  }
}

function unknownKind(kind: never): never {
  throw new TypeError(`Not a kind of failure: ${String(kind)}`);
}
