import type { Fault, ReceivedEvent } from '@waybill/sandbox';
import type { Target } from '../../../src/targets/target.js';

/** What the suite needs to test a target against the sandbox. */
export interface Subject<Config> {
  readonly target: Target<Config>;
  /** A configuration that the sandbox takes, with every secret filled in. */
  readonly config: Config;
  /** The secrets of `config`, which no outcome may contain. */
  readonly secrets: readonly string[];
  /** Returns the address under which the sandbox reports the events of a destination (`ReceivedEvent.address`). */
  address(destinationId: string): string;
  /** Returns the event's JSON in what the sandbox received; by default the body without a trailing newline. */
  delivered?(received: ReceivedEvent): string;
  /** Members that the target adds to the payload, such as `TimeGenerated`; none by default. */
  readonly addedMembers?: readonly string[];
  /** The service that issues the target's credentials, if any. */
  readonly tokenService?: 'sts' | 'entra';
  /** Whether the vendor accepts or refuses each record, or the call as a whole. */
  readonly responds: 'per record' | 'per call';
  /**
   * How `config` packs several events into a record: consecutive ones, or those of a resource. Left out: each event is
   * a record.
   */
  readonly packing?: 'by_line' | 'by_resource';
  /** Whether the vendor's throttling response has a Retry-After. */
  readonly retryAfter: boolean;
  /** Outcomes of the sandbox's faults at this target; a fault without one is not tested. */
  readonly faults: Readonly<Partial<Record<Fault['kind'], ExpectedFault>>>;
}

/** The outcome of a fault. */
export interface ExpectedFault {
  /** `Outcome.kind` of every affected record while the fault lasts. */
  readonly outcome: 'retry' | 'misconfigured' | 'rejected';
  /** `Reason.code`. */
  readonly code: string | RegExp;
}
