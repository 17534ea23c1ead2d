import { sql } from 'kysely';
import type { EarlierEpoch } from '../../database/tables.js';
import type { TargetKind } from '../../targets/target.js';
import type { Lease } from './lane.js';
import { endedPauses, pausesColumn, type PauseAges } from './pauses.js';

/** A batch whose lease is requested, with the token that the lease gets. */
export interface LeaseRequest {
  readonly destinationId: string;
  readonly batchId: string;
  readonly token: string;
}

/** What a granted lease is read from: `leaseColumns`, and the version of the destination. */
export interface LeaseRow {
  account_id: string;
  target_kind: TargetKind;
  version: number;
  delivery_ids: string;
  batch_first_sequence: number;
  batch_attempts: number;
  failures: number;
  resume_at: string | null;
  epoch: number;
  epoch_first_sequence: number;
  earlier_epochs: EarlierEpoch[] | null;
  latest_timestamp_ms: number | null;
  projected: boolean;
  pauses: PauseAges | null;
}

/** The columns of a `LeaseRow` from the lane `l`. */
export const leaseColumns = sql`l.account_id, l.target_kind, l.batch_delivery_ids::text as delivery_ids,
        l.batch_first_sequence, l.batch_attempts, l.failures, l.resume_at::text as resume_at,
        l.epoch, l.epoch_first_sequence, l.earlier_epochs, l.latest_timestamp_ms, l.projected, ${pausesColumn}`;

/** Returns the lease that a request was granted. */
export function leaseOf({ destinationId, batchId, token }: LeaseRequest, row: LeaseRow): Lease {
  return {
    destinationId,
    batchId,
    token,
    accountId: row.account_id,
    targetKind: row.target_kind,
    version: row.version,
    deliveryIds: row.delivery_ids,
    firstSequence: row.batch_first_sequence,
    epochs: { epoch: row.epoch, firstSequence: row.epoch_first_sequence, earlier: row.earlier_epochs },
    attempt: row.batch_attempts,
    failures: row.failures,
    resumeAt: row.resume_at,
    latestTimestampMs: row.latest_timestamp_ms ?? 0,
    projected: row.projected,
    pauses: endedPauses(row.pauses),
    behindFrom: null,
  };
}
