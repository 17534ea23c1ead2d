import { expect, it } from 'vitest';
import type { Lease } from '../lanes/lane.js';
import type { BatchJobData } from '../queues/job.js';
import { ActiveJob } from './active-job.js';

const lease: Lease = {
  destinationId: 'ed_1',
  batchId: 'bat_1',
  token: 'att_1',
  accountId: 'acc_1',
  targetKind: 'data_stream',
  version: 1,
  deliveryIds: '{1}',
  firstSequence: 1,
  epochs: { epoch: 1, firstSequence: 1, earlier: null },
  attempt: 1,
  failures: 0,
  resumeAt: null,
  latestTimestampMs: 0,
  projected: false,
  pauses: null,
  behindFrom: null,
};

/** A job of the batch `bat_1`, and the batches that were written into its data. */
function startedJob() {
  const shown: string[] = [];
  const job = {
    id: 'bat_1',
    data: { destinationId: 'ed_1', batchId: 'bat_1', events: [] },
    priority: 0,
    updateData: async (data: BatchJobData) => {
      Object.assign(job, { data });
      shown.push(data.batchId);
    },
    changePriority: () => Promise.resolve(),
    updateProgress: () => Promise.resolve(),
    moveToDelayed: () => Promise.resolve(),
  };
  const active = new ActiveJob(job, 'lock');
  const attempt = (batchId: string) => active.attempting({ ...lease, batchId }, []);
  return { active, attempt, shown };
}

it('shows the batch that it attempted last when it is to run again, and its own one never', () => {
  const { active, attempt, shown } = startedJob();
  active.keepAttempted();
  attempt('bat_1');
  active.keepAttempted();
  expect(shown).toEqual([]);
  attempt('bat_2');
  attempt('bat_3');
  active.keepAttempted();
  active.keepAttempted();
  expect(shown).toEqual(['bat_3']);
});
