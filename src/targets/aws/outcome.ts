import type { Outcome } from '../target.js';
import type { FailureKind } from './failure-names.js';
import type { Failure } from './failure.js';

/** How a target is spoken of. */
export interface Vocabulary {
  /** The resource that is written to, such as `delivery stream`. */
  readonly resource: string;
  /** The vendor's service, such as `Firehose`. */
  readonly service: string;
  /** The action that the credentials must be allowed, such as `firehose:PutRecordBatch`. */
  readonly action: string;
}

/** A sentence of our own for each kind of failure: nothing of what the vendor wrote goes out. */
export type Words = Readonly<Record<FailureKind, string>>;

/** The sentences for a target. */
export function wordsFor({ resource, service, action }: Vocabulary): Words {
  return {
    throttled: `${service} is throttling: the ${resource} takes less than is sent to it.`,
    unavailable: `${service} could not answer: it had an error of its own.`,
    network: `The connection to ${service} failed.`,
    timeout: `${service} did not answer in time.`,
    aborted: `Waybill had to end the call before ${service} had answered; it is sent again at once.`,
    expired: `${service} says that the credentials have expired, and new ones did not help.`,
    skewed: `${service} refused the time of the request: the clock of this service is wrong.`,
    denied: `${service} refuses the credentials: check them, and that they allow ${action} on the ${resource}.`,
    not_found: `There is no such ${resource} in the account and region: check its ARN.`,
    misconfigured: `${service} refuses to write to the ${resource}: check how it is set up.`,
    too_large: `${service} finds the record too large.`,
    invalid: `${service} finds the record malformed.`,
    refused: `${service} refuses to write to the ${resource}: check how it is set up.`,
    unknown: `The call to ${service} failed in a way that is not known.`,
  };
}

const WHAT_TO_DO =
  'check the ARN, and that its trust policy names the identity of this service and the external id of this destination';

const assumingWords: Words = {
  throttled: 'The token service is throttling: the role could not be assumed.',
  unavailable: 'The token service had an error of its own: the role could not be assumed.',
  network: 'The connection to the token service failed: the role could not be assumed.',
  timeout: 'The token service did not answer in time: the role could not be assumed.',
  aborted: 'Waybill had to end the call before the token service had answered; it is sent again at once.',
  expired: 'The identity of this service has expired: the role could not be assumed.',
  skewed: 'The token service refused the time of the request: the clock of this service is wrong.',
  denied: `The role cannot be assumed: ${WHAT_TO_DO}.`,
  not_found: `The role cannot be assumed: ${WHAT_TO_DO}.`,
  misconfigured:
    'The role cannot be assumed: this service has no cloud identity that its operator allows it to use.',
  too_large: `The role cannot be assumed: ${WHAT_TO_DO}.`,
  invalid: `The role cannot be assumed: ${WHAT_TO_DO}.`,
  refused: `The role cannot be assumed: ${WHAT_TO_DO}.`,
  unknown: 'The role could not be assumed, for a reason that is not known.',
};

/**
 * What becomes of the record that failed so. `words` gives the sentence for each kind. A whole call that failed so has records
 * to blame where this says `rejected`, and the same outcome for all where it does not.
 */
export function outcomeOf(failed: Failure, words: Words): Outcome {
  const reason = {
    code: failed.code,
    message: failed.message ?? (failed.assuming ? assumingWords[failed.kind] : words[failed.kind]),
    ...(failed.httpStatus === undefined ? {} : { httpStatus: failed.httpStatus }),
  };
  switch (failed.kind) {
    case 'throttled':
    case 'unavailable':
    case 'network':
    case 'timeout':
    case 'expired':
    case 'skewed':
    case 'unknown':
      return { kind: 'retry', reason, ...(failed.afterMs === undefined ? {} : { afterMs: failed.afterMs }) };
    case 'aborted':
      return { kind: 'interrupted', reason };
    case 'denied':
    case 'not_found':
    case 'misconfigured':
      return { kind: 'misconfigured', reason };
    case 'too_large':
    case 'invalid':
    case 'refused':
      // What the token service finds malformed is the role or the external id, not the record.
      return failed.assuming
        ? { kind: 'misconfigured', reason }
        : { kind: 'rejected', grounds: 'record', reason };
    default:
      return unknownKind(failed.kind);
  }
}

function unknownKind(kind: never): never {
  throw new TypeError(`Not a kind of failure: ${String(kind)}`);
}
