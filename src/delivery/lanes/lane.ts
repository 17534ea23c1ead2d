import type { LaneStatus } from '../../database/tables.js';
import type { TargetKind } from '../../targets/target.js';

/** The lease on one attempt at a batch, and what the lane knew when it was granted. */
export interface Lease {
  readonly destinationId: string;
  readonly batchId: string;
  /** Fences every write of this attempt: a later attempt has another. */
  readonly token: string;
  readonly accountId: string;
  readonly targetKind: TargetKind;
  /** Version of the destination: its connection is cached by it. */
  readonly version: number;
  /** The batch, as a `bigint[]` in Postgres's own notation: it only ever goes back there. */
  readonly deliveryIds: string;
  readonly firstSequence: number;
  /** Number of this attempt at the batch, from 1. */
  readonly attempt: number;
  /** Attempts in a row, before this one, that delivered nothing. */
  readonly failures: number;
  /** The lane's `resume_at`, as Postgres writes it: another one when the attempt is settled means that it was resumed meanwhile. */
  readonly resumeAt: string | null;
}

/** A lease that this process has been granted. */
export interface GrantedLease {
  readonly lease: Lease;
  /** When it was asked for, as `performance.now()` says: it lasts from there at least. */
  readonly requestedAt: number;
}

/** What an attempt leaves of a delivery. `pending`: it is tried again; without a code, it was not tried this time. */
export interface SettledDelivery {
  readonly id: number;
  readonly sequence: number;
  readonly state: 'pending' | 'rejected' | 'expired';
  readonly code: string | null;
  readonly message: string | null;
}

/** Why something was not delivered. */
export interface SettledError {
  readonly code: string;
  readonly message: string;
  readonly httpStatus: number | undefined;
}

/** Everything that an attempt at a batch changed; recorded in one statement. */
export interface Settlement {
  readonly delivered: readonly { readonly id: number; readonly sequence: number }[];
  /** The others, in the order of the batch, without those that go back to the lane. */
  readonly others: readonly SettledDelivery[];
  /** Null: the attempt says nothing of the destination, which stays what it was. */
  readonly status: LaneStatus | null;
  /** Attempts in a row that delivered nothing, this one included; 0 when healthy. */
  readonly failures: number;
  /** Backoff before the lane's next attempt, in milliseconds; null where nothing failed. */
  readonly delayMs: number | null;
  /** Whether the lane is freed although some of the batch is pending: the next batch begins with it, and has more beside it. */
  readonly frees: boolean;
  /** The number of the first delivery that goes back to the lane, with all behind it, as they came; null where none does. */
  readonly nextSequence: number | null;
  readonly error: SettledError | null;
  /** Why we ended a call ourselves: for the attempt's record, not for the destination. */
  readonly interruption: SettledError | null;
  readonly outcome: LaneStatus | 'rejected' | 'interrupted';
  readonly startedAt: Date;
  readonly durationMs: number;
}

/** Whether an attempt may be made now. */
export type Grant =
  | { readonly kind: 'granted'; readonly lease: Lease }
  /** In backoff, or another attempt holds the lease: ask again after so many milliseconds. */
  | { readonly kind: 'later'; readonly delayMs: number }
  /** The lane has another batch, or none, or is gone with its destination: the job has nothing left to do. */
  | { readonly kind: 'void' };

/** What became of the record of an attempt. */
export type Settled =
  | 'settled'
  /** Settled without a backoff: the lane was resumed while the attempt was being made, for a destination that is another by now. */
  | 'resumed'
  /** Nothing was written: the lease was lost, and a later attempt has taken over. */
  | 'lost';

/** Ids for a batch that a run may go on with. */
export interface NextBatchIds {
  readonly batchId: string;
  readonly token: string;
}

/** What became of an attempt that was recorded together with the taking of the next batch. */
export type SettleAndClaimResult =
  /** The next batch is the lane's, and this is the lease on its first attempt. */
  | { readonly kind: 'leased'; readonly lease: Lease }
  /** Recorded, and nothing else waited: the lane is free. */
  | { readonly kind: 'freed' }
  /** Nothing was written: the lease was lost, and a later attempt has taken over. */
  | { readonly kind: 'lost' };
