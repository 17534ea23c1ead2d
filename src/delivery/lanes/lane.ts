import type { LaneStatus } from '../../database/tables.js';
import type { Reason, TargetKind } from '../../targets/target.js';
import type { Moment } from '../../timing/moment.js';
import type { BucketCount } from '../rollups/latency-counts.js';
import type { LaneEpochs } from './epoch.js';
import type { EndedPause } from './pauses.js';

/** The lease on one attempt at a batch, with the state of the lane when it was granted. */
export interface Lease {
  readonly destinationId: string;
  readonly batchId: string;
  /**
   * Fences every write of this attempt, with the batch: a later attempt has another token. Only attempts at batches
   * that were claimed ahead of each other, by one job, share it.
   */
  readonly token: string;
  readonly accountId: string;
  readonly targetKind: TargetKind;
  /** Version of the destination, part of the key of its cached connection. */
  readonly version: number;
  /** The ids of the batch, as a `bigint[]` in Postgres's notation: it is only sent back to Postgres. */
  readonly deliveryIds: string;
  readonly firstSequence: number;
  /** The epochs of the lane's numbers. */
  readonly epochs: LaneEpochs;
  /** Number of this attempt at the batch, from 1. */
  readonly attempt: number;
  /** Consecutive attempts before this one that delivered nothing. */
  readonly failures: number;
  /**
   * The lane's `resume_at` in Postgres's notation. Another value at settlement shows that the lane was resumed during
   * the attempt.
   */
  readonly resumeAt: string | null;
  /**
   * The highest timestamp that the destination has received, where its target needs ascending ones; otherwise, and
   * before the first, 0.
   */
  readonly latestTimestampMs: number;
  /** Whether deliveries of the batch may have projections. */
  readonly projected: boolean;
  /** The pauses of the lane that have ended, which no deadline counts; null where there was none. */
  readonly pauses: readonly EndedPause[] | null;
  /**
   * Number of the first delivery that may have been claimed behind the batch, during this attempt: the settlement gives
   * back all from there on. Null when none was claimed.
   */
  readonly behindFrom: number | null;
}

/** A lease that this process holds. */
export interface GrantedLease {
  readonly lease: Lease;
  /** When it was requested: its duration counts from then at the earliest. */
  readonly requestedAt: Moment;
}

/**
 * The state of an undelivered delivery after an attempt. `pending`: it is tried again; without a code, it was not tried
 * this time.
 */
export interface UndeliveredDelivery {
  readonly id: number;
  readonly sequence: number;
  readonly state: 'pending' | 'rejected' | 'expired';
  readonly code: string | null;
  readonly message: string | null;
}

/** Deliveries that an attempt rejected, without those of events about the health of destinations. */
export interface Rejections {
  readonly count: number;
  /** The lowest and the highest number. */
  readonly first_sequence: number;
  readonly last_sequence: number;
  /** Why the first of them was rejected. */
  readonly code: string;
}

/** Everything that an attempt changes; recorded in one statement. */
export interface Settlement {
  readonly delivered: readonly { readonly id: number; readonly sequence: number }[];
  /** In the order of the batch, without the deliveries that go back to the lane. */
  readonly undelivered: readonly UndeliveredDelivery[];
  /** Null: the attempt shows nothing about the destination, and its status stays. */
  readonly status: LaneStatus | null;
  /** Consecutive attempts that delivered nothing, with this one; 0 when healthy. */
  readonly failures: number;
  /** Backoff before the lane's next attempt, in milliseconds; null when nothing failed. */
  readonly delayMs: number | null;
  /**
   * Whether the lane is freed although deliveries of the batch are pending: the next batch starts with them.
   */
  readonly freesLane: boolean;
  /**
   * Number of the first delivery that goes back to the lane, with all behind it, unnumbered; null when none does.
   */
  readonly nextSequence: number | null;
  /** Why deliveries failed. */
  readonly error: Reason | null;
  /** Why Waybill aborted a call: recorded with the attempt, not with the destination. */
  readonly interruption: Reason | null;
  readonly outcome: LaneStatus | 'rejected' | 'interrupted';
  /** The highest timestamp of a delivered record, where the target needs ascending ones; otherwise null. */
  readonly latestTimestampMs: number | null;
  /** Times from the request of each delivered delivery to the end of the attempt. */
  readonly latencies: readonly BucketCount[];
  /** Null when nothing was rejected that is to be reported. */
  readonly rejections: Rejections | null;
  readonly startedAt: Date;
  readonly durationMs: number;
}

/** The result of recording an attempt. */
export type SettleResult =
  | 'settled'
  /**
   * Recorded without a backoff: the lane was resumed during the attempt, since when the destination may have changed.
   */
  | 'resumed'
  /** Nothing was written: the lease was lost to a later attempt. */
  | 'lost';

/** Ids for the next batch and its lease. */
export interface NextBatchIds {
  readonly batchId: string;
  readonly token: string;
}

/** The result of an advance. */
export type AdvanceResult =
  /** `next`: the lease on the batch that was claimed; null when none was. */
  | { readonly kind: 'advanced'; readonly next: Lease | null }
  /** Nothing was written: the lease was lost to a later attempt, or nothing was to record and nothing waits. */
  | { readonly kind: 'unchanged' };
