import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
  const show = (batchId: string) => active.showBatch({ ...lease, batchId }, []);
  return { active, show, shown };
}

describe('ActiveJob', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('shows the batches that it continues with once a second at most, and the last one', () => {
    const { show, shown } = startedJob();
    for (let batch = 1; batch <= 30; batch += 1) {
      show(`bat_${batch}`);
      vi.advanceTimersByTime(100);
    }
    vi.advanceTimersByTime(1_000);
    expect(shown).toEqual(['bat_2', 'bat_11', 'bat_21', 'bat_30']);
  });

  it('shows nothing after its end', () => {
    const { active, show, shown } = startedJob();
    show('bat_2');
    show('bat_3');
    active.end();
    vi.advanceTimersByTime(10_000);
    expect(shown).toEqual(['bat_2']);
  });

  it('shows the last batch at once when the job is to run again, and its own one never', () => {
    const { active, show, shown } = startedJob();
    active.showAttempted();
    show('bat_1');
    active.showAttempted();
    expect(shown).toEqual([]);
    show('bat_2');
    show('bat_3');
    active.showAttempted();
    active.showAttempted();
    expect(shown).toEqual(['bat_2', 'bat_3']);
  });
});
