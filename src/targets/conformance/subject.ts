import type { Target } from '../target.js';
import type { Fault, ReceivedEvent } from '../../../tools/sandbox/sandbox-contract.js';

/** What the suite must know of a target to try it against the sandbox. */
export interface Subject<Config> {
  readonly target: Target<Config>;
  /** A configuration that the sandbox takes, with every secret filled in. */
  readonly config: Config;
  /** What no outcome may ever contain: the secrets of `config`. */
  readonly secrets: readonly string[];
  /** Where the sandbox reports the events of a destination (`ReceivedEvent.address`). */
  address(destinationId: string): string;
  /** The event's JSON in what the sandbox received; by default the body without a trailing newline. */
  delivered?(received: ReceivedEvent): string;
  /** What a target adds to the payload's own members before it sends it (such as `TimeGenerated`); none by default. */
  readonly addedMembers?: readonly string[];
  /** The service that gives out the target's credentials, where it has one. */
  readonly tokenService?: 'sts' | 'entra';
  /** Whether the vendor answers record by record, or for the whole call. */
  readonly answers: 'per record' | 'per call';
  /** Whether the vendor's throttling answer carries Retry-After. */
  readonly retryAfter: boolean;
  /** How the faults of the sandbox show at this target; one that is left out is not tried. */
  readonly faults: Readonly<Partial<Record<Fault['kind'], ExpectedFault>>>;
}

/** What the outcome of a fault must say. */
export interface ExpectedFault {
  /** `Outcome.kind` of every record that the fault hits, for as long as it lasts. */
  readonly outcome: 'retry' | 'misconfigured' | 'rejected';
  /** `Reason.code`. */
  readonly code: string | RegExp;
}
