import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/database.js';
import { int8Array } from '../../database/int8-array.js';
import { newId } from '../../ids/id.js';
import type { TargetKind } from '../../targets/target.js';
import { admittedEpoch } from '../lanes/epoch.js';
import type { ClaimedBatch } from '../lanes/lane-store.js';
import type { NumberMark } from './witness.js';

/** The start of an epoch in one lane. */
export interface LaneStart {
  readonly destinationId: string;
  readonly accountId: string;
  readonly epoch: number;
  /** Why the epoch began. */
  readonly reason: string;
  readonly beganAt: Date;
  /** The last number on record before the epoch: its sequence is 0 when there is none. */
  readonly last: NumberMark;
}

/** The event that marks a start, with its delivery to the destination: its number is the first of the epoch. */
export interface RecordedMarker {
  readonly eventId: string;
  readonly type: string;
  readonly deliveryId: number;
}

interface LockedLane {
  destination_id: string;
  account_id: string;
  target_kind: TargetKind;
  failures: number;
  epoch: number;
  current: number;
  reason: string;
  began_at: Date;
}

/** Starts the epoch in the lanes: until then no number is assigned in a lane. */
export class LaneStartStore {
  constructor(private readonly db: Database) {}

  /**
   * Starts the epoch in at most `limit` lanes that have not begun it. A batch in the lane is dissolved: the attempt
   * under way cannot be recorded, and deliveries without a recorded number go back to the lane. The marker is the
   * lane's next batch, so that its number is the first of the epoch and nothing is sent before it. The floor of the
   * lane begins anew: in a copy of the data it says nothing about the ids to come.
   * @param recordMarkers records the markers of these starts, and returns them in order
   * @returns the batches of the markers; empty when every lane has begun the epoch, and while claims are fenced
   */
  async start(
    limit: number,
    recordMarkers: (trx: Transaction, starts: readonly LaneStart[]) => Promise<readonly RecordedMarker[]>,
  ): Promise<readonly ClaimedBatch[]> {
    const { rows: waiting } = await sql<{ destination_id: string }>`
      select destination_id from delivery_lanes where epoch < ${admittedEpoch}
      limit ${limit}`.execute(this.db);
    if (waiting.length === 0) return [];
    return this.db.transaction().execute(async (trx) => {
      const lanes = await lock(
        trx,
        waiting.map(({ destination_id: id }) => id),
      );
      const lasts = await lastNumbers(trx, lanes);
      const starts = lanes.map((lane, index): LaneStart => ({
        destinationId: lane.destination_id,
        accountId: lane.account_id,
        epoch: lane.current,
        reason: lane.reason,
        beganAt: lane.began_at,
        last: { epoch: lane.epoch, sequence: lasts[index] ?? 0 },
      }));
      if (starts.length === 0) return [];
      const markers = await recordMarkers(trx, starts);
      const batches = starts.map(({ destinationId, last }, index): ClaimedBatch => {
        const marker = markers[index];
        const lane = lanes[index];
        if (!marker || !lane) throw new Error('A start of an epoch needs one marker for each lane.');
        const events = [{ id: marker.eventId, type: marker.type, sequence: last.sequence + 1 }];
        const { target_kind: targetKind, failures } = lane;
        return { destinationId, targetKind, batchId: newId('bat'), events, failures };
      });
      await beginEpoch(trx, batches, markers, starts);
      return batches;
    });
  }
}

async function lock(trx: Transaction, ids: readonly string[]): Promise<readonly LockedLane[]> {
  const { rows } = await sql<LockedLane>`
    select l.destination_id, l.account_id, l.target_kind, l.failures, l.epoch, i.epoch as current, i.reason, i.began_at
    from delivery_lanes l cross join installation i
    where l.destination_id = any(${ids}::text[]) and l.epoch < i.epoch and i.epoch = ${admittedEpoch}
    order by l.destination_id for update of l`.execute(trx);
  return rows;
}

/**
 * The last number of each lane that is recorded, in the order of the lanes. The numbers that a claim has assigned and
 * no attempt has recorded are the last ones. The lanes are locked, and the snapshot is newer than the locks.
 */
async function lastNumbers(trx: Transaction, lanes: readonly LockedLane[]): Promise<readonly number[]> {
  const { rows } = await sql<{ last: number }>`
    select l.next_sequence - 1 - (
      select count(*) from deliveries d
      where d.destination_id = l.destination_id and d.id = any(l.batch_delivery_ids)
        and d.state = 'pending' and d.sequence is null
    ) as last
    from delivery_lanes l
    where l.destination_id = any(${lanes.map(({ destination_id: id }) => id)}::text[])
    order by l.destination_id`.execute(trx);
  return rows.map(({ last }) => last);
}

async function beginEpoch(
  trx: Transaction,
  batches: readonly ClaimedBatch[],
  markers: readonly RecordedMarker[],
  starts: readonly LaneStart[],
): Promise<void> {
  await sql`
    update delivery_lanes l
    set epoch = start.epoch, epoch_first_sequence = start.last + 1,
        earlier_epochs = coalesce(l.earlier_epochs, '[]')
          || jsonb_build_object('epoch', l.epoch, 'first_sequence', l.epoch_first_sequence),
        next_sequence = start.last + 2, batch_first_sequence = start.last + 1,
        batch_id = start.batch_id, batch_delivery_ids = array[start.delivery_id], batch_attempts = 0, claimed_at = now(),
        attempt_token = null, attempt_until = null, revision = l.revision + 1,
        floor_id = 0, next_floor_id = null, next_floor_xid = null
    from unnest(${batches.map(({ destinationId }) => destinationId)}::text[],
                ${batches.map(({ batchId }) => batchId)}::text[], ${int8Array(markers.map(({ deliveryId }) => deliveryId))}::bigint[],
                ${int8Array(starts.map(({ epoch }) => epoch))}::bigint[],
                ${int8Array(starts.map(({ last }) => last.sequence))}::bigint[])
      as start (destination_id, batch_id, delivery_id, epoch, last)
    where l.destination_id = start.destination_id`.execute(trx);
}
